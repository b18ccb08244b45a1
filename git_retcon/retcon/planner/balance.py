"""Changes that only make sense together although unchanged lines stand between them: one opens a
bracket or a string that the other closes, or one brings the head that the other's body hangs from.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Blocks
from git_retcon.code.lexer import LineStates, scan_lines
from git_retcon.code.outlines import read_outline
from git_retcon.git.atoms import FileText, Kind
from git_retcon.retcon.planner.facts import Facts


def unbalanced(
    facts: Sequence[Facts], texts: Mapping[bytes, FileText]
) -> Iterator[tuple[int, int]]:
    """Pairs of atoms, by position, between which the two versions are not equally deep.

    A stretch that is never balanced again says that the file was misread: it binds nothing.
    """
    by_path: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        if one.atom.kind is Kind.LINES:
            by_path.setdefault(one.atom.path, []).append(at)
    for path, atoms in by_path.items():
        text = texts[path]
        if len(atoms) > 1 and not text.is_new and not text.is_deleted:
            language = language_of(path)
            old, new = scan_lines(text.old, language), scan_lines(text.new, language)
            yield from _bound(facts, atoms, old, new)
            if language.blocks is Blocks.INDENT and language.brackets:
                yield from _rehung(facts, atoms, text)


def _rehung(
    facts: Sequence[Facts], atoms: Sequence[int], text: FileText
) -> Iterator[tuple[int, int]]:
    """Where unchanged lines hang from another head than before: its removal and its coming."""
    language = language_of(text.path)
    old, new = read_outline(text.old, language), read_outline(text.new, language)
    goes: dict[int, int] = {}
    comes: dict[int, int] = {}
    for at in atoms:
        atom = facts[at].atom
        goes.update(dict.fromkeys(range(atom.old.start, atom.old.stop), at))
        comes.update(dict.fromkeys(range(atom.new.start, atom.new.stop), at))
    found: set[tuple[int, int]] = set()
    b = 0
    for a in range(len(text.old)):
        if a in goes:
            continue
        while b in comes:
            b += 1
        one, two = goes.get(old.above(a)), comes.get(new.above(b))
        if one is not None and two is not None and one != two and text.old[a].strip():
            found.add((min(one, two), max(one, two)))
        b += 1
    yield from sorted(found)


def _bound(
    facts: Sequence[Facts], atoms: Sequence[int], old: LineStates, new: LineStates
) -> Iterator[tuple[int, int]]:
    waiting: list[int] = []
    for at, following in zip(atoms, [*atoms[1:], None], strict=True):
        atom = facts[at].atom
        is_last = following is None or _apart(facts, at, following)
        if not is_last:
            continue  # pieces of one run: only its end stands before unchanged lines
        waiting.append(at)
        a, b = atom.old.stop, atom.new.stop
        if old.depth[a] == new.depth[b] and old.is_open[a] == new.is_open[b]:
            yield from itertools.pairwise(waiting)
            waiting = []


def _apart(facts: Sequence[Facts], at: int, following: int) -> bool:
    """Whether unchanged lines stand between two atoms."""
    one, two = facts[at].atom, facts[following].atom
    return one.old.stop < two.old.start or one.new.stop < two.new.start
