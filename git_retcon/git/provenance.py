"""Which of the source's own commits each line came from.

Origins are carried forward through the zero-context diffs of the first-parent chain from base to
source, not asked of blame: one pass over what the commits touched gives every added line its
introducer and every removed line its remover. What was added and removed again is in neither.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from git_retcon.git.atoms import Atom, FileText, Kind
from git_retcon.git.difference import Difference
from git_retcon.git.graph import Commit, list_own_commits, tree_of
from git_retcon.git.lines import diff_lines
from git_retcon.git.repository import Repository
from git_retcon.git.texts import Texts
from git_retcon.git.trees import Entry, EntryChange, Trees
from git_retcon.lazy_dataclass import dataclass

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


def trace_lines(repository: Repository, base: str, source: str) -> "History":
    """Read the chain of commits from base (excluded) to source along first parents."""
    return History.read(repository, base, list_own_commits(repository, base, source))


@dataclass(frozen=True)
class History:
    """The source's own commits with the origin of every line they left or removed."""

    commits: tuple[Commit, ...]
    _carrier: "_Carrier"

    @classmethod
    def read(cls, repository: Repository, base: str, commits: Sequence[Commit]) -> "History":
        """Carry origins through these commits, given oldest first."""
        carrier = _Carrier(repository.texts, repository.trees)
        if len(commits) > 1:
            parents = commits[0].parents
            before = tree_of(repository, parents[0] if parents else base)
            carrier.follow(before, [commit.tree for commit in commits])
        return cls(tuple(commits), carrier)

    def lines(self, text: FileText) -> tuple[Sequence[int], Mapping[int, int]]:
        """Who added each line of a text at the source, and who removed which.

        Negative for a line that is older than the branch; no lines for another text.
        """
        return self._carrier.origins_of(text), self._carrier.find_removers(text)

    def of(self, difference: Difference) -> Provenance:
        """What each atom came from, of a difference to the source from base or from any tree."""
        origin: dict[str, Mapping[int, int]] = {}
        path, removed = b"", {}
        for atom in difference.atoms if len(self.commits) > 1 else ():
            if atom.kind is Kind.LINES and atom.path != path:
                path, removed = atom.path, self._carrier.find_removers(difference.texts[atom.path])
            is_lines = atom.kind is Kind.LINES
            carrier = self._carrier
            found = carrier.of_lines(atom, removed) if is_lines else carrier.of_entry(atom)
            if found:
                origin[atom.id] = dict(sorted(found.items()))
        return Provenance(self.commits, origin)


@dataclass(slots=True)
class _File:
    """One path while the chain is walked: per line its origin, ``~n`` for line n of the start."""

    entry: Entry | None
    lines: _Lines
    origins: list[int]


class _Carrier:
    """Carries line origins through the trees of a chain; paths are followed lazily."""

    def __init__(self, texts: Texts, trees: Trees) -> None:
        self._texts = texts
        self._trees = trees
        self._files: dict[bytes, _File] = {}
        self._touched: dict[bytes, list[int]] = {}
        self._starts: dict[bytes, _Lines] = {}
        self._removed: dict[bytes, dict[int, int]] = {}

    def follow(self, before: str, trees: Iterable[str]) -> None:
        for position, tree in enumerate(trees):
            changes = list(self._trees.changes(before, tree))
            gone: dict[str, bytes] = {}
            # Renames before steps: a step would begin the new path as a file without origins.
            for change in changes:
                self._touched.setdefault(change.path, []).append(position)
                # setdefault: of two equal files that go, either is as good.
                if change.new is None and change.old is not None:
                    gone.setdefault(change.old.oid, change.path)
            for change in changes:
                self._follow_rename(change, gone)
            for change in changes:
                self._follow_change(change, position)
            before = tree

    def _follow_rename(self, change: EntryChange, gone: Mapping[str, bytes]) -> None:
        """A file that comes as another goes, with the same content, brings its origins along."""
        if change.old is not None or change.new is None or change.new.oid not in gone:
            return
        source = self._files.get(gone[change.new.oid])
        if source is not None:
            # ``~n`` counts lines of the old path, which mean nothing at the new one.
            own = [at if at >= 0 else _ELSEWHERE for at in source.origins]
            self._files[change.path] = _File(source.entry, source.lines, own)
            self._starts.setdefault(change.path, ())

    def _follow_change(self, change: EntryChange, position: int) -> None:
        path = change.path
        state = self._files.get(path)
        if state is None:
            lines = self._starts[path] = self._texts.lines(change.old) or ()
            state = _File(change.old, lines, [~at for at in range(len(lines))])
        self._files[path] = self._carry_file(path, state, change.new, position)

    def _carry_file(self, path: bytes, state: _File, entry: Entry | None, position: int) -> _File:
        after, hunks = self._texts.compare(state.entry, entry)[1:]
        origins: list[int] = []
        removed = self._removed.setdefault(path, {})
        at = 0
        for hunk in hunks:
            origins += state.origins[at : hunk.old.start]
            for origin in state.origins[hunk.old.start : hunk.old.stop]:
                if origin < 0:
                    removed[~origin] = position
            origins += [position] * len(hunk.new)
            at = hunk.old.stop
        origins += state.origins[at:]
        return _File(entry, after, origins)

    def origins_of(self, text: FileText) -> Sequence[int]:
        state = self._files.get(text.path)
        # Another text than the one that the chain led to, such as after a rebase: say nothing of
        # it.
        if state is None or state.lines != text.new:
            return ()
        return state.origins

    def find_removers(self, text: FileText) -> dict[int, int]:
        """Who removed a line, by its number in the old text, from any state of the file."""
        removed = self._removed.get(text.old_path)
        if not removed:
            return {}
        start = self._starts[text.old_path]
        if start == text.old:
            return removed
        moved = _align_lines(start, text.old)
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
        # Of a rename's two ends the later commit made it what it is.
        return Counter({max(positions): lines})


def _align_lines(old: _Lines, new: _Lines) -> dict[int, int]:
    """Old line number → new line number for the lines that both versions share."""
    moved: dict[int, int] = {}
    a = b = 0
    for hunk in diff_lines(old, new):
        moved.update(zip(range(a, hunk.old.start), range(b, hunk.new.start), strict=True))
        a, b = hunk.old.stop, hunk.new.stop
    moved.update(zip(range(a, len(old)), range(b, len(new)), strict=True))
    return moved
