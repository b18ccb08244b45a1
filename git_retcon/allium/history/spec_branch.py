"""The spec branch: where it is, what it describes already, and how it moves.

The branch itself is at the spec of the source's tip. What it does not reach yet, or never will (a
dead end, a branch not merged yet), one commit without content holds on to, so that nothing that was
written is ever without a ref. They move in one transaction, behind that of the notes.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.allium.history.reconciliations import NOTES as STATE_NOTES
from git_retcon.allium.history.source_notes import (
    NOTES,
    SpecRecord,
    format_note,
    parse_note,
    rebuild_records,
)
from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.errors import Fatal
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.ref_updates import NOTHING, RefUpdate
from git_retcon.git.refs import find_place, list_refs, refuse_checked_out
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE

_WHY = "allium evolve"
_KEEPER = "0 +0000"  # no date: the same heads are the same commit

if TYPE_CHECKING:
    from git_retcon.allium.history.state_notes import StateNotes
    from git_retcon.git.notes import Notes
    from git_retcon.git.ref_updates import RefUpdater


class Tip(NamedTuple):
    """Where a spec branch is: its commit, and the source commit that this describes.

    ``spec`` is the commit with the trailers; people's commits may follow it.
    """

    commit: str
    spec: str
    source: str


class SpecBranch:
    """One spec branch as it was when this was made, or last saved.

    ``name`` is a full ref name. What is added is in memory until ``save``.
    """

    def __init__(self, repository: Repository, name: str) -> None:
        self.name = name
        self._repository = repository
        short = name.removeprefix("refs/heads/")
        self._keeper_ref = f"refs/allium/heads/{short}"
        pushed = f"refs/remotes/*/{short}"
        refs = list_refs(repository.git, name, self._keeper_ref, NOTES, STATE_NOTES, pushed)
        self._places = {ref: refs[ref].oid if ref in refs else NOTHING
                        for ref in (name, self._keeper_ref)}  # fmt: skip
        self._notes_tip = refs[NOTES].oid if NOTES in refs else None
        self._state_tip = refs[STATE_NOTES].oid if STATE_NOTES in refs else None
        self.tip = self._find_tip()
        # A branch that somebody deleted is described from the start, even with notes left.
        self.is_new = self.tip is None
        self._copies = [ref for ref in refs if ref.startswith("refs/remotes/")]
        # Spec commits without a child that is described, by their source.
        self.heads: dict[str, str] = {}
        if self.tip is not None:
            self.heads[self.tip.source] = self.tip.commit
        self._known: dict[str, SpecRecord] = {}
        self._unsaved: dict[str, SpecRecord] = {}
        self._notes: Notes | None = None
        self._states: StateNotes | None = None

    def list_published(self) -> Sequence[str]:
        """The short names of what remotes have of the branch, while it is not here itself."""
        return [each.removeprefix("refs/remotes/") for each in self._copies if self.is_new]

    @property
    def has_notes(self) -> bool:
        """Whether there are any notes at all."""
        return self._notes_tip is not None

    def load(self) -> None:
        """Read all that an incremental run needs, and make lost notes again from the trailers."""
        from git_retcon.git.notes import Notes  # late: a run with nothing to describe needs none

        self._notes = Notes(self._repository, NOTES, self._notes_tip)
        if self.tip is None:
            return
        keeper = self._places[self._keeper_ref]
        if keeper != NOTHING:
            for parent in read_commit(self._repository, keeper).parents:
                tip = find_spec_commit(self._repository, parent)
                if tip is not None:
                    self.heads.setdefault(tip.source, parent)
        known = self._read_note(self.tip.source)
        if known is None or known.spec != self.tip.spec:
            rebuilt = rebuild_records(self._repository, self.heads.values())
            self._known.update(rebuilt)
            self._unsaved.update(rebuilt)
        elif known.last != self.tip.commit:
            self._remember_record(self.tip.source, known._replace(last=self.tip.commit))

    def load_states(self) -> "StateNotes":
        """The counters and the reconciliations of this branch; read once."""
        from git_retcon.allium.history.state_notes import StateNotes

        if self._states is None:
            self._states = StateNotes(self._repository, self.name, self._state_tip)
            self._states.load(self.tip.commit if self.tip else None, self.heads.values())
        return self._states

    def find(self, source: str) -> SpecRecord | None:
        """How a source commit was described on this branch, or None."""
        found = self._known.get(source)
        if found is None and not self.is_new:
            found = self._read_note(source)
            if found is not None:
                self._known[source] = found
        return found

    def list_sources(self) -> Sequence[str]:
        """The sources of the heads. What a force-push took away may be gone for good, as in a fresh
        clone: then the nearest ones before it that are here.
        """
        found: dict[str, None] = {}
        seen: set[str] = set()
        pending: list[str] = []
        for source, spec in self.heads.items():
            if is_commit(self._repository, source):
                found[source] = None
            else:
                pending.append(spec)
        while pending:
            spec = pending.pop()
            if spec in seen or not is_commit(self._repository, spec):
                continue
            seen.add(spec)
            commit = read_commit(self._repository, spec)
            described = read_trailers(commit).describes
            if described is not None and is_commit(self._repository, described):
                found[described] = None
            else:
                pending += commit.parents
        return list(found)

    def add(self, source: str, record: SpecRecord, parents: Iterable[str]) -> None:
        """Add a spec commit that was written; ``parents`` are the sources of its parents."""
        self._remember_record(source, record)
        for parent in parents:
            self.heads.pop(parent, None)
        self.heads[source] = record.last

    def save(self, target: str | None, along: Iterable[RefUpdate], updater: "RefUpdater") -> None:
        """Write the notes; then move the branch to the spec of a source commit (None: leave it) and
        hold on to the other heads, in one transaction with ``along``.

        Raises RefMoved where somebody else moved the branch, Fatal where it is checked out.
        """
        from git_retcon.git.notes import Page, write_pages

        refuse_checked_out(self._repository, self.name)
        if target is not None:
            record = self.find(target)
            assert record is not None, "a branch moves to a described commit"
            self.tip = Tip(record.last, record.spec, target)
        reached = self.tip.commit if self.tip else None
        wanted = {
            self.name: reached or NOTHING,
            self._keeper_ref: self._write_keeper(
                sorted({spec for spec in self.heads.values() if spec != reached})
            ),
        }
        moves = [
            RefUpdate(ref, self._places[ref], new)
            for ref, new in wanted.items()
            if new != self._places[ref]
        ]
        moves += along
        assert self._notes is not None, "save comes after load"
        notes = {
            source: format_note(self._notes.get(source), self.name, record)
            for source, record in self._unsaved.items()
        }
        pages = [Page(self._notes, notes, f"Notes of {self.name}")] if notes else []
        pages += self._states.make_pages() if self._states else ()
        # git moves the refs of a transaction one after another, and may be killed between two. A
        # branch that is behind its notes is described again, to the same ids; one that is ahead of
        # them would be taken for finished.
        if pages:
            self._check_unmoved(moves)
            write_pages(updater, pages, _WHY)
        if moves:
            updater.move(moves, _WHY)
        self._places.update(wanted)
        self._unsaved = {}
        if self._states is not None:
            self._states.forget_saved()

    def _remember_record(self, source: str, record: SpecRecord) -> None:
        self._known[source] = self._unsaved[source] = record

    def _check_unmoved(self, moves: Iterable[RefUpdate]) -> None:
        """Raise RefMoved before anything is written where somebody else has moved a ref; git looks
        again as it moves them.
        """
        from git_retcon.git.ref_updates import RefMoved

        for move in moves:
            if (find_place(self._repository, move.name) or NOTHING) != move.old:
                raise RefMoved(
                    f"nothing was moved: '{move.name}' is somewhere else by now",
                    hint="look at what moved it, then run the same command again",
                    again=(),
                )

    def _find_tip(self) -> Tip | None:
        commit = self._places[self.name]
        if commit == NOTHING:
            return None
        tip = find_spec_commit(self._repository, commit)
        if tip is None:
            short = self.name.removeprefix("refs/heads/")
            raise Fatal(
                f"the branch '{short}' holds no specification of this history",
                hint="name another one with 'git config allium.branch NAME', or rename it with "
                f"'git branch -m {short} NAME'",
            )
        return tip

    def _read_note(self, source: str) -> SpecRecord | None:
        """What the note says, where that is true."""
        assert self._notes is not None, "find comes after load"
        note = self._notes.get(source)
        record = None if note is None else parse_note(note, self.name)
        if record is None or not all(is_commit(self._repository, each) for each in record[:2]):
            return None
        spec = read_trailers(read_commit(self._repository, record.spec))
        return record if spec.describes == source else None

    def _write_keeper(self, specs: list[str]) -> str:
        """A commit whose parents are these, or NOTHING for none."""
        from pygit2.enums import ObjectType

        if not specs:
            return NOTHING
        short = self.name.removeprefix("refs/heads/")
        person = f"git-allium <git-allium@localhost> {_KEEPER}"
        raw = "\n".join([
            f"tree {EMPTY_TREE}",
            *(f"parent {spec}" for spec in specs),
            f"author {person}",
            f"committer {person}",
            "",
            f"Hold on to what '{short}' does not reach\n",
        ])  # fmt: skip
        self._repository.objects.odb.write(ObjectType.TREE, b"")
        written = self._repository.objects.odb.write(ObjectType.COMMIT, raw.encode())
        return str(written)


def find_spec_commit(repository: Repository, commit: str) -> Tip | None:
    """The nearest commit, going back along first parents, that describes a source commit."""
    at: Commit = read_commit(repository, commit)
    last: Tip | None = None
    while (trailers := read_trailers(at)).source is None:
        # Where a reconciliation went further than what was described, it counts as that.
        if trailers.reconciles is not None and last is None:
            last = Tip(commit, at.oid, trailers.reconciles)
        if not at.parents:
            return last
        at = read_commit(repository, at.parents[0])
    assert trailers.source is not None
    is_further = last is not None and last.source != trailers.source
    return last if is_further else Tip(commit, at.oid, trailers.source)
