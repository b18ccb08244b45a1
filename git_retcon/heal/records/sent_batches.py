"""Batches of requests to a model: what was sent, and what came back."""

import enum
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from git_retcon.heal.records.database import Database
from git_retcon.heal.records.runs import as_text

_COLUMNS = "number, id, run_id, commit_id, asked, estimate, sent_at, state"
_REQUEST = "name, workflow, job, step, path, model, outcome, answer, reason, spend"
_PARTS = 4  # of a request's name before the digest
_LONGEST = 30 * 24 * 3600.0  # seconds: behind that the service has nothing any more


class BatchState(enum.Enum):
    """How far a batch is here."""

    SENDING = "sending"  # whether the service has it is not known
    SENT = "sent"
    ANSWERED = "answered"  # its results are here
    DONE = "done"  # and were healed with
    GONE = "gone"


class StoredBatch(NamedTuple):
    """A row of ``batches``; ``asked`` is an object that JSON has."""

    number: int
    identity: str
    run_id: str
    commit: str
    asked: Mapping[str, Any]
    estimate: float
    sent: float
    state: BatchState


class Subject(NamedTuple):
    """What a request is about: the errors of a file that a step named. ``job`` and ``step`` are
    names for people; ``digest``, of hex digits, tells apart what is called the same.
    """

    workflow: bytes
    job: str
    step: str
    path: bytes | None
    digest: str


class BatchedRequest(NamedTuple):
    """A row of ``batch_requests``: the errors of a file, and the answer."""

    name: str
    workflow: bytes
    job: str
    step: str
    path: bytes | None
    model: str
    outcome: str = ""
    answer: str = ""
    reason: str = ""
    spend: int | None = None

    def is_about(self, subject: Subject) -> bool:
        """Whether this is the request that ``make_request`` made of a subject."""
        *rest, digest = self.name.split("-")
        if len(rest) == _PARTS:
            return digest == subject.digest
        # Sent by an earlier version, which wrote no digest.
        return (self.workflow, self.job, self.step, self.path) == subject[:4]


def make_request(name: str, subject: Subject, model: str) -> BatchedRequest:
    """A request that is about to be sent. ``name``, of four parts with hyphens between, gets the
    subject's digest behind it.
    """
    return BatchedRequest(f"{name}-{subject.digest}", *subject[:4], model)


class NewBatch(NamedTuple):
    """A batch that is about to be sent."""

    run_id: str
    commit: str
    asked: Mapping[str, Any]
    estimate: float
    requests: Sequence[BatchedRequest]


def begin_batch(database: Database, new: NewBatch) -> int:
    """Record a batch before it is sent; its number."""
    with database.transaction():
        number = database.insert(
            "INSERT INTO batches (id, run_id, commit_id, asked, estimate, sent_at, state)"
            " VALUES ('', ?, ?, ?, ?, ?, ?)",
            new.run_id, new.commit, json.dumps(new.asked), new.estimate, time.time(),
            BatchState.SENDING.value,
        )  # fmt: skip
        for one in new.requests:
            database.execute(
                f"INSERT INTO batch_requests (batch, {_REQUEST})"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                number, *one,
            )  # fmt: skip
    return number


def name_batch(database: Database, number: int, identity: str) -> None:
    """Record the id that the service gave."""
    database.execute(
        "UPDATE batches SET id = ?, state = ? WHERE number = ?",
        identity, BatchState.SENT.value, number,
    )  # fmt: skip


def forget_batch(database: Database, number: int) -> None:
    """Drop a batch that the service refused."""
    database.execute("DELETE FROM batches WHERE number = ?", number)


def set_batch_state(database: Database, number: int, state: BatchState) -> None:
    """Record how far a batch is."""
    database.execute("UPDATE batches SET state = ? WHERE number = ?", state.value, number)


def record_answer(database: Database, number: int, answered: BatchedRequest) -> None:
    """Record what became of a request."""
    database.execute(
        "UPDATE batch_requests SET outcome = ?, answer = ?, reason = ?, spend = ?"
        " WHERE batch = ? AND name = ?",
        answered.outcome, as_text(answered.answer), as_text(answered.reason), answered.spend,
        number, answered.name,
    )  # fmt: skip


def list_batches(database: Database) -> list[StoredBatch]:
    """All batches, the last first."""
    rows = database.fetch(f"SELECT {_COLUMNS} FROM batches ORDER BY number DESC")
    return [
        StoredBatch._make([*row[:4], json.loads(row[4]), row[5], row[6], BatchState(row[7])])
        for row in rows
    ]


def list_requests(database: Database, number: int) -> list[BatchedRequest]:
    """The requests of a batch, by their names."""
    rows: Iterable[Sequence[Any]] = database.fetch(
        f"SELECT {_REQUEST} FROM batch_requests WHERE batch = ? ORDER BY name", number
    )
    return [BatchedRequest(*row) for row in rows]


def estimate_open(database: Database, now: float = 0.0) -> float:
    """US dollars that batches cost at most whose bill is not known yet, at a time (0 for now)."""
    since = (now or time.time()) - _LONGEST
    rows = database.fetch(
        "SELECT total(estimate) FROM batches WHERE state IN ('sending', 'sent') AND sent_at > ?",
        since,
    )
    return float(rows[0][0])
