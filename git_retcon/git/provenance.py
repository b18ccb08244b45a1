"""Which of the source's own commits each line came from.

Origins are carried forward through the zero-context diffs of the first-parent chain from base to
source, not asked of blame: one pass over what the commits touched gives every added line its
introducer and every removed line its remover. What was added and removed again is in neither.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from git_retcon.git.atoms import Atom, FileText, Kind
from git_retcon.git.difference import LARGEST_TEXT, Difference, split_lines, zero_context
from git_retcon.git.graph import Commit, read_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, EntryChange, Trees

if TYPE_CHECKING:
    import pygit2

_Lines = tuple[bytes, ...]
_ELSEWHERE = -1 << 40  # older than the branch, and under another name


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source's own commits, oldest first, and what came from each.

    ``origin`` gives, by atom id, the positions in ``commits`` that its lines came from with the
    number of lines; empty for a branch of one commit.
    """

    commits: tuple[Commit, ...] = ()
    origin: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def subjects(self) -> tuple[str, ...]:
        return tuple(commit.subject for commit in self.commits)


def provenance(repository: Repository, base: str, source: str) -> "History":
    """Read the chain of commits from base (excluded) to source along first parents."""
    listing = repository.git.run("rev-list", "--first-parent", "--reverse", f"{base}..{source}")
    return History.read(repository, base, listing.decode("ascii").split())


@dataclass(frozen=True)
class History:
    """The source's own commits with the origin of every line they left or removed."""

    commits: tuple[Commit, ...]
    _carrier: "_Carrier"

    @classmethod
    def read(cls, repository: Repository, base: str, oids: Sequence[str]) -> "History":
        """Carry origins through these commits, given oldest first."""
        carrier = _Carrier(repository.objects, repository.trees)
        if len(oids) > 1:
            parents = read_commit(repository, oids[0]).parents
            before = tree_of(repository, parents[0] if parents else base)
            carrier.follow(before, [tree_of(repository, oid) for oid in oids])
        return cls(tuple(read_commit(repository, oid) for oid in oids), carrier)

    def lines(self, text: FileText) -> tuple[Sequence[int], Mapping[int, int]]:
        """Who added each line of a text at the source (-1: nobody here), and who removed which."""
        return self._carrier.origins_of(text), self._carrier.removed_of(text)

    def of(self, difference: Difference) -> Provenance:
        """What each atom came from, of a difference to the source from base or from any tree."""
        origin: dict[str, Mapping[int, int]] = {}
        path, removed = b"", {}
        for atom in difference.atoms if len(self.commits) > 1 else ():
            if atom.kind is Kind.LINES and atom.path != path:
                path, removed = atom.path, self._carrier.removed_of(difference.texts[atom.path])
            is_lines = atom.kind is Kind.LINES
            carrier = self._carrier
            found = carrier.of_lines(atom, removed) if is_lines else carrier.of_entry(atom)
            if found:
                origin[atom.id] = dict(sorted(found.items()))
        return Provenance(self.commits, origin)


@dataclass(slots=True)
class _File:
    """One path while the chain is walked: per line its origin, ``~n`` for line n of the start."""

    lines: _Lines
    origins: list[int]


class _Carrier:
    """Carries line origins through the trees of a chain; paths are followed lazily."""

    def __init__(self, objects: "pygit2.Repository", trees: Trees) -> None:
        self._objects = objects
        self._trees = trees
        self._files: dict[bytes, _File] = {}
        self._touched: dict[bytes, list[int]] = {}
        self._starts: dict[bytes, _Lines] = {}
        self._removed: dict[bytes, dict[int, int]] = {}

    def follow(self, before: str, trees: Iterable[str]) -> None:
        for position, tree in enumerate(trees):
            changes = list(self._trees.changes(before, tree))
            gone: dict[str, bytes] = {}
            for change in changes:
                self._touched.setdefault(change.path, []).append(position)
                if change.new is None and change.old is not None:
                    gone.setdefault(change.old.oid, change.path)
            for change in changes:
                self._rename(change, gone)
            for change in changes:
                self._step(change, position)
            before = tree

    def _rename(self, change: EntryChange, gone: Mapping[str, bytes]) -> None:
        """A file that comes as another goes, with the same content, brings its origins along."""
        if change.old is not None or change.new is None or change.new.oid not in gone:
            return
        source = self._files.get(gone[change.new.oid])
        if source is not None:
            own = [at if at >= 0 else _ELSEWHERE for at in source.origins]
            self._files[change.path] = _File(source.lines, own)
            self._starts.setdefault(change.path, ())

    def _step(self, change: EntryChange, position: int) -> None:
        path = change.path
        state = self._files.get(path)
        if state is None:
            lines = self._starts[path] = self._lines(change.old)
            state = _File(lines, [~at for at in range(len(lines))])
        after = self._lines(change.new)
        if after is not state.lines and after != state.lines:
            state = self._carried(path, state, after, position)
        self._files[path] = state

    def _carried(self, path: bytes, state: _File, after: _Lines, position: int) -> _File:
        origins: list[int] = []
        removed = self._removed.setdefault(path, {})
        at = 0
        for hunk in zero_context(state.lines, after):
            origins += state.origins[at : hunk.old.start]
            for origin in state.origins[hunk.old.start : hunk.old.stop]:
                if origin < 0:
                    removed[~origin] = position
            origins += [position] * len(hunk.new)
            at = hunk.old.stop
        origins += state.origins[at:]
        return _File(after, origins)

    def origins_of(self, text: FileText) -> Sequence[int]:
        """The origin of every line at the source; -1 for what is older than the branch."""
        state = self._files.get(text.path)
        if state is None or state.lines != text.new:
            return ()
        return [max(origin, -1) for origin in state.origins]

    def removed_of(self, text: FileText) -> dict[int, int]:
        """Who removed a line, by its number in the old text, wherever that text stands."""
        removed = self._removed.get(text.old_path)
        if not removed:
            return {}
        start = self._starts[text.old_path]
        if start == text.old:
            return removed
        moved = _aligned(start, text.old)
        return {moved[line]: by for line, by in removed.items() if line in moved}

    def of_lines(self, atom: Atom, removed: Mapping[int, int]) -> "Counter[int]":
        found: Counter[int] = Counter()
        state = self._files.get(atom.path)
        if state is not None:
            inside = state.origins[atom.new.start : atom.new.stop]
            found.update(origin for origin in inside if origin >= 0)
        found.update(removed[at] for at in range(atom.old.start, atom.old.stop) if at in removed)
        return found

    def of_entry(self, atom: Atom) -> "Counter[int]":
        """The last commit that touched the entry; for a rename the one that made the new name."""
        positions: list[int] = []
        for entry in atom.entries:
            touched = self._touched.get(entry.path, ())
            if touched:
                new_name = atom.kind is Kind.RENAME and entry.new is not None
                positions.append(touched[0] if new_name else touched[-1])
        if not positions:
            return Counter()
        lines = max(1, len(atom.added) + len(atom.removed))
        return Counter({max(positions): lines})

    def _lines(self, entry: Entry | None) -> _Lines:
        """The lines of a text entry; nothing for all else."""
        if entry is None or not entry.is_file:
            return ()
        _, size = self._objects.odb.read_header(entry.oid)
        if size > LARGEST_TEXT:
            return ()
        content = self._objects.odb.read(entry.oid)[1]
        return () if b"\0" in content else split_lines(content)


def _aligned(old: _Lines, new: _Lines) -> dict[int, int]:
    """Old line number → new line number for the lines that both versions share."""
    moved: dict[int, int] = {}
    a = b = 0
    for hunk in zero_context(old, new):
        moved.update(zip(range(a, hunk.old.start), range(b, hunk.new.start), strict=True))
        a, b = hunk.old.stop, hunk.new.stop
    moved.update(zip(range(a, len(old)), range(b, len(new)), strict=True))
    return moved
