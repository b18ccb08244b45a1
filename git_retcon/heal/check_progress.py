"""The progress of a check: on a terminal line that is redrawn, or in lines."""

import os
import sys
import threading
import time

from git_retcon.heal.check_events import (
    CheckBegan,
    CheckEvent,
    JobBegan,
    JobEnded,
    StepBegan,
    StepEnded,
    StepPrinted,
    Warned,
)
from git_retcon.heal.results import StepVerdict, Verdict
from git_retcon.show.style import Style, printable, write_line

_REDRAW = 0.1  # seconds between two drawings of the line
_TICK = 1.0  # seconds: a step that prints nothing shows that time passes
_BAD = (StepVerdict.FAILED, StepVerdict.FORGIVEN)


class CheckProgress:
    """Tells people on standard error. Only a terminal gets the line that is redrawn."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._live = sys.stderr.isatty()
        self._job = self._step = self._last = ""
        self._began = self._drawn = 0.0
        self._is_open = self._is_running = False
        self._lock = threading.RLock()  # for what both threads write
        self._ended = threading.Event()
        self._ticker: threading.Thread | None = None

    def __call__(self, event: CheckEvent) -> None:
        with self._lock:
            self._tell(event)

    def _tell(self, event: CheckEvent) -> None:
        match event:
            case JobBegan(workflow, job):
                self._job = f"{workflow.rpartition('/')[2]}: {job}"
                self._write(printable(self._job))
            case StepBegan(step):
                self._step, self._last, self._began = step, "", time.monotonic()
                self._is_running = True
                self._begin_ticking()
                self._draw(now=True)
            case StepPrinted(line):
                self._last = line
                self._draw(now=False)
            case StepEnded():
                self._is_running = False
                self._tell_step(event)
            case JobEnded():
                self._tell_job(event)
            case Warned(message, hint):
                self._write(f"{self._style.warn('warning:')} {printable(message)}")
                if hint:
                    self._write(f"hint: {printable(hint)}")
            case CheckBegan():
                pass

    def end_line(self) -> None:
        """Take the line that is redrawn away, for good."""
        self._ended.set()
        if self._ticker is not None:
            self._ticker.join()
            self._ticker = None
        self._clear_line()

    def _begin_ticking(self) -> None:
        if self._live and self._ticker is None:
            self._ended.clear()
            self._ticker = threading.Thread(target=self._tick, daemon=True)
            self._ticker.start()

    def _tick(self) -> None:
        while not self._ended.wait(_TICK):
            with self._lock:
                if self._is_running:
                    self._draw(now=True)

    def _clear_line(self) -> None:
        if self._is_open:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._is_open = False

    def _tell_step(self, event: StepEnded) -> None:
        if event.verdict is StepVerdict.NOT_WANTED:
            return
        word = event.verdict.value
        painted = self._style.bad(word) if event.verdict in _BAD else self._style.faint(word)
        reason = f": {printable(event.reason)}" if event.reason else ""
        seconds = f" ({event.seconds:.1f} s)" if event.seconds >= 0.1 else ""
        self._write(f"  {printable(event.step)}  {painted}{reason}{seconds}")

    def _tell_job(self, event: JobEnded) -> None:
        # What did not run is in the report; here counts what happens.
        if event.verdict is not Verdict.NOT_RUN and event.cached:
            name = f"{event.workflow.rpartition('/')[2]}: {event.job}"
            self._write(f"{printable(name)}  {event.verdict.value} (cached)")

    def _draw(self, *, now: bool) -> None:
        instant = time.monotonic()
        if not self._live or (not now and instant - self._drawn < _REDRAW):
            return
        self._drawn = instant
        elapsed = f"{instant - self._began:.0f} s"
        text = f"  {self._step}  {elapsed}  {self._last}"
        sys.stderr.write(f"\r\x1b[K{printable(text).replace(chr(9), ' ')[: _columns() - 1]}")
        sys.stderr.flush()
        self._is_open = True

    def _write(self, line: str) -> None:
        self._clear_line()
        write_line(sys.stderr, line)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 80
