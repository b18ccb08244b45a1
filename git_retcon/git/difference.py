"""The difference between two trees as atoms, and the tree that any subset of them makes.

Blobs are built from base lines and chosen atoms, never by applying a patch, so nothing can fail
to apply. ``drafts`` says how atoms are found.
"""

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from git_retcon.git.atoms import Atom, FileText, Granularity, Kind, WholeHunks
from git_retcon.git.drafts import Draft, Finder, name_drafts
from git_retcon.git.lines import splice_lines
from git_retcon.git.renames import find_renames, group_inseparable
from git_retcon.git.repository import Repository
from git_retcon.git.texts import LARGEST_TEXT
from git_retcon.git.trees import Entry, EntryChange, Trees
from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import pygit2

# Callers add to what they chose last, or try several additions to it.
_MOST_RESULTS = 4


@dataclass(frozen=True)
class Difference:
    """Everything that leads from the tree ``base`` to the tree ``target``.

    ``atoms`` are in path order, and within a file in line order. ``texts`` holds the lines of
    every file that has line atoms, and of deleted and renamed text files.
    """

    base: str
    target: str
    atoms: tuple[Atom, ...]
    texts: Mapping[bytes, FileText]
    changes: Mapping[bytes, EntryChange]
    _objects: "pygit2.Repository" = field(repr=False)
    _trees: Trees = field(repr=False)
    _by_id: dict[str, Atom] = field(init=False, repr=False, compare=False)
    _by_path: dict[bytes, list[Atom]] = field(init=False, repr=False, compare=False)
    _results: dict[frozenset[str], str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_path: dict[bytes, list[Atom]] = {}
        for atom in self.atoms:
            by_path.setdefault(atom.path, []).append(atom)
        object.__setattr__(self, "_by_id", {atom.id: atom for atom in self.atoms})
        object.__setattr__(self, "_by_path", by_path)
        object.__setattr__(self, "_results", {})

    def __getitem__(self, atom: str) -> Atom:
        return self._by_id[atom]

    def __contains__(self, atom: object) -> bool:
        return atom in self._by_id

    def tree(self, chosen: Collection[str]) -> str:
        """Write the tree of base plus the chosen atoms (by id). Unknown ids raise KeyError.

        The same set gives the same tree in any order, and after any other; none
        gives ``base``, all of them give ``target``.
        """
        wanted = frozenset(chosen)
        if not self._by_id.keys() >= wanted:
            unknown = wanted - self._by_id.keys()
            raise KeyError(f"no such atom: {', '.join(sorted(unknown))}")
        # Both ends are known, so the laws of none and of all hold even for trees that are spelled
        # in a way that git would not write today.
        if not wanted:
            return self.base
        if len(wanted) == len(self.atoms):
            return self.target
        result = self._results.pop(wanted, None) or self._write_tree(wanted)
        self._results[wanted] = result
        if len(self._results) > _MOST_RESULTS:
            del self._results[next(iter(self._results))]
        return result

    def _write_tree(self, wanted: frozenset[str]) -> str:
        # Taking a few more atoms is an edit of the last tree, not of the base: linear in what is
        # new. The largest first: to compare sets takes as long as they are large.
        by_size = sorted(self._results, key=len, reverse=True)
        start = next((known for known in by_size if known <= wanted), None)
        if start is None:
            return self._trees.edit(self.base, self._make_edits(wanted, wanted))
        # Taken out and put back: the dictionary's order is the order of use.
        before = self._results[start] = self._results.pop(start)
        return self._trees.edit(before, self._make_edits(wanted, wanted - start))

    def _make_edits(
        self, wanted: Collection[str], fresh: Collection[str]
    ) -> dict[bytes, Entry | None]:
        """What the wanted atoms make of every path that a fresh one touches."""
        edits: dict[bytes, Entry | None] = {}
        for path in {self._by_id[atom].path for atom in fresh}:
            taken = [atom for atom in self._by_path[path] if atom.id in wanted]
            if taken[0].kind in (Kind.LINES, Kind.MODE):
                edits[path] = self._text_entry(path, taken)
            else:
                edits.update((entry.path, entry.new) for entry in taken[0].entries)
        return edits

    def _text_entry(self, path: bytes, taken: list[Atom]) -> Entry:
        change = self.changes[path]
        assert change.new is not None
        # A new file's mode comes with its first lines; a changed mode is an atom of its own, first
        # of its file.
        before = None if taken[0].kind is Kind.MODE else change.old
        mode = (before or change.new).mode
        lines = [atom for atom in taken if atom.kind is Kind.LINES]
        whole = sum(atom.kind is Kind.LINES for atom in self._by_path[path])
        if len(lines) == whole:
            return Entry(mode, change.new.oid)
        if not lines and change.old is not None:
            return Entry(mode, change.old.oid)
        content = b"".join(splice_lines(self.texts[path].old, lines))
        return Entry(mode, str(self._objects.create_blob(content)))


def compare_trees(
    repository: Repository,
    base: str,
    target: str,
    *,
    granularity: Granularity | None = None,
    trees: Trees | None = None,
) -> Difference:
    """The difference from one tree to another (hexadecimal tree ids).

    Raises Fatal where an object is missing.
    """
    trees = trees or Trees(repository.objects)
    changes = trees.changes(base, target)
    pairs = find_renames(repository, changes, base, target, largest=LARGEST_TEXT)
    finder = Finder(repository.texts, granularity or WholeHunks(), pairs)
    drafts = [
        draft for group in group_inseparable(changes, pairs) for draft in finder.drafts(group)
    ]
    if not drafts and base != target:
        # The same entries, spelled otherwise (a mode 040000, an order of old): all or nothing.
        drafts.append(Draft(Kind.MODE, b"."))
    drafts.sort(key=lambda draft: draft.path)
    return Difference(
        base=base,
        target=target,
        atoms=tuple(name_drafts(drafts)),
        texts=finder.texts,
        changes={change.path: change for change in changes},
        _objects=repository.objects,
        _trees=trees,
    )
