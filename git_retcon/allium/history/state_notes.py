"""The reconciliations of one spec branch and its counters, read from notes, made again from the
trailers where these are lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from git_retcon.allium.history.commit_graph import read_graph
from git_retcon.allium.history.reconciliations import (
    NOTES,
    Counters,
    Reconciliation,
    State,
    StateNote,
    format_note,
    parse_note,
    read_reconciliation,
)
from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.git.graph import read_commit
from git_retcon.git.notes import Notes, Page
from git_retcon.git.repository import Repository


class StateNotes:
    """What the notes say of one branch, and what is still to be written; ``load`` comes first."""

    def __init__(self, repository: Repository, branch: str, notes_tip: str | None) -> None:
        self._repository = repository
        self._branch = branch
        self._notes = Notes(repository, NOTES, notes_tip)
        self._unsaved: dict[str, StateNote] = {}
        self.state = State()
        self.records: dict[str, Reconciliation] = {}

    def load(self, tip: str | None, heads: Iterable[str]) -> None:
        """Read the counters, and every record by its spec commit; ``tip`` and ``heads`` are commits
        of the spec branch.
        """
        heads = list(heads)
        noted = {
            commit: note.record
            for commit in self._notes.list_commits()
            if (note := self._read_note(commit)) is not None and note.record is not None
        }
        # Other spec branches keep their records under the same ref.
        reached = read_graph(self._repository.git, heads) if noted and heads else ()
        self.records = {commit: record for commit, record in noted.items() if commit in reached}
        found = self._find_state(tip, heads)
        if found is not None and len(self.records) >= found.counters.done:
            self.state = found
        elif heads:
            rebuilt = rebuild_state(self._repository, tip, heads)
            # A run that was not finished still goes on by its own plan.
            self.state = rebuilt.state if found is None else found
            for commit, record in rebuilt.records.items():
                if commit not in self.records:
                    self.put(commit, record=record)

    def put(
        self, commit: str, *, record: Reconciliation | None = None, state: State | None = None
    ) -> None:
        """Write a record or the counters of a spec commit with the next save."""
        before = self._unsaved.get(commit, StateNote(None, None))
        self._unsaved[commit] = StateNote(record or before.record, state or before.state)
        if record is not None:
            self.records[commit] = record

    def make_pages(self) -> Iterator[Page]:
        """What is to be written, if anything."""
        if self._unsaved:
            texts: dict[str, str] = {}
            for commit, note in self._unsaved.items():
                before = self._notes.get(commit)
                text = format_note(before, self._branch, *note)
                if text != before:
                    texts[commit] = text
            if not texts:
                return
            yield Page(self._notes, texts, f"Reconciliations of {self._branch}")

    def forget_saved(self) -> None:
        """All of it was written."""
        self._unsaved = {}

    def _read_note(self, commit: str) -> StateNote | None:
        note = self._notes.get(commit)
        return None if note is None else parse_note(note, self._branch)

    def _find_state(self, tip: str | None, heads: Iterable[str]) -> State | None:
        """The counters that the newest commit along first parents has, else any head."""
        noted = set(self._notes.list_commits())
        at = tip
        while noted and at is not None:
            if at in noted and (note := self._read_note(at)) is not None and note.state is not None:
                return note.state
            parents = read_commit(self._repository, at).parents
            at = parents[0] if parents else None
        notes = (self._read_note(head) for head in heads if head in noted)
        return next((note.state for note in notes if note is not None and note.state), None)


class RebuiltState(NamedTuple):
    """The counters, and the records by spec commit."""

    state: State
    records: Mapping[str, Reconciliation]


def rebuild_state(repository: Repository, tip: str | None, heads: Iterable[str]) -> RebuiltState:
    """The same from the trailers of all spec commits that are reached."""
    graph = read_graph(repository.git, heads)
    sources: dict[str, str] = {}
    records: dict[str, Reconciliation] = {}
    for oid in graph.parents:
        commit = read_commit(repository, oid)
        described = read_trailers(commit).describes
        if described is None:
            continue
        sources[oid] = described
        if (record := read_reconciliation(commit.message, described)) is not None:
            records[oid] = record._replace(time=_read_time(commit.committer))
    trunk = 0
    at = tip
    while at is not None and at in graph:
        trunk += at in sources
        at = graph.parents[at][0] if graph.parents[at] else None
    last = max(records.values(), key=lambda each: each.at_step, default=None)
    counters = Counters(len(sources), trunk, done=len(records))
    if last is not None:
        counters = counters._replace(last_step=last.at_step, last_trunk_step=last.at_trunk_step)
    return RebuiltState(State(counters), records)


def _read_time(ident: str) -> str:
    """The time of one of git's ident lines, in ISO 8601."""
    seconds = ident.rsplit(" ", 2)[-2]
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
