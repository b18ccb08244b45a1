"""The order of atoms in different Python files, found by reading what each commit imports.

``lacking_names`` reads every file alone, for which any imported name is bound. Here the names that
a changed file imports from another changed file are looked up in that file, as every commit would
leave both. A name that base and source have and a commit between lacks orders what brings it, or
drops its import, no later than what imports it, or drops the name.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.retcon.planner.facts import Pair
from git_retcon.retcon.planner.name_order import order_name
from git_retcon.retcon.planner.python_states import PythonStates, Taken
from git_retcon.retcon.planner.vocabulary import Vocabulary

if TYPE_CHECKING:
    from git_retcon.code.imported_names import ImportedName


class _Need(NamedTuple):
    """A name that the file ``user`` imports from the file ``target``."""

    user: bytes
    target: bytes
    imported: "ImportedName"


class LackingImports:
    """Looks up what changed Python files import from one another."""

    def __init__(self, states: PythonStates, words: Vocabulary) -> None:
        self._states = states
        self._words = words
        self._targets: dict[tuple[bytes, ImportedName], bytes | None] = {}
        self._needs: dict[tuple[bytes, Taken], Sequence[_Need]] = {}

    def find_pairs(self, labels: Sequence[int]) -> Iterator[Pair]:
        """Pairs of atoms, by position, of which the first has to come no later than the second,
        and does so where commits are as labelled.

        Of each name that a file imports the first commit alone that lacks it.
        """
        ordered: set[_Need] = set()
        timelines = {path: _Timeline(atoms, labels) for path, atoms in self._states.atoms.items()}
        for commit, users in self._find_changes(timelines):
            for user in users:
                for need in self._find_needs(user, timelines[user].take(commit)):
                    if need not in ordered and self._is_between(need, commit, timelines):
                        ordered.add(need)
                        yield from self._order_need(need, commit, labels)

    def _find_changes(
        self, timelines: Mapping[bytes, "_Timeline"]
    ) -> Sequence[tuple[int, Sequence[bytes]]]:
        """Each commit in turn, with the files whose imports may lack another name after it: those
        that it changes, and those that import from a file that it changes."""
        found: dict[int, list[bytes]] = {}
        for user, timeline in timelines.items():
            states = [frozenset(), *(timeline.take(commit) for commit in timeline.commits)]
            targets = {need.target for state in states for need in self._find_needs(user, state)}
            for commit in {c for path in (user, *targets) for c in timelines[path].commits}:
                found.setdefault(commit, []).append(user)
        return sorted(found.items())

    def _find_needs(self, user: bytes, taken: Taken) -> Sequence[_Need]:
        key = user, taken
        if key not in self._needs:
            found = self._states.find_imported(user, taken)
            targets = {imported: self._find_target(user, imported) for imported in sorted(found)}
            self._needs[key] = [
                _Need(user, target, imported)
                for imported, target in targets.items()
                if target is not None
            ]
        return self._needs[key]

    def _find_target(self, user: bytes, imported: "ImportedName") -> bytes | None:
        """The changed file that a name is imported from."""
        key = user, imported
        if key not in self._targets:
            self._targets[key] = self._resolve(user, imported)
        return self._targets[key]

    def _resolve(self, user: bytes, imported: "ImportedName") -> bytes | None:
        from git_retcon.code.imported_names import list_module_paths

        changed = self._states.atoms
        for path in list_module_paths(user, imported):
            if path in changed and path != user:
                # A renamed file is at its path in some commits only.
                if self._states.is_renamed(path) or self._is_submodule(path, imported.name):
                    return None
                return path
        return None

    def _is_submodule(self, path: bytes, name: str) -> bool:
        """Whether a package has a changed module of a name; others are in base and source alike,
        which both lack the name then."""
        folder, _, base = path.rpartition(b"/")
        module = folder + b"/" + name.encode()
        changed = self._states.atoms
        return base == b"__init__.py" and (
            module + b".py" in changed or module + b"/__init__.py" in changed
        )

    def _is_between(self, need: _Need, commit: int, timelines: Mapping[bytes, "_Timeline"]) -> bool:
        """Whether a commit lacks a name that base and source have."""
        user, target = timelines[need.user], timelines[need.target]
        return (
            self._meets(need, user.take(commit), target.take(commit)) is False
            and self._meets(need, frozenset(), frozenset()) is True
            and self._meets(need, user.whole, target.whole) is True
        )

    def _meets(self, need: _Need, user: Taken, target: Taken) -> bool | None:
        """Whether a name is there, or is not imported; None where that cannot be told."""
        if need.imported not in self._states.find_imported(need.user, user):
            return True
        names = self._states.read_names(need.target, target)
        if names is None or "__getattr__" in names.bound:
            return None
        return need.imported.name in names.bound

    def _order_need(self, need: _Need, commit: int, labels: Sequence[int]) -> Iterator[Pair]:
        users, targets = (frozenset(self._states.atoms[path]) for path in (need.user, need.target))

        def lacks(taken: Taken) -> bool:
            return self._meets(need, users & taken, targets & taken) is not True

        atoms = sorted(users | targets)
        named = [at for at in atoms if self._words.has(at, need.imported.name)]
        return order_name(atoms, named, labels, commit, lacks)


class _Timeline:
    """Which atoms of a file each commit has."""

    def __init__(self, atoms: Sequence[int], labels: Sequence[int]) -> None:
        self.whole = frozenset(atoms)
        self._labels = {at: labels[at] for at in atoms}
        self._taken: dict[int, Taken] = {}

    @property
    def commits(self) -> frozenset[int]:
        """The commits that change the file."""
        return frozenset(self._labels.values())

    def take(self, commit: int) -> Taken:
        """The atoms of the commits up to one."""
        if commit not in self._taken:
            self._taken[commit] = frozenset(
                at for at, label in self._labels.items() if label <= commit
            )
        return self._taken[commit]
