"""Changes that only make sense together although unchanged lines are between them.

One opens a bracket or a string that the other closes; or one adds the line that heads a block of
unchanged lines, and the other removes the line that headed it before.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.languages.language import Blocks
from git_retcon.code.lexer import LineStates
from git_retcon.code.versions import Version, read_version
from git_retcon.git.atoms import FileText, Kind
from git_retcon.retcon.planner.facts import Facts, Pair


def pair_unbalanced(facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> Iterator[Pair]:
    """Pairs of atoms, by position, between which the two versions are not equally deep.

    A stretch that is never balanced again says that the file was misread: it binds nothing.
    """
    by_path: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        if one.atom.kind is Kind.LINES:
            by_path.setdefault(one.atom.path, []).append(at)
    for path, atoms in by_path.items():
        text = texts[path]
        # A new file has no unchanged lines that a bracket could go wrong around; its cuts are
        # balanced.
        if len(atoms) > 1 and not text.is_new and not text.is_deleted:
            old, new = read_version(path, text.old), read_version(path, text.new)
            yield from _pair_depths(facts, atoms, old.states, new.states)
            # Prose is indented too, but nothing fails to parse there.
            if old.language.blocks is Blocks.INDENT and old.language.brackets:
                yield from _pair_block_heads(facts, atoms, old, new)


def _pair_block_heads(
    facts: Sequence[Facts], atoms: Sequence[int], old: Version, new: Version
) -> Iterator[Pair]:
    """Where unchanged lines have another head than before: what removes it and what adds it."""
    goes: dict[int, int] = {}
    comes: dict[int, int] = {}
    for at in atoms:
        atom = facts[at].atom
        goes.update(dict.fromkeys(range(atom.old.start, atom.old.stop), at))
        comes.update(dict.fromkeys(range(atom.new.start, atom.new.stop), at))
    found: set[Pair] = set()
    b = 0
    for a, line in enumerate(old.lines):
        if a in goes:
            continue
        # Skips what was added, so that a and b are the same unchanged line in both versions.
        while b in comes:
            b += 1
        one, two = goes.get(old.outline.above(a)), comes.get(new.outline.above(b))
        if one is not None and two is not None and one != two and line.strip():
            found.add((min(one, two), max(one, two)))
        b += 1
    yield from sorted(found)


def _pair_depths(
    facts: Sequence[Facts], atoms: Sequence[int], old: LineStates, new: LineStates
) -> Iterator[Pair]:
    """The atoms from one that changes the depth to the one that restores it."""
    waiting: list[int] = []
    for at, following in zip(atoms, [*atoms[1:], None], strict=True):
        atom = facts[at].atom
        is_last = following is None or _are_apart(facts, at, following)
        if not is_last:
            continue  # atoms of one run: only the last is followed by unchanged lines
        waiting.append(at)
        a, b = atom.old.stop, atom.new.stop
        if old.depth[a] == new.depth[b] and old.is_open[a] == new.is_open[b]:
            yield from itertools.pairwise(waiting)
            waiting = []


def _are_apart(facts: Sequence[Facts], at: int, following: int) -> bool:
    """Whether unchanged lines are between two atoms."""
    one, two = facts[at].atom, facts[following].atom
    return one.old.stop < two.old.start or one.new.stop < two.new.start
