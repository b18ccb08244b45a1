"""The progress of a heal for people: that of a check, and what engines try and proofs say."""

import sys

from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.check_progress import CheckProgress
from git_retcon.heal.healing.heal_events import (
    BatchAwaited,
    BatchSent,
    HealEvent,
    ItemTried,
    ProofBegan,
    RevertBegan,
    StepHealed,
    StepTried,
)
from git_retcon.show.counting import count
from git_retcon.show.durations import show_duration
from git_retcon.show.events import EngineChosen
from git_retcon.show.notices import engine_lines
from git_retcon.show.painted_diff import paint_diff
from git_retcon.show.style import Style, printable, write_line


class HealProgress:
    """Tells people on standard error."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._check = CheckProgress(style)

    def __call__(self, event: HealEvent) -> None:
        match event:
            case EngineChosen(_, description, hint):
                for line in engine_lines(description, hint):
                    self._write_line(line)
            case ItemTried(path, errors, attempt, how, reason, tokens, dollars):
                where = printable(path) or "(no file)"
                said = how or reason
                again = f", attempt {attempt}" if attempt > 1 else ""
                took = f" ({tokens:,} tokens, ${dollars:.4f})" if tokens else ""
                number = count(errors, "error")
                self._write_line(f"{where}: {number}{again}: {printable(said)}{took}")
            case StepTried(step, passed, left, seconds):
                word = self._style.good("passes now") if passed else f"{count(left, 'error')} left"
                self._write_line(f"{printable(step)}: {word} ({show_duration(seconds)})")
            case ProofBegan(files, jobs):
                changed = count(files, "changed file")
                self._write_line(f"proof: {count(jobs, 'job')} from the start, with {changed}")
            case StepHealed(step, _, patch):
                self._write_line(f"{printable(step)} passes with this; the proof is to come:")
                for line in paint_diff(patch.encode("utf-8", "replace"), self._style):
                    self._write_line(f"  {line}")
            case RevertBegan(run, commit, hunks):
                since = f"{count(hunks, 'hunk')} since check {run} ({shorten_id(commit)})"
                self._write_line(f"partial revert: which of {since} would have to go")
            case BatchSent(batch, requests, dollars):
                asked = f"{count(requests, 'request')}, at most ${dollars:.4f}"
                self._write_line(f"batch {batch}: {asked}; answers take an hour, or up to a day")
            case BatchAwaited(batch, done, requests):
                self._write_line(f"batch {batch}: {done} of {requests} answered")
            case _:
                self._check(event)

    def end_line(self) -> None:
        self._check.end_line()

    def _write_line(self, line: str) -> None:
        self.end_line()
        write_line(sys.stderr, line)
