"""A plan written as a sheet."""

import itertools
from collections.abc import Iterator, Sequence

from git_retcon.git.atoms import Atom
from git_retcon.retcon.editing.sheet import GUIDE, NOBODY, comment_lines, heading_line
from git_retcon.retcon.engine import UNSURE
from git_retcon.retcon.events import PlacedHunk
from git_retcon.retcon.rebuild.dry_run import Plan
from git_retcon.retcon.rebuild.explanation import describe_hunk
from git_retcon.show.counting import count
from git_retcon.show.style import clip_text, printable

_WIDTH = 100


def draw_sheet(plan: Plan, name: str, *, diffs: bool) -> str:
    """The text for the editor; ``diffs`` adds the lines of each hunk as comments."""
    lines = list(_draw_lines(plan, name, diffs=diffs))
    return "\n".join(lines) + "\n" + GUIDE


def _draw_lines(plan: Plan, name: str, *, diffs: bool) -> Iterator[str]:
    atoms = plan.position.difference.atoms
    placed = [(atom, *plan.place(atom.id)) for atom in atoms]
    commits = plan.spec.commits
    doubts = sum(sure is not None and sure < UNSURE for *_, sure in placed)
    yield (
        f"# {printable(name)}: {count(len(commits), 'commit')}, {count(len(atoms), 'hunk')}, "
        f"{doubts:,} in doubt"
    )
    for at, commit in enumerate(commits):
        own = [(atom, sure) for atom, place, _, sure in placed if place == at]
        added, removed = (sum(len(getattr(atom, side)) for atom, _ in own) for side in _SIDES)
        yield ""
        yield heading_line(at, printable(commit.subject), added, removed)
        yield from _draw_hunks(own, diffs=diffs)
    nobodys = [(atom, None) for atom, place, *_ in placed if place is None]
    if nobodys:
        yield from ("", NOBODY)
        yield from _draw_hunks(nobodys, diffs=diffs)


_SIDES = ("added", "removed")


def _draw_hunks(own: Sequence[tuple[Atom, float | None]], *, diffs: bool) -> Iterator[str]:
    """The doubtful hunks, then the others file by file."""
    doubtful = [atom for atom, sure in own if sure is not None and sure < UNSURE]
    for atom in doubtful:
        yield from _draw_hunk(atom, "?", diffs=diffs)
    rest = [atom for atom, sure in own if sure is None or sure >= UNSURE]
    for _, group in itertools.groupby(rest, key=lambda atom: atom.path):
        for atom in group:
            yield from _draw_hunk(atom, " ", diffs=diffs)


def _draw_hunk(atom: Atom, mark: str, *, diffs: bool) -> Iterator[str]:
    hunk = describe_hunk(atom)
    line = f"  {mark} {atom.id}  {_place_hunk(hunk)}  +{hunk.added} -{hunk.removed}"
    first = _first_line(atom)
    yield clip_text(f"{line}  | {first}" if first else line, _WIDTH)
    if diffs:
        yield from comment_lines(
            [
                sign + printable(each.decode("utf-8", "backslashreplace").rstrip("\r\n"))
                for sign, side in (("-", atom.removed), ("+", atom.added))
                for each in side
            ]
        )


def _place_hunk(hunk: PlacedHunk) -> str:
    where = f"{hunk.path} {hunk.change}" if hunk.change else f"{hunk.path}:{hunk.line}"
    return f"{where} {printable(hunk.scope)}" if hunk.scope else where


def _first_line(atom: Atom) -> str:
    """The first changed line that is not blank."""
    lines = (
        each.decode("utf-8", "backslashreplace").strip() for each in (*atom.added, *atom.removed)
    )
    return printable(next((line for line in lines if line), ""))
