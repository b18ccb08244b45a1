"""Which atoms the hints of a commit keep out of it."""

import functools
import re
from collections.abc import Iterator, Sequence, Set

from git_retcon.code.file_classes import FileClass
from git_retcon.files.patterns import Case, read_patterns
from git_retcon.retcon.hints.exclusions import Exclusion, Target
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.features import Wish

# Words that mean a sort of file.
_SORTS = {
    "test": FileClass.TEST,
    "tests": FileClass.TEST,
    "doc": FileClass.DOC,
    "docs": FileClass.DOC,
    "documentation": FileClass.DOC,
}


class Excluder:
    """Reads the exclusions of all commits against one difference: a name means a definition if
    something has it, a file or a directory else."""

    def __init__(self, facts: Sequence[Facts], wishes: Sequence[Wish]) -> None:
        self._facts, self._wishes = facts, wishes
        self._kept_out = [
            [(item, self._atoms(item, wish)) for item in wish.hint.unwanted] for wish in wishes
        ]
        self._barred = [frozenset().union(*(at for _, at in kept)) for kept in self._kept_out]

    @functools.cached_property
    def _defined(self) -> frozenset[str]:
        return frozenset().union(*map(_own, self._facts))

    @property
    def excludes_anything(self) -> bool:
        return any(self._barred)

    def excludes(self, at: int, commit: int) -> bool:
        """Whether the hints of a commit keep out an atom, both by position."""
        return at in self._barred[commit]

    def remarks(self, commit: int) -> Iterator[str]:
        """What became of each exclusion of a commit."""
        for item, atoms in self._kept_out[commit]:
            if not item.is_understood:
                yield f"leaves out '{item.text}': not one name, so nothing for certain"
            elif not atoms and _is_spoken(item, self._wishes[commit]):
                yield f"leaves out '{item.text}': a word of its own message; '`' around it decides"
            elif not atoms:
                yield f"leaves out '{item.text}': nothing here goes by that name"
            else:
                pieces = "1 piece" if len(atoms) == 1 else f"{len(atoms)} pieces"
                yield f"leaves out '{item.text}': {pieces}"

    def _atoms(self, item: Exclusion, wish: Wish) -> Set[int]:
        everything: Set[int] = frozenset(range(len(self._facts)))
        places = [self._named(place, everything) for place in item.places]
        within = frozenset().union(*places)
        if item.what is None:
            return {at for at in within if not item.is_rest or not self._is_wanted(at, wish)}
        if not within:  # no place, or one that nothing has: a name is certain all the same
            return frozenset() if _is_spoken(item, wish) else self._named(item.what, everything)
        found = self._named(item.what, within)
        if item.is_lent and not found:
            return self._named(item.what, everything)
        return found or {at for at in within if _mentions(self._facts[at], item.what)}

    def _named(self, target: Target, among: Set[int]) -> Set[int]:
        if target.is_option:
            return {at for at in among if _mentions(self._facts[at], target)}
        if target.parts:
            found = {at for at in among if stands_in(self._facts[at], target.parts)}
            if found or not target.path or target.parts[-1] in self._defined:
                return found
        sort = _SORTS.get(target.path)
        return {
            at
            for at in among
            if _has_path(self._facts[at], target)
            or (sort is not None and sort in self._facts[at].classes)
        }

    def _is_wanted(self, at: int, wish: Wish) -> bool:
        one, words = self._facts[at], wish.hint.wanted.words
        return any(name in words for name in _own(one))


def _is_spoken(item: Exclusion, wish: Wish) -> bool:
    """Whether a commit speaks itself of the plain word that it excludes: then it is prose."""
    named = item.what
    return named is not None and named.is_plain and named.path in wish.message.words


def _own(one: Facts) -> frozenset[str]:
    return one.defines | one.undefines | frozenset(one.names)


def stands_in(one: Facts, parts: Sequence[str]) -> bool:
    """Whether an atom defines, or stands in, the last part within the others: definitions, or
    modules by their file's path."""
    last, around = parts[-1], parts[:-1]
    outer: Sequence[str] = one.names
    if last not in one.defines and last not in one.undefines:
        if last not in one.names:
            return False
        outer = one.names[one.names.index(last) + 1 :]
    return all(part in outer or part.lower() in _stems(one) for part in around)


def _mentions(one: Facts, target: Target) -> bool:
    text = f"{one.added}\n{one.removed}"
    return bool(target.parts) and (
        re.search(rf"(?<![\w-]){re.escape(target.parts[-1])}(?![\w-])", text) is not None
    )


def _stems(one: Facts) -> list[str]:
    """The names of the directories above an atom's file, and of the file up to its first period."""
    path = one.atom.path.decode("utf-8", "replace").lower()
    folders, _, base = path.rpartition("/")
    return [*folders.split("/"), base.partition(".")[0] or base]


def _has_path(one: Facts, target: Target) -> bool:
    """By base name, or by the end or the directories of a path; a plain word by the name of a
    directory, or of a file less what follows its first period."""
    path = one.atom.path.decode("utf-8", "replace").lower()
    named = target.path
    if "*" in named:
        return read_patterns((named,), Case.MATTERS).matches(path.encode())
    if "/" in named:
        return f"/{named.strip('/')}/" in f"/{path}/"
    base = path.rpartition("/")[2]
    if target.is_plain:
        return named == base or named in _stems(one)
    module = f"/{named.replace('.', '/')}/" in f"/{path.removesuffix(base)}{_stems(one)[-1]}/"
    return named == base or module
