"""A plan as people read it: commit, file, definitions, and the hunks that are in doubt."""

import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.short_ids import shorten_id
from git_retcon.retcon.engine import UNSURE, Choice
from git_retcon.retcon.events import PlacedHunk
from git_retcon.retcon.rebuild.dry_run import Plan
from git_retcon.retcon.rebuild.explanation import hunk_line, place_hunks, show_patch
from git_retcon.show.counting import count
from git_retcon.show.style import Style, clip_text, printable

_MOST_SCOPES = 4  # named behind a file; more of them say less than their number
_INDENT = 6


class Detail(NamedTuple):
    """What is shown beside commits and files: the text of each hunk, its reason."""

    patch: bool = False
    reasons: bool = False


class PlanView(NamedTuple):
    """One plan for one terminal. ``columns`` is the width that reasons are wrapped to."""

    plan: Plan
    style: Style
    detail: Detail
    columns: int
    asks: bool = True  # whether to name the command that asks about doubts

    def lines(self) -> Iterator[str]:
        """The plan, a line at a time."""
        plan = self.plan
        for index in plan.choices:
            yield from self._show_commit(index, plan.choices[index])
        if not (plan.choices or plan.leftover or plan.folds):
            yield "Nothing is left to plan."
        yield from self._show_leftover()
        yield from self._show_folds()
        yield from self._count_doubtful()

    def commit_lines(self, index: int) -> Iterator[str]:
        """One commit: what it would take, or what it holds where it is built already."""
        choice = self.plan.choices.get(index)
        if choice is not None:
            yield from self._show_commit(index, choice)
            return
        built = self.plan.spec.commits[index].commits
        yield from self._show_commit(index, self.plan.find_built(index))
        if built:
            yield f"Built already: 'git show {' '.join(map(shorten_id, built))}'"

    def _show_commit(self, index: int, choice: Choice) -> Iterator[str]:
        hunks = self._list_hunks(choice)
        size = f"  {_count_lines(hunks)}" if hunks else ""
        yield self.style.title(self._make_title(index)) + size
        if self.detail.reasons:
            yield from (self.style.faint(f"  {printable(remark)}") for remark in choice.remarks)
        yield from (self.style.warn(f"  {printable(warning)}") for warning in choice.warnings)
        width = max((len(hunk.path) for hunk in hunks), default=0)
        for path, own in itertools.groupby(hunks, key=lambda hunk: hunk.path):
            yield from self._show_file(path, list(own), width)
        if not hunks:
            yield "  nothing"
        yield ""

    def _show_file(self, path: str, hunks: Sequence[PlacedHunk], width: int) -> Iterator[str]:
        mark = self.style.warn("?") if any(map(_is_doubtful, hunks)) else " "
        what = _name_contents(hunks)
        line = f"{path:{width}}  {_count_lines(hunks):9} {what}".rstrip()
        yield f"{mark} {clip_text(line, self.columns - 2)}"
        for hunk in hunks:
            if _is_doubtful(hunk) or self.detail != Detail():
                yield from self._show_hunk(hunk)

    def _show_hunk(self, hunk: PlacedHunk) -> Iterator[str]:
        mark = self.style.warn("?") if _is_doubtful(hunk) else " "
        sure = f"  {hunk.confidence:.0%}" if hunk.confidence is not None else ""
        yield f"    {mark} {hunk_line(hunk)}{sure}"
        if self.detail.reasons and hunk.why is not None:
            yield from (self.style.faint(line) for line in self._wrap_text(printable(hunk.why)))
        if self.detail.patch:
            atom = self.plan.position.difference[hunk.id]
            yield from show_patch(atom, self.style, indent=_INDENT)

    def _wrap_text(self, text: str) -> Iterator[str]:
        indent = " " * _INDENT
        yield from textwrap.wrap(
            text,
            max(self.columns, _INDENT + 20),
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )

    def _show_leftover(self) -> Iterator[str]:
        leftover = self.plan.leftover
        if leftover:
            yield self.style.warn(f"Left over, in no commit: {count(len(leftover), 'hunk')}")
            everything = Choice(frozenset(atom.id for atom in leftover))
            yield from (f"  {hunk_line(hunk)}" for hunk in self._list_hunks(everything))

    def _show_folds(self) -> Iterator[str]:
        folds: Mapping[int, int] = self.plan.folds
        if folds:
            yield f"Folds {count(sum(folds.values()), 'WIP commit')} at the end:"
            for index, wips in folds.items():
                yield f"  {self._make_title(index)} ({wips} WIP)"

    def _count_doubtful(self) -> Iterator[str]:
        choices = self.plan.choices.values()
        reasons = [reason for choice in choices for reason in choice.reasons.values()]
        doubtful = sum(reason.confidence < UNSURE for reason in reasons)
        if doubtful:
            yield f"{doubtful:,} of {count(len(reasons), 'hunk')} in doubt, marked with ?"
            if self.asks:
                yield "'git retcon review' asks about those that matter"

    def _make_title(self, index: int) -> str:
        commits = self.plan.spec.commits
        return f"Commit {index + 1}/{len(commits)}: {printable(commits[index].subject)}"

    def _list_hunks(self, choice: Choice) -> tuple[PlacedHunk, ...]:
        return place_hunks(self.plan.position.difference.atoms, choice)


def _is_doubtful(hunk: PlacedHunk) -> bool:
    return hunk.confidence is not None and hunk.confidence < UNSURE


def _count_lines(hunks: Sequence[PlacedHunk]) -> str:
    return f"+{sum(hunk.added for hunk in hunks)} -{sum(hunk.removed for hunk in hunks)}"


def _name_contents(hunks: Sequence[PlacedHunk]) -> str:
    """What of a file is in a commit: definitions, and what is no lines."""
    scopes = dict.fromkeys(printable(hunk.scope) for hunk in hunks if hunk.scope)
    changes = dict.fromkeys(hunk.change for hunk in hunks if hunk.change)
    names = [*changes, *scopes]
    more = [f"{len(names) - _MOST_SCOPES} more"] if len(names) > _MOST_SCOPES else []
    return ", ".join([*names[:_MOST_SCOPES], *more])
