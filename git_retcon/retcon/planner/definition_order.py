"""Which definition an atom needs: its uses, its other hunks, its old place, its variables.

Only names that are new with this difference count. A name that occurs anywhere in the old text of
a changed file could mean anything, and a wrong constraint does more harm than a missing one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.code.file_classes import FileClass
from git_retcon.code.languages.language import Content
from git_retcon.git.atoms import Kind
from git_retcon.retcon.planner.facts import Facts, Pair
from git_retcon.retcon.planner.vocabulary import FileWords, Vocabulary, find_words, index_words

# Files whose words are data: a word there is no use of a function of that name.
SHORTEST_NAME = 3  # i, id, fn: shorter names are used for everything
_MOST_DEFINERS = 3  # a name defined in more places is a convention (main, setUp, __init__)
_MOST_SHARED = 0.6  # of the lines of the shorter text: then a definition moved


class Bonds(NamedTuple):
    """``order``: the first of a pair comes no later than the second. ``together``: both stay in
    one commit, unless the source's commits say otherwise."""

    order: list[Pair]
    together: list[Pair]


def is_code(one: Facts) -> bool:
    """Whether an atom's words can be names that other code uses."""
    return one.language.content is Content.CODE and FileClass.GENERATED not in one.classes


def order_uses(facts: Sequence[Facts], words: Vocabulary) -> Iterator[Pair]:
    """A definition no later than its uses; a definition's removal no earlier than theirs."""
    defined = _index_definers(facts, [one.defines for one in facts], words.old)
    undefined = _index_definers(facts, [one.undefines for one in facts], words.new)
    bound = _bound_by_file(facts)
    for at, one in enumerate(facts):
        if not is_code(one):
            continue
        for definer, name in _find_meant(facts, at, words.added[at], defined):
            # another file's definition is not meant by a variable or parameter of that name
            if facts[definer].atom.path == one.atom.path or name not in bound[one.atom.path]:
                yield definer, at
        for remover, _ in _find_meant(facts, at, words.removed[at], undefined):
            yield at, remover


def _index_definers(
    facts: Sequence[Facts], names: Sequence[frozenset[str]], known: FileWords
) -> dict[str, list[int]]:
    """Name → the atoms that define it, for names that the other version does not know."""
    found: dict[str, list[int]] = {}
    for at, one in enumerate(facts):
        if is_code(one):
            for name in names[at]:
                if len(name) >= SHORTEST_NAME and name not in known.everywhere:
                    found.setdefault(name, []).append(at)
    return {name: held for name, held in found.items() if len(held) <= _MOST_DEFINERS}


def _find_meant(
    facts: Sequence[Facts], at: int, words: frozenset[str], definers: Mapping[str, Sequence[int]]
) -> Iterator[tuple[int, str]]:
    """The other atoms of the same language that define an atom's words, with the name."""
    for name in sorted(words & definers.keys()):
        for definer in definers[name]:
            if definer != at and facts[definer].language is facts[at].language:
                yield definer, name


def _bound_by_file(facts: Sequence[Facts]) -> Mapping[bytes, set[str]]:
    """The variables and parameters of each file."""
    found: dict[bytes, set[str]] = {}
    for one in facts:
        own = found.setdefault(one.atom.path, set())
        if not one.imports_only:
            # An import binds a name to the very definition that is looked for.
            own |= one.bindings
    return found


def bind_parts(facts: Sequence[Facts]) -> Bonds:
    """Hunks of one definition that comes or goes: with its first line, or not before it."""
    bonds = Bonds([], [])
    lines = [(at, one.atom) for at, one in enumerate(facts) if one.atom.kind is Kind.LINES]
    added = {at: range(atom.new.start, atom.new.stop) for at, atom in lines if len(atom.new)}
    removed = {at: range(atom.old.start, atom.old.stop) for at, atom in lines if not len(atom.new)}
    # a first line that replaces another is a definition renamed: its body was there before
    begun = [at for at in added if facts[at].defines and not facts[at].undefines]
    ended = [at for at in removed if facts[at].undefines and not facts[at].defines]
    for first, at, is_direct in _list_parts(facts, added, begun):
        bonds.order.append((first, at))
        if is_direct:
            bonds.together.append((first, at))
    for first, at, is_direct in _list_parts(facts, removed, ended):
        bonds.order.append((at, first))
        if is_direct:
            bonds.together.append((first, at))
    return bonds


def _list_parts(
    facts: Sequence[Facts], spans: Mapping[int, range], firsts: Sequence[int]
) -> Iterator[tuple[int, int, bool]]:
    """(the atom with a definition's first line, an atom in it, whether nothing is between them)."""
    begins = {(facts[at].atom.path, line): at for at in firsts for line in spans[at]}
    for at, span in spans.items():
        one = facts[at]
        for place, header in enumerate(one.headers):
            first = begins.get((one.atom.path, header), at)
            if first != at:
                yield first, at, place == 0 and header not in span


def bind_moves(facts: Sequence[Facts]) -> Bonds:
    """A definition that goes in one place and comes in another moves in one commit."""
    bonds = Bonds([], [])
    code = [at for at, one in enumerate(facts) if is_code(one)]
    comes = index_words(code, {at: facts[at].defines - facts[at].undefines for at in code})
    goes = index_words(code, {at: facts[at].undefines - facts[at].defines for at in code})
    for name in sorted(comes.keys() & goes.keys()):
        # With two places on one side it is open which of them moved where.
        if len(comes[name]) == len(goes[name]) == 1 and len(name) >= SHORTEST_NAME:
            to, away = comes[name][0], goes[name][0]
            # Added first: between the two commits there are two of it, and not none.
            bonds.order.append((to, away))
            new, old = _split_lines(facts[to].added), _split_lines(facts[away].removed)
            bonds.order.extend((to, user) for user in _find_between(facts, code, name, to, away))
            if len(new & old) >= _MOST_SHARED * min(len(new), len(old)):
                bonds.together.append((to, away))
    return bonds


def _find_between(
    facts: Sequence[Facts], code: Sequence[int], name: str, to: int, away: int
) -> Iterator[int]:
    """The atoms that use a definition behind its new place and before its old one: there it is
    defined only once it has moved."""
    new, old = facts[to].atom, facts[away].atom
    for at in code:
        atom = facts[at].atom
        is_between = atom.new.start >= new.new.stop and atom.old.stop <= old.old.start
        is_here = new.path == old.path == atom.path and at not in (to, away)
        if is_here and is_between and name in find_words(atom.added):
            yield at


def order_parameters(facts: Sequence[Facts], words: Vocabulary) -> Iterator[Pair]:
    """The first line of a definition that gets a parameter no later than what begins to use it."""
    heads: dict[tuple[bytes, str], list[int]] = {}
    for at, one in enumerate(facts):
        for name in one.defines if one.bindings - one.unbindings else ():
            heads.setdefault((one.atom.path, name), []).append(at)
    for at, one in enumerate(facts) if heads else ():
        for around in one.names:
            for head in heads.get((one.atom.path, around), ()):
                fresh = facts[head].bindings - facts[head].unbindings
                began = words.added[at] - words.removed[at] - one.bindings
                if head != at and fresh & began:
                    yield head, at


def _split_lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.split("\n") if line.strip())


def order_variables(facts: Sequence[Facts], words: Vocabulary) -> Iterator[Pair]:
    """What binds a variable no later than what uses it, in one definition or one around it; what
    unbinds it no earlier than the removal of its last use."""
    comes = [one.bindings for one in facts]
    yield from _list_binding_pairs(facts, comes, words.added, words.old)
    goes = [one.unbindings for one in facts]
    for unbinder, user in _list_binding_pairs(facts, goes, words.removed, words.new):
        yield user, unbinder


def _list_binding_pairs(
    facts: Sequence[Facts],
    bindings: Sequence[frozenset[str]],
    words: Sequence[frozenset[str]],
    known: FileWords,
) -> Iterator[Pair]:
    """(what binds, what uses) for names that one version of a file has and the other has not."""
    binders: dict[tuple[bytes, str], list[int]] = {}
    # Whole entries have no lines in which a variable could be bound.
    code = [at for at, one in enumerate(facts) if one.atom.kind is Kind.LINES and is_code(one)]
    for at in code:
        path = facts[at].atom.path
        for name in bindings[at] & words[at]:
            if not known.has(path, name):
                binders.setdefault((path, name), []).append(at)
    for at in code:
        # Sorted, so that pairs come in the same order on every run.
        for name in sorted(words[at] - bindings[at]):
            for binder in binders.get((facts[at].atom.path, name), ()):
                if binder != at and _is_visible(facts[binder], facts[at]):
                    yield binder, at


def _is_visible(binder: Facts, user: Facts) -> bool:
    """Whether the user is in the definition that the binder is in, or in one inside it."""
    around = binder.names
    # Names are innermost first, so the user's last ones are the definitions around both.
    return not around or user.names[-len(around) :] == around
