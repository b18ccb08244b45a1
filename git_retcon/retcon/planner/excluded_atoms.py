"""The atoms that the hints of a commit keep out of it."""

import functools
import re
from collections.abc import Iterator, Sequence, Set

from git_retcon.code.file_classes import FileClass
from git_retcon.files.patterns import Case, read_patterns
from git_retcon.retcon.hints.exclusions import Exclusion, Name
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts
from git_retcon.show.counting import count
from git_retcon.show.suggestion import find_similar_path

# Words that mean a sort of file, unless something is defined by that name.
_SORTS = {
    "test": FileClass.TEST,
    "tests": FileClass.TEST,
    "doc": FileClass.DOC,
    "docs": FileClass.DOC,
    "documentation": FileClass.DOC,
}


class Excluder:
    """Reads the exclusions of all commits against one difference.

    A name means a definition if something in the difference has it, else a file or a directory.
    """

    def __init__(self, facts: Sequence[Facts], descriptions: Sequence[Description]) -> None:
        self._facts, self._descriptions = facts, descriptions
        self._found = [
            [(item, self._find_atoms(item, each)) for item in each.hint.unwanted]
            for each in descriptions
        ]
        self._excluded = [frozenset().union(*(at for _, at in found)) for found in self._found]

    @functools.cached_property
    def _everything(self) -> Set[int]:
        return frozenset(range(len(self._facts)))

    @functools.cached_property
    def _defined(self) -> frozenset[str]:
        return frozenset().union(*map(_own_names, self._facts))

    @functools.cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(one.atom.path.decode("utf-8", "replace") for one in self._facts)

    @functools.cached_property
    def _file_names(self) -> frozenset[str]:
        return frozenset(path.rpartition("/")[2] for path in self._paths)

    @property
    def excludes_anything(self) -> bool:
        return any(self._excluded)

    def excludes(self, at: int, commit: int) -> bool:
        """Whether the hints of a commit keep an atom out of it, both by position."""
        return at in self._excluded[commit]

    def remarks(self, commit: int) -> Iterator[str]:
        """What each exclusion of a commit meant, for its author to check."""
        for item, atoms in self._found[commit]:
            if not item.is_understood:
                yield f"leaves out '{item.text}': not one name, so nothing for certain"
            elif not atoms and _is_in_message(item, self._descriptions[commit]):
                yield f"leaves out '{item.text}': a word of its own message; '`' around it decides"
            elif not atoms:
                remedy = self._suggest_file(item)
                yield f"leaves out '{item.text}': nothing here goes by that name{remedy}"
            else:
                yield f"leaves out '{item.text}': {count(len(atoms), 'hunk')}"

    def _suggest_file(self, item: Exclusion) -> str:
        if item.name is None or not item.is_file or "*" in item.name.path:
            return ""
        known = self._paths if "/" in item.name.path else self._file_names
        meant = find_similar_path(item.name.path, known)
        return f"; did you mean '{meant}'?" if meant else ""

    def _find_atoms(self, item: Exclusion, description: Description) -> Set[int]:
        places = (self._find_named(place, self._everything) for place in item.places)
        within: Set[int] = frozenset().union(*places)
        if item.name is None:
            wanted = self._find_wanted(within, description) if item.is_rest else frozenset()
            return within - wanted
        if not within:  # no place, or one that nothing has: a name is certain all the same
            # "Add the parser. Does NOT include parser errors": the word is what the commit is
            # about.
            if _is_in_message(item, description):
                return frozenset()
            return self._find_named(item.name, self._everything)
        found = self._find_named(item.name, within)
        # "half and main in cli.py" may put only main into cli.py.
        if item.borrows_place and not found:
            return self._find_named(item.name, self._everything)
        # Nothing there is defined by that name, but a key or a constant may be called so.
        return found or {at for at in within if _mentions_name(self._facts[at], item.name)}

    def _find_wanted(self, among: Set[int], description: Description) -> Set[int]:
        """The atoms whose definition the same hints ask for by name."""
        words = description.hint.wanted.words
        return {at for at in among if not words.isdisjoint(_own_names(self._facts[at]))}

    def _find_named(self, name: Name, among: Set[int]) -> Set[int]:
        if name.is_option:
            return {at for at in among if _mentions_name(self._facts[at], name)}
        if name.parts:
            found = {at for at in among if is_within(self._facts[at], name.parts)}
            # "pkg.cli" may mean a file too, where nothing here is defined by its last part.
            if found or not name.path or name.parts[-1] in self._defined:
                return found
        sort = _SORTS.get(name.path)
        return {
            at
            for at in among
            if _has_path(self._facts[at], name)
            or (sort is not None and sort in self._facts[at].classes)
        }


def _is_in_message(item: Exclusion, description: Description) -> bool:
    """Whether a commit's message has the plain word that its hints exclude: then it is prose."""
    name = item.name
    return name is not None and name.is_plain and name.path in description.message.words


def _own_names(one: Facts) -> frozenset[str]:
    return one.defines | one.undefines | frozenset(one.names)


def is_within(one: Facts, parts: Sequence[str]) -> bool:
    """Whether an atom defines, or is in, the last part of a dotted name inside the other parts:
    these are definitions, or modules by their file's path."""
    last, around = parts[-1], parts[:-1]
    outer: Sequence[str] = one.names
    if last not in one.defines and last not in one.undefines:
        if last not in one.names:
            return False
        outer = one.names[one.names.index(last) + 1 :]
    return all(part in outer or part.lower() in _list_stems(one) for part in around)


def _mentions_name(one: Facts, name: Name) -> bool:
    text = f"{one.added}\n{one.removed}"
    return bool(name.parts) and (
        re.search(rf"(?<![\w-]){re.escape(name.parts[-1])}(?![\w-])", text) is not None
    )


def _list_stems(one: Facts) -> list[str]:
    """The names of the directories above an atom's file, and of the file up to its first period."""
    path = one.atom.path.decode("utf-8", "replace").lower()
    folders, _, base = path.rpartition("/")
    return [*folders.split("/"), base.partition(".")[0] or base]


def _has_path(one: Facts, name: Name) -> bool:
    """By base name, or by the end or the directories of a path; a plain word by the name of a
    directory, or of a file less what follows its first period."""
    path = one.atom.path.decode("utf-8", "replace").lower()
    if "*" in name.path:
        return read_patterns((name.path,), Case.MATTERS).matches(path.encode())
    if "/" in name.path:
        return f"/{name.path.strip('/')}/" in f"/{path}/"
    base = path.rpartition("/")[2]
    if name.is_plain:
        return name.path == base or name.path in _list_stems(one)
    module = f"/{path.removesuffix(base)}{_list_stems(one)[-1]}/"
    return name.path == base or f"/{name.path.replace('.', '/')}/" in module
