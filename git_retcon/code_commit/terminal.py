"""A run for people, line by line."""

from collections.abc import Iterator
from typing import TextIO

from git_retcon.code_commit import events
from git_retcon.code_commit.events import Event
from git_retcon.show.durations import show_duration
from git_retcon.show.notices import engine_lines, warning_lines
from git_retcon.show.style import Style, printable, write_line


class RunPrinter:
    """Writes each event as it happens."""

    def __init__(self, stream: TextIO, style: Style, *, verbose: bool = False) -> None:
        self._stream = stream
        self._style = style
        self._verbose = verbose

    def __call__(self, event: Event) -> None:
        for line in self._format_event(event):
            write_line(self._stream, line)
        self._stream.flush()

    def end_line(self) -> None:
        """Nothing: no event leaves a line open."""

    def _format_event(self, event: Event) -> Iterator[str]:
        match event:
            case events.EngineChosen(_, description, hint):
                yield from engine_lines(description, hint)
            case events.Confined(_, description):
                yield f"build: {printable(description)}"
            case events.Trying(command):
                yield f"trying the build in the sandbox: {printable(command)}"
            case events.Resumed(attempt):
                yield f"going on with attempt {attempt} of the open session"
            case events.Asking(attempt, last, tokens):
                yield self._style.title(f"Attempt {attempt}/{last}")
                yield f"  Prompt of about {tokens:,} tokens..."
            case events.Answered(_, log, seconds):
                yield f"  Answered after {show_duration(seconds)}"
                if self._verbose:
                    yield f"  Answer: {printable(log)}"
            case events.Rejected(_, faults):
                yield self._style.bad("  The answer cannot be used, and nothing was written:")
                yield from (f"    {printable(fault)}" for fault in faults)
            case events.Warned(message, hint):
                yield from warning_lines(message, hint, self._style)
            case _:
                yield from self._work_lines(event)

    def _work_lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.Applied(_, written, removed):
                if not written and not removed:
                    yield "  The answer leaves every file as it is"
                yield from (f"  Wrote {name}" for name in written)
                yield from (f"  Removed {name}" for name in removed)
            case events.StepStarted(_, command):
                yield f"  Building: {printable(command)}"
            case events.StepEnded():
                yield from self._verdict_lines(event)
            case events.GaveUp(_, why):
                yield f"  Gave up: {why}"

    def _verdict_lines(self, ended: events.StepEnded) -> Iterator[str]:
        passed = ended.outcome is events.Outcome.PASS
        if passed:
            yield self._style.good(f"  PASS ({show_duration(ended.seconds)})")
        else:
            detail = f": {printable(ended.cause)}" if ended.cause else ""
            yield self._style.bad(f"  FAIL (exit status {ended.status}){detail}")
        if self._verbose or not passed:
            yield f"  Output: {printable(ended.log)}"
