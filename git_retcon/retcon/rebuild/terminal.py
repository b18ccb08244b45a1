"""A run for people, line by line (reconstruction-loop.md, "Example Session")."""

from collections.abc import Iterator
from typing import TextIO

from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.retcon import events
from git_retcon.retcon.events import Event, Outcome
from git_retcon.retcon.rebuild.explanation import explain_hunk
from git_retcon.show.counting import count, some_of
from git_retcon.show.durations import show_duration
from git_retcon.show.notices import engine_lines, warning_lines
from git_retcon.show.status_line import StatusLine
from git_retcon.show.style import Style, printable, write_line

_DOING = {"add": "Adding", "drop": "Dropping", "take": "Taking", "leave": "Leaving"}
_STEPS = {"build": "Building", "test": "Tests", "setup": "Setting up"}

_MOST_NAMED = 5  # paths


class RunPrinter:
    """Writes each event as it happens."""

    def __init__(self, stream: TextIO, style: Style, *, verbose: bool = False) -> None:
        self._stream = stream
        self._style = style
        self._verbose = verbose
        self._status = StatusLine(stream)
        self._open = False
        self._is_explained = False

    def __call__(self, event: Event) -> None:
        match event:
            case events.StepStarted(step, _):
                self.end_line()
                self._stream.write(f"  {_STEPS[step]}... ")
                self._open = True
            case events.Trying(atoms, left):
                # Two dozen trials as lines of a log would bury what matters.
                left_builds = count(left, "build")
                self._status.draw(f"    Trying {count(atoms, 'hunk')} ({left_builds} left)...")
            case _:
                lines = list(self.lines(event))
                if lines and not isinstance(event, events.StepEnded):
                    self.end_line()
                self._open = self._open and not lines
                for line in lines:
                    write_line(self._stream, line)
        self._stream.flush()

    def end_line(self) -> None:
        """End a line that is open or redrawn, such as that of a step that has not ended."""
        if self._status.is_drawn:  # over the open line, if there was one
            self._status.clear()
        elif self._open:
            self._stream.write("\n")
        self._open = False

    def lines(self, event: Event) -> Iterator[str]:
        """The lines of one event."""
        match event:
            case events.EngineChosen(_, description, hint):
                yield from engine_lines(description, hint)
            case events.SpecLoaded(path, source, remote, cleaned, worktree):
                along = ", with what is not committed there" if worktree else ""
                yield f"Loading spec: {printable(path)}"
                yield f"  Source: {printable(source)}{along}"
                yield f"  Remote: {printable(remote)}"
                yield f"  Cleaned: {printable(cleaned)}"
                yield ""
            case events.BranchCreated(_, base):
                yield "Creating cleaned branch from merge-base..."
                yield f"  Base commit: {shorten_id(base, TO_READ)}"
                yield ""
            case events.CommitStarted(index, total, subject):
                title = f"Commit {index + 1}/{total}: {printable(subject)}"
                yield self._style.title(title)
            case events.ProvedAgain(index, total, _, subject):
                title = f"Commit {index + 1}/{total}: {printable(subject)}"
                yield f"{self._style.title(title)} (not proved by these commands yet)"
            case events.Stopped(index, total, path):
                yield ""
                yield f"Stopped at commit {index + 1}/{total}. See {printable(path)} for details."
            case events.Warned(message, hint):
                yield from warning_lines(message, hint, self._style)
            case _:
                yield from self._resume_lines(event)
                yield from self._hunk_lines(event)
                yield from self._commit_lines(event)
                yield from self._build_lines(event)

    def _resume_lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.Resuming(index, total, previously, summary, note):
                yield f"Resuming from commit {index + 1}/{total} (previously {previously})..."
                if summary:
                    yield from _wrap_text(f'  Stuck: "{summary}"')
                if note:
                    yield from _wrap_text(f'  Resolved: "{note}"')
                yield ""
            case events.Adopted(index, commit, subject, by_person):
                whose = "your" if by_person else "an unrecorded"
                yield (
                    f"Recording {whose} commit {shorten_id(commit, TO_READ)} "
                    f"in commit {index + 1}: {printable(subject)}"
                )
            case events.Rewound(index, to, previous, why):
                yield f"Rebuilding from commit {index + 1}: {why}"
                now, was = shorten_id(to, TO_READ), shorten_id(previous, TO_READ)
                yield f"  Branch moves back to {now}; it was at {was} (see its reflog)"
                yield ""

    def _hunk_lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.DiffComputed(lines, _):
                yield f"  Computing diff ({count(lines, 'line')})..."
            case events.Extracting():
                yield "  Extracting relevant changes..."
            case events.Extracted(atoms, unsure, left) if self._verbose or unsure:
                doubt = _count_unsure(unsure, atoms)
                advice = " (--explain says why)" if doubt and not self._is_explained else ""
                yield f"    {count(atoms, 'hunk')} taken{doubt}{advice}; {left} left"
            case events.Explained(_, remarks, hunks):
                self._is_explained = True
                yield from (self._style.faint(f"    {printable(remark)}") for remark in remarks)
                for hunk in hunks:
                    yield from (f"  {line}" for line in explain_hunk(hunk, self._style))
            case events.LeftUncommitted(hunks, paths):
                named = printable(some_of(paths, _MOST_NAMED))
                yield f"Leaving {count(hunks, 'hunk')} uncommitted: {named}"
                yield ""
            case events.NothingLeft(subject, left):
                what = f"none of the {count(left, 'hunk')} left is" if left else "nothing is left"
                yield f"{self._style.warn('warning:')} {what} for '{printable(subject)}'"

    def _commit_lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.CommitCreating(wip):
                yield "    Creating WIP commit..." if wip else "  Creating commit..."
            case events.NothingToDo(branch):
                yield f"Nothing to do: '{printable(branch)}' has every commit already"
                yield ""
            case events.Folded(wips):
                what = count(wips, "WIP fix commit") if wips else "nothing: there is no WIP commit"
                yield f"Folding {what}"
                yield ""
            case events.CommitDone(_, wips):
                extra = f" ({wips} WIP)" if wips else ""
                yield self._style.good(f"  ✓ Commit created{extra}")
                yield ""

    def _build_lines(self, event: Event) -> Iterator[str]:
        match event:
            case events.StepEnded(_, outcome, cause, seconds, cached):
                yield self._format_verdict(outcome, cause, seconds, cached=cached)
            case events.Confined(_, description):
                yield f"  {printable(description)}"
            case events.Output(_, text) if self._verbose:
                yield from (f"    | {printable(line)}" for line in text.splitlines())
            case events.Assessing():
                yield ""
                yield "  Assessing progress..."
            case events.Fixing(attempt, what):
                yield f"  Fix attempt {attempt}:"
                yield "    Consulting diff for missing pieces..."
                yield f"    {printable(_begin_sentence(what))}..."
            case events.GaveUp(_, engine, summary, path):
                yield from _wrap_text(f'  {engine}: "I\'m stuck. {summary}"')
                yield ""
                yield "  Appending Stuck to history..."
                yield f"  Saving {printable(path)}..."

    def _format_verdict(self, outcome: Outcome, cause: str, seconds: float, *, cached: bool) -> str:
        word = outcome.name
        painted = self._style.good(word) if outcome is Outcome.PASS else word
        if outcome is Outcome.FAIL:
            painted = self._style.bad(word)
        detail = f" ({printable(cause)})" if cause else ""
        timing = " (known)" if cached else f" ({show_duration(seconds)})"
        return painted + detail + (timing if self._verbose and not detail else "")


def _count_unsure(number: int, of: int) -> str:
    """How many of the hunks are unsure, to put behind their number."""
    if not number:
        return ""
    some = "" if of == 1 else "all of them " if number == of else f"{number} of them "
    return f", {some}unsure"


def _begin_sentence(what: str) -> str:
    """ "add x from y" in the words of the example session: "Adding x from y"."""
    verb, _, rest = what.partition(" ")
    return f"{_DOING[verb]} {rest}" if verb in _DOING else what


def _wrap_text(text: str) -> Iterator[str]:
    import textwrap

    lines = printable(text).splitlines()
    for number, line in enumerate(lines):
        indent = "  " if number == 0 else "       "
        yield from textwrap.wrap(
            line.strip(), 78, initial_indent=indent, subsequent_indent="       "
        ) or [""]
