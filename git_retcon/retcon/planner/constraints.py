"""The constraints that the text itself puts on the planner's order: who defines, who uses what.

Only names that are new with this difference count (a name that stood anywhere in the old text of
a changed file could be anything), so that a constraint is seldom false.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from git_retcon.code.file_classes import FileClass
from git_retcon.code.languages.language import Content
from git_retcon.files.lockfiles import manifests_of
from git_retcon.git.atoms import FileText, Kind
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.balance import unbalanced
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.heads import heads

_WORD = re.compile(rb"[A-Za-z_]\w*")
_IN_WORD = re.compile(rb"\w")
_SHORTEST = 3
_MOST_DEFINERS = 3
_MOST_SHARED = 0.6


@dataclass(frozen=True)
class Structure:
    """What binds atoms to one another, by their position in the difference.

    ``before`` holds pairs (a, b): a comes no later than b. ``together`` are pairs that stay in one
    commit unless the source's commits say otherwise, ``inseparable`` whatever they say. ``imports``
    maps an import line to what first uses it, and the head of a new file to its other pieces;
    ``unimports`` a removed import to the last uses removed. ``locks`` maps a lock file's piece to
    its manifest's.
    """

    before: list[tuple[int, int]] = field(default_factory=list)
    together: list[tuple[int, int]] = field(default_factory=list)
    inseparable: list[tuple[int, int]] = field(default_factory=list)
    imports: dict[int, list[int]] = field(default_factory=dict)
    unimports: dict[int, list[int]] = field(default_factory=dict)
    locks: dict[int, list[int]] = field(default_factory=dict)


def structure_of(facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> Structure:
    """Read every constraint; linear in the text of the changed files."""
    found = Structure()
    words = _Words(facts, texts)
    _uses(found, facts, words)
    _files(found, facts, texts, words)
    _pieces(found, facts)
    found.inseparable.extend(unbalanced(facts, texts))
    _moves(found, facts)
    _imports(found, facts, words)
    _heads(found, facts, texts)
    _variables(found, facts, words)
    _locks(found, facts)
    return found


class _Words:
    """The words of every atom, and of both versions of every changed file as they are asked for."""

    def __init__(self, facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> None:
        self.added = [frozenset(WORD.findall(one.added)) for one in facts]
        self.removed = [frozenset(WORD.findall(one.removed)) for one in facts]
        self.old = _Versions({path: text.old for path, text in texts.items()})
        self.new = _Versions({path: text.new for path, text in texts.items()})


class _Versions:
    """One version of every changed file."""

    def __init__(self, lines: Mapping[bytes, Sequence[bytes]]) -> None:
        self._lines = lines
        self._joined: tuple[bytes, bytes] = b"", b""

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All the words of all the files."""
        return frozenset().union(*map(_words_of, self._lines.values()))

    def mentions(self, path: bytes, name: str) -> bool:
        """Whether a name stands in one file, which is not taken apart for it."""
        if self._joined[0] != path:
            self._joined = path, b"".join(self._lines.get(path, ()))
        text, word = self._joined[1], name.encode("utf-8", "replace")
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            if not _IN_WORD.match(text[at - 1 : at]) and not _IN_WORD.match(text[end : end + 1]):
                return True
            at = text.find(word, at + 1)
        return False


def _words_of(lines: Iterable[bytes]) -> frozenset[str]:
    found = set(_WORD.findall(b"".join(lines)))
    return frozenset(word.decode("utf-8", "replace") for word in found)


def _is_code(one: Facts) -> bool:
    return one.language.content is Content.CODE and FileClass.GENERATED not in one.classes


def _holders(
    facts: Sequence[Facts], names: Sequence[frozenset[str]], known: _Versions
) -> dict[str, list[int]]:
    """Name → the atoms that define it, for names that are not otherwise known."""
    found: dict[str, list[int]] = {}
    for at, one in enumerate(facts):
        if _is_code(one):
            for name in names[at]:
                if len(name) >= _SHORTEST and name not in known.words:
                    found.setdefault(name, []).append(at)
    return {name: held for name, held in found.items() if len(held) <= _MOST_DEFINERS}


def _uses(found: Structure, facts: Sequence[Facts], words: _Words) -> None:
    """A definition no later than its uses; a definition's removal no earlier than theirs."""
    defined = _holders(facts, [one.defines for one in facts], words.old)
    undefined = _holders(facts, [one.undefines for one in facts], words.new)
    own = _own_names(facts)
    for at, one in enumerate(facts):
        if not _is_code(one):
            continue
        for name in sorted(words.added[at] & defined.keys()):
            for holder in defined[name]:
                if holder == at or facts[holder].language is not one.language:
                    continue
                if facts[holder].atom.path == one.atom.path or name not in own[one.atom.path]:
                    found.before.append((holder, at))
        for name in sorted(words.removed[at] & undefined.keys()):
            for holder in undefined[name]:
                if holder != at and facts[holder].language is one.language:
                    found.before.append((at, holder))


def _own_names(facts: Sequence[Facts]) -> Mapping[bytes, set[str]]:
    """The variables and parameters of each file: no other file's definition is meant by them."""
    found: dict[bytes, set[str]] = {}
    for one in facts:
        own = found.setdefault(one.atom.path, set())
        if not one.imports_only:
            own |= one.bindings
    return found


def _files(
    found: Structure, facts: Sequence[Facts], texts: Mapping[bytes, FileText], words: _Words
) -> None:
    """A new file's first piece no later than a line that imports it by its name."""
    firsts: dict[str, int] = {}
    for at, one in enumerate(facts):
        text = texts.get(one.atom.path)
        is_new = (text is not None and text.is_new) or one.atom.kind in (Kind.RENAME, Kind.ADD)
        base = one.atom.path.rpartition(b"/")[2].partition(b".")[0].decode("utf-8", "replace")
        if is_new and _is_code(one) and len(base) >= _SHORTEST and base not in firsts:
            firsts[base] = at
    for at, one in enumerate(facts):
        imports = one.language.imports
        if not firsts or imports is None or not _is_code(one):
            continue
        lines = [line for line in one.atom.added if imports.match(line)]
        for name in sorted(_words_of(lines) & firsts.keys() if lines else ()):
            if facts[firsts[name]].atom.path != one.atom.path:
                found.before.append((firsts[name], at))


def _pieces(found: Structure, facts: Sequence[Facts]) -> None:
    """Pieces of one definition that comes or goes: with its first line, or not before it."""
    for is_new in (True, False):
        begins: dict[tuple[bytes, int], int] = {}
        for at, one in enumerate(facts):
            span = one.atom.new if is_new else one.atom.old
            if one.atom.kind is Kind.LINES and bool(len(one.atom.new)) == is_new:
                # a first line that replaces another is a definition renamed: its body was there
                renamed = one.defines and one.undefines
                if (one.defines if is_new else one.undefines) and not renamed:
                    for line in range(span.start, span.stop):
                        begins[one.atom.path, line] = at
        for at, one in enumerate(facts):
            if one.atom.kind is Kind.LINES and bool(len(one.atom.new)) == is_new:
                _piece(found, one, at, begins, is_new)


def _piece(
    found: Structure,
    one: Facts,
    at: int,
    begins: Mapping[tuple[bytes, int], int],
    is_new: bool,
) -> None:
    span = one.atom.new if is_new else one.atom.old
    for place, header in enumerate(one.headers):
        holder = begins.get((one.atom.path, header), at)
        if holder == at:
            continue
        found.before.append((holder, at) if is_new else (at, holder))
        own = one.headers[0] in range(span.start, span.stop)
        if place == 0 and not own:
            found.together.append((holder, at))


def _moves(found: Structure, facts: Sequence[Facts]) -> None:
    """A definition that goes in one place and comes in another moves in one commit."""
    comes: dict[str, list[int]] = {}
    goes: dict[str, list[int]] = {}
    for at, one in enumerate(facts):
        if _is_code(one):
            for name in one.defines - one.undefines:
                comes.setdefault(name, []).append(at)
            for name in one.undefines - one.defines:
                goes.setdefault(name, []).append(at)
    for name in sorted(comes.keys() & goes.keys()):
        if len(comes[name]) == len(goes[name]) == 1 and len(name) >= _SHORTEST:
            to, away = comes[name][0], goes[name][0]
            found.before.append((to, away))
            new, old = _lines(facts[to].added), _lines(facts[away].removed)
            if len(new & old) >= _MOST_SHARED * min(len(new), len(old)):
                found.together.append((to, away))


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.split("\n") if line.strip())


def _imports(found: Structure, facts: Sequence[Facts], words: _Words) -> None:
    """Import lines with the first use of what they bring, in the same file."""
    by_file: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        if one.atom.kind is Kind.LINES and _is_code(one):
            by_file.setdefault(one.atom.path, []).append(at)
    for atoms in by_file.values():
        lines = [at for at in atoms if facts[at].imports_only]
        others = [at for at in atoms if not facts[at].imports_only]
        if lines:
            bindings = {at: facts[at].bindings | facts[at].defines for at in others}
            _file_imports(found, lines, others, words, _inverted(others, bindings))


def _heads(found: Structure, facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> None:
    """The head of a new file with whatever comes first of it."""
    for head, others in heads(facts, texts):
        found.imports[head] = list(others)
        found.before.extend((head, other) for other in others)


def _file_imports(
    found: Structure,
    lines: Sequence[int],
    others: Sequence[int],
    words: _Words,
    binders: Mapping[str, Sequence[int]],
) -> None:
    using, dropping = _inverted(others, words.added), _inverted(others, words.removed)
    brought = {at: words.added[at] - words.removed[at] for at in lines}
    lost = {at: words.removed[at] - words.added[at] for at in lines}
    comes, goes = _inverted(lines, brought), _inverted(lines, lost)
    for word in sorted(comes.keys() & goes.keys()):
        # The name stays in use while its import moves: both halves at once.
        if len(comes[word]) == len(goes[word]) == 1:
            found.inseparable.append((comes[word][0], goes[word][0]))
    for at in lines:
        fresh = (word for word in brought[at] if word not in goes and len(comes[word]) == 1)
        users = sorted({user for word in fresh for user in using.get(word, ())})
        if users:
            found.imports[at] = users
            found.before.extend((at, user) for user in users)
        stale = (word for word in lost[at] if word not in comes and len(goes[word]) == 1)
        droppers = sorted({user for word in stale for user in dropping.get(word, ())})
        if droppers and not users:
            found.unimports[at] = droppers
        found.before.extend((user, at) for user in droppers)
        # What binds the name instead: until then, lines that stay may still need the import.
        instead = {binder for word in lost[at] for binder in binders.get(word, ())}
        found.before.extend((binder, at) for binder in sorted(instead))


def _variables(found: Structure, facts: Sequence[Facts], words: _Words) -> None:
    """What binds a variable no later than what uses it, in one definition or one around it; what
    unbinds it no earlier than the removal of its last use."""
    for binder, user in _bound_pairs(
        facts, [one.bindings for one in facts], words.added, words.old
    ):
        found.before.append((binder, user))
    gone = [one.unbindings for one in facts]
    for binder, user in _bound_pairs(facts, gone, words.removed, words.new):
        found.before.append((user, binder))


def _bound_pairs(
    facts: Sequence[Facts],
    bindings: Sequence[frozenset[str]],
    words: Sequence[frozenset[str]],
    known: _Versions,
) -> Iterator[tuple[int, int]]:
    """(what binds, what uses) for names that one version of a file has and the other has not."""
    binders: dict[tuple[bytes, str], list[int]] = {}
    code = [at for at, one in enumerate(facts) if one.atom.kind is Kind.LINES and _is_code(one)]
    for at in code:
        path = facts[at].atom.path
        for name in bindings[at] & words[at]:
            if not known.mentions(path, name):
                binders.setdefault((path, name), []).append(at)
    for at in code:
        one = facts[at]
        for name in sorted(words[at] - bindings[at]):
            for binder in binders.get((one.atom.path, name), ()):
                around = facts[binder].names
                if binder != at and (not around or one.names[-len(around) :] == around):
                    yield binder, at


def _inverted(
    atoms: Iterable[int], words: Sequence[frozenset[str]] | Mapping[int, frozenset[str]]
) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at in atoms:
        for word in words[at]:
            found.setdefault(word, []).append(at)
    return found


def _locks(found: Structure, facts: Sequence[Facts]) -> None:
    """A lock file's pieces with its manifest's, which stand beside it."""
    by_path: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        by_path.setdefault(one.atom.path, []).append(at)
    for path, atoms in by_path.items():
        for manifest in manifests_of(path):
            beside = by_path.get(manifest)
            if beside:
                found.locks.update(dict.fromkeys(atoms, beside))
