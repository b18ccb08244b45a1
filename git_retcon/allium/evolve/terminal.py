"""A run of evolve for people, line by line; a counter where standard error is a terminal."""

import sys
from collections.abc import Callable

from git_retcon.allium.evolve import events
from git_retcon.allium.evolve.events import EvolveEvent
from git_retcon.errors import lower_first
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.show.counting import count, some_of
from git_retcon.show.events import EngineChosen, Warned
from git_retcon.show.notices import engine_lines, warning_lines
from git_retcon.show.status_line import StatusLine
from git_retcon.show.style import printable, style_of, write_line

_MOST_NAMED = 4  # files


class Terminal:
    """Writes to standard error. Each step is a line of its own with ``--verbose``."""

    def __init__(self, output: Output, setting: Callable[[str], str | None]) -> None:
        """``setting`` reads a key of git's configuration."""
        self._is_verbose = output.verbose
        self._style = style_of(sys.stderr, output, setting)
        self._status = StatusLine(sys.stderr)
        self._total = 0

    def __call__(self, event: EvolveEvent) -> None:
        match event:
            case EngineChosen(description=description, hint=hint):
                self._write_lines(*engine_lines(description, hint))
            case Warned(message=message, hint=hint):
                self._write_lines(*warning_lines(message, hint, self._style))
            case events.HistoryRead(commits=commits, segments=segments, branch=branch):
                self._total = commits
                parts = f" in {count(segments, 'segment')}" if segments else ""
                self._write_lines(f"{count(commits, 'commit')} to describe{parts}, onto '{branch}'")
            case events.StepDescribed():
                self._show_step(event)
            case events.Reconciled():
                self._show_reconciliation(event)
            case events.Finished():
                self._show_end(event)

    def end_line(self) -> None:
        """Take the counter away."""
        self._status.clear()

    def _show_step(self, event: events.StepDescribed) -> None:
        subject = printable(event.subject)
        if event.incomplete:
            why = printable(event.incomplete)
            self._write_lines(
                f"{self._style.warn('incomplete:')} {shorten_id(event.source)} {subject}: {why}"
            )
        elif self._is_verbose:
            changed = count(len(event.changed), "module") if event.changed else "no change"
            self._write_lines(f"{shorten_id(event.source)} {subject} ({changed})")
        else:
            self._status.redraw(f"{event.done:,} of {self._total:,} described")

    def _show_reconciliation(self, event: events.Reconciled) -> None:
        if event.skipped:
            why = f"{shorten_id(event.source)} is not compared with its source: {event.skipped}"
            self._write_lines(*warning_lines(why, "", self._style))
        if event.skipped_files:
            named = some_of([printable(name) for name in event.skipped_files], _MOST_NAMED)
            self._write_lines(
                *warning_lines(f"not read at {shorten_id(event.source)}: {named}", "", self._style)
            )
        for each in event.failures:
            mark = self._style.warn("incomplete:")
            why = printable(lower_first(each))
            self._write_lines(f"{mark} reconciliation of {shorten_id(event.source)}: {why}")
        if self._is_verbose and not event.skipped:
            found = count(event.findings, "finding")
            self._write_lines(f"{shorten_id(event.source)} compared with its source ({found})")

    def _show_end(self, event: events.Finished) -> None:
        cost = f", ${event.cost:.2f}" if event.cost else ""
        self._write_lines(
            f"{count(event.done, 'commit')} described{cost}: "
            f"{count(event.modules, 'module')}, {count(event.tokens, 'token')}",
            *event.read,
        )

    def _write_lines(self, *lines: str) -> None:
        self.end_line()
        for line in lines:
            write_line(sys.stderr, line)
