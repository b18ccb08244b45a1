"""Hunks divided by the lines that a person or a model names (``1f3a…:1-22``).

A hunk is cut at both ends of every part that is named, so the parts and what is left of the hunk
are hunks themselves: any subset of them applies, and all of them make the source. Their ids are
the hunk's, which is made of content, with their own lines behind it.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from git_retcon.git.atoms import Atom, Kind, Span
from git_retcon.git.difference import Difference
from git_retcon.retcon.branch.hunk_cutter import HunkCutter, UnusablePart
from git_retcon.retcon.spec.hunk_parts import (
    HunkId,
    Lines,
    find_hunks,
    is_hunk_id,
    join_numbers,
    name_whole,
    read_hunk_id,
)
from git_retcon.show.counting import some_of

_MOST_NAMED = 5


def divide_hunks(difference: Difference, ids: Iterable[str]) -> Difference:
    """The same difference with the hunks cut as some ids ask for.

    Ids of whole hunks, and of parts that cannot be had, change nothing: ``read_part`` says why.
    """
    wanted = _collect_parts(difference, ids)
    if not wanted:
        return difference
    atoms: list[Atom] = []
    for hunk, tiles in _group_tiles(difference):
        if hunk in wanted:
            cutter = _make_cutter(difference, hunk, tiles)
            for part in wanted[hunk]:
                cutter.try_part(part)
            atoms += cutter.list_tiles()
        else:
            atoms += tiles
    if len(atoms) == len(difference.atoms):
        return difference
    return replace(difference, atoms=tuple(atoms))


def read_part(difference: Difference, text: str) -> Atom:
    """The hunk, or the part of one, that an id names, as one atom.

    Raises UnusablePart where no hunk or several begin so, and where the part would break a
    statement.
    """
    part, groups = read_hunk_id(text), dict(_group_tiles(difference))
    found = find_hunks(part.hunk, list(groups))
    if len(found) != 1:
        what = "several hunks begin" if found else "no hunk begins"
        raise UnusablePart(
            f"{what} with '{part.hunk}'",
            hint="'git retcon hunks' lists them",
            commands=[["git", "retcon", "hunks"]],
        )
    (hunk,) = found
    if not part.lines:
        return _join_tiles(difference, hunk, groups[hunk])
    cutter = _make_cutter(difference, hunk, groups[hunk])
    cutter.add_part(part._replace(hunk=hunk))
    return cutter.make_part(part)


def find_part(difference: Difference, text: str) -> tuple[Atom, Atom]:
    """The hunk, or the part of one, that an id names; and the atom of the difference that has its
    lines, perhaps with others.

    Raises UnusablePart as ``read_part`` does, and where several atoms have them.
    """
    named = read_part(difference, text)
    numbers = number_lines(named)
    whole = name_whole(named.id)
    owners = [
        atom
        for atom in difference.atoms
        if atom is named or (name_whole(atom.id) == whole and number_lines(atom) & numbers)
    ]
    if len(owners) > 1:
        ids = some_of([each.id for each in owners], _MOST_NAMED)
        raise UnusablePart(
            f"hunk '{text}' is divided: {ids}",
            hint="name one of these parts",
            commands=[["git", "retcon", "show", owners[0].id]],
        )
    return named, owners[0]


def list_borders(difference: Difference, hunk: str) -> Sequence[int]:
    """The lines of a whole hunk, by its id, behind which it may be cut."""
    return _make_cutter(difference, hunk, dict(_group_tiles(difference))[hunk]).borders


def carry_division(before: Difference, after: Difference) -> Difference:
    """Divide a difference to the same target as an earlier one was, with the same ids.

    What the branch holds may differ by then; parts that it changed are not found again.
    """
    parts = [atom for atom in before.atoms if ":" in atom.id]
    if not parts:
        return after
    divided = divide_hunks(after, _name_carried(parts, after))
    ids = {old: new for part in parts for old, new in _rename_inside(part, divided)}
    atoms = (replace(atom, id=ids.get(atom.id, atom.id)) for atom in divided.atoms)
    return replace(divided, atoms=tuple(atoms))


def _rename_inside(part: Atom, divided: Difference) -> Iterator[tuple[str, str]]:
    """The ids of the atoms that make up a part, with those that they have in its hunk.

    What was one statement with its neighbours may be cut further without them.
    """
    inside = [
        atom
        for atom in divided.atoms
        if atom.path == part.path
        and atom.kind is Kind.LINES
        and part.new.start <= atom.new.start
        and atom.new.stop <= part.new.stop
    ]
    removed = tuple(line for atom in inside for line in atom.removed)
    added = tuple(line for atom in inside for line in atom.added)
    if (removed, added) != (part.removed, part.added):
        return
    numbers = sorted(number_lines(part))
    gone, come = iter(numbers[: len(removed)]), iter(numbers[len(removed) :])
    for atom in inside:
        own = [*itertools.islice(gone, len(atom.removed))]
        own += itertools.islice(come, len(atom.added))
        yield atom.id, str(HunkId(name_whole(part.id), join_numbers(own)))


def cover_atoms(part: HunkId, atoms: Sequence[Atom]) -> list[str]:
    """The ids of those atoms of one hunk, divided or not, whose lines a part of it has."""
    return [atom.id for atom in atoms if all(map(part.holds, number_lines(atom)))]


def number_lines(atom: Atom) -> frozenset[int]:
    """The numbers that the lines of an atom have in its whole hunk."""
    return _read_tile(atom).numbers


def _group_tiles(difference: Difference) -> Iterator[tuple[str, Sequence[Atom]]]:
    """The id of each whole hunk, with its parts in order."""
    for hunk, group in itertools.groupby(difference.atoms, key=lambda atom: name_whole(atom.id)):
        yield hunk, list(group)


def _make_cutter(difference: Difference, hunk: str, tiles: Sequence[Atom]) -> HunkCutter:
    """A cutter that has made the parts that are there."""
    whole = _join_tiles(difference, hunk, tiles)
    cutter = HunkCutter(whole, difference.texts.get(whole.path))
    for tile in tiles if len(tiles) > 1 else ():
        cutter.try_part(_read_tile(tile))
    return cutter


def _name_carried(parts: Sequence[Atom], after: Difference) -> Iterator[str]:
    """The target stays, so the borders among its lines are where they were."""
    for atom in after.atoms:
        for part in parts:
            start = max(atom.new.start, part.new.start)
            stop = min(atom.new.stop, part.new.stop)
            if part.path == atom.path and atom.kind is Kind.LINES and start < stop:
                behind = len(atom.removed) - atom.new.start
                # What is removed goes with what is added first.
                first = start + behind + 1 if start > atom.new.start else 1
                yield str(HunkId(atom.id, (Lines(first, stop + behind),)))


def _read_tile(atom: Atom) -> HunkId:
    """The lines of an atom in its whole hunk."""
    if ":" in atom.id:
        return read_hunk_id(atom.id)
    return HunkId(atom.id, (Lines(1, len(atom.removed) + len(atom.added)),))


def _collect_parts(difference: Difference, ids: Iterable[str]) -> Mapping[str, list[HunkId]]:
    """The parts that are named, by the whole id of their hunk."""
    parts = [read_hunk_id(each) for each in ids if ":" in each and is_hunk_id(each)]
    wholes = list({name_whole(atom.id): None for atom in difference.atoms}) if parts else []
    found: dict[str, list[HunkId]] = {}
    for part in parts:
        meant = find_hunks(part.hunk, wholes)
        if len(meant) == 1:
            found.setdefault(meant[0], []).append(part._replace(hunk=meant[0]))
    return found


def _join_tiles(difference: Difference, hunk: str, tiles: Sequence[Atom]) -> Atom:
    """The whole hunk that these, all of its parts in order, make."""
    first, last = tiles[0], tiles[-1]
    if len(tiles) == 1:
        return first
    text = difference.texts[first.path]
    old, new = Span(first.old.start, last.old.stop), Span(first.new.start, last.new.stop)
    return replace(
        first,
        id=hunk,
        old=old,
        new=new,
        removed=text.old[old.start : old.stop],
        added=text.new[new.start : new.stop],
    )
