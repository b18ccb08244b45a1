"""The progress of a check: on a terminal line that is redrawn, or in lines."""

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
from git_retcon.show.durations import note_duration, show_elapsed
from git_retcon.show.notices import warning_lines
from git_retcon.show.status_line import StatusLine
from git_retcon.show.style import Style, printable, write_line

_TICK = 1.0  # seconds: a step that prints nothing shows that time passes
_BAD = (StepVerdict.FAILED, StepVerdict.FORGIVEN)


class CheckProgress:
    """Tells people on standard error. Only a terminal gets the line that is redrawn."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._line = StatusLine(sys.stderr)
        self._job = self._step = self._last = ""
        self._began = 0.0
        self._is_running = False
        self._lock = threading.RLock()  # for what both threads write
        self._ended = threading.Event()
        self._ticker: threading.Thread | None = None

    def __call__(self, event: CheckEvent) -> None:
        with self._lock:
            self._show_event(event)

    def _show_event(self, event: CheckEvent) -> None:
        match event:
            case JobBegan(workflow, job):
                self._job = f"{workflow.rpartition('/')[2]}: {job}"
                self._write_line(printable(self._job))
            case StepBegan(step):
                self._step, self._last, self._began = step, "", time.monotonic()
                self._is_running = True
                self._begin_ticking()
                self._line.draw(self._describe_step())
            case StepPrinted(line):
                self._last = line
                self._line.redraw(self._describe_step())
            case StepEnded():
                self._is_running = False
                self._tell_step(event)
            case JobEnded():
                self._tell_job(event)
            case Warned(message, hint):
                self._write_line(*warning_lines(message, hint, self._style))
            case CheckBegan():
                pass

    def end_line(self) -> None:
        """Take the line that is redrawn away, for good."""
        self._ended.set()
        if self._ticker is not None:
            self._ticker.join()
            self._ticker = None
        self._line.clear()

    def _begin_ticking(self) -> None:
        if self._line.is_live and self._ticker is None:
            self._ended.clear()
            self._ticker = threading.Thread(target=self._refresh_line, daemon=True)
            self._ticker.start()

    def _refresh_line(self) -> None:
        while not self._ended.wait(_TICK):
            with self._lock:
                if self._is_running:
                    self._line.draw(self._describe_step())

    def _tell_step(self, event: StepEnded) -> None:
        if event.verdict is StepVerdict.NOT_WANTED:
            return
        word = event.verdict.value
        painted = self._style.bad(word) if event.verdict in _BAD else self._style.faint(word)
        reason = f": {printable(event.reason)}" if event.reason else ""
        self._write_line(
            f"  {printable(event.step)}  {painted}{reason}{note_duration(event.seconds)}"
        )

    def _tell_job(self, event: JobEnded) -> None:
        # What did not run is in the report; here counts what happens.
        if event.verdict is not Verdict.NOT_RUN and event.cached:
            name = f"{event.workflow.rpartition('/')[2]}: {event.job}"
            self._write_line(f"{printable(name)}  {event.verdict.value} (cached)")

    def _describe_step(self) -> str:
        elapsed = show_elapsed(time.monotonic() - self._began)
        return f"  {self._step}  {elapsed}  {self._last}"

    def _write_line(self, *lines: str) -> None:
        self._line.clear()
        for line in lines:
            write_line(sys.stderr, line)
