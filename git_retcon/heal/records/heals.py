"""Heals: what was tried for the errors of a file, what was proved of it, what people decided."""

import enum
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from git_retcon.heal.records.database import Database
from git_retcon.heal.records.runs import as_text
from git_retcon.lazy_named_tuple import NamedTuple

_FIELDS = (
    "run, run_id, commit_id, path, engine, model, patch, attempts, proof, verdict, decision,"
    " decided_by, started, seconds, reason"
)


class HealVerdict(enum.Enum):
    """What was proved of a patch."""

    HEALED = "healed"
    UNVERIFIED = "unverified"
    LEFT = "left"  # there is no patch


class Decision(enum.Enum):
    """What people did with a patch."""

    OPEN = "open"
    APPLIED = "applied"
    REJECTED = "rejected"
    KEPT = "kept"  # on a branch, as the checkout had moved on
    UNDONE = "undone"


class Heal(NamedTuple):
    """A heal: the columns of ``heals``, and the errors that it answers, by their fingerprints.

    ``attempts`` and ``proof`` are objects that JSON has. ``run`` is None where that run was
    cleaned.
    """

    run: int | None
    run_id: str
    commit: str
    path: bytes | None
    engine: str
    model: str
    patch: bytes
    attempts: Sequence[Mapping[str, object]]
    proof: Sequence[Mapping[str, object]]
    verdict: HealVerdict
    decision: Decision
    decided_by: str
    started: float
    seconds: float
    reason: str
    fingerprints: tuple[str, ...]


class HealPart(NamedTuple):
    """What takes the place of a heal of which only a part was chosen."""

    patch: bytes
    proof: Sequence[Mapping[str, object]]
    verdict: HealVerdict
    reason: str


class StoredHeal(NamedTuple):
    """A heal and its number, by which people name it."""

    number: int
    heal: Heal


def record_heal(database: Database, heal: Heal) -> int:
    """Record a heal; its number."""
    with database.transaction():
        number = database.insert(
            f"INSERT INTO heals ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            heal.run, heal.run_id, heal.commit, heal.path, heal.engine, heal.model, heal.patch,
            json.dumps(list(heal.attempts)), json.dumps(list(heal.proof)), heal.verdict.value,
            heal.decision.value, as_text(heal.decided_by), heal.started, heal.seconds,
            as_text(heal.reason),
        )  # fmt: skip
        for fingerprint in dict.fromkeys(heal.fingerprints):
            database.execute("INSERT INTO heal_errors VALUES (?, ?)", number, fingerprint)
    return number


def record_part(database: Database, number: int, part: HealPart) -> None:
    """Record that only a part of a heal was chosen, or that it was edited."""
    database.execute(
        "UPDATE heals SET patch = ?, proof = ?, verdict = ?, reason = ? WHERE number = ?",
        part.patch, json.dumps(list(part.proof)), part.verdict.value, as_text(part.reason), number,
    )  # fmt: skip


def record_doubt(database: Database, number: int, reason: str) -> None:
    """Record why a heal is unverified where it was applied; with no reason, it is proved there."""
    verdict = HealVerdict.UNVERIFIED if reason else HealVerdict.HEALED
    database.execute(
        "UPDATE heals SET verdict = ?, reason = ? WHERE number = ?",
        verdict.value, as_text(reason), number,
    )  # fmt: skip


def decide_heal(database: Database, number: int, decision: Decision, decided_by: str) -> None:
    """Record what was decided about a heal."""
    database.execute(
        "UPDATE heals SET decision = ?, decided_by = ? WHERE number = ?",
        decision.value, as_text(decided_by), number,
    )  # fmt: skip


def read_heal(database: Database, number: int) -> StoredHeal | None:
    """A heal by its number, or None."""
    found = _find_heals(database, "number = ?", number)
    return found[0] if found else None


def list_heals(database: Database) -> list[StoredHeal]:
    """All heals, the last first."""
    return _find_heals(database, "1 ORDER BY number DESC")


def list_heals_of(database: Database, fingerprint: str) -> list[StoredHeal]:
    """The heals that answer an error, the last first."""
    where = "number IN (SELECT heal FROM heal_errors WHERE fingerprint = ?) ORDER BY number DESC"
    return _find_heals(database, where, fingerprint)


def list_proved_heals(database: Database, fingerprint: str) -> list[StoredHeal]:
    """The heals of an error that were proved and applied, the last first."""
    return [
        one
        for one in list_heals_of(database, fingerprint)
        if one.heal.verdict is HealVerdict.HEALED and one.heal.decision is Decision.APPLIED
    ]


def _find_heals(database: Database, where: str, *values: str | int) -> list[StoredHeal]:
    rows = database.fetch(f"SELECT number, {_FIELDS} FROM heals WHERE {where}", *values)
    return [StoredHeal(row[0], _make_heal(row[1:], _list_errors(database, row[0]))) for row in rows]


def _list_errors(database: Database, number: int) -> Iterable[str]:
    rows = database.fetch(
        "SELECT fingerprint FROM heal_errors WHERE heal = ? ORDER BY fingerprint", number
    )
    return (row[0] for row in rows)


def _make_heal(row: Sequence[Any], fingerprints: Iterable[str]) -> Heal:
    *first, attempts, proof, verdict, decision, decided_by, started, seconds, reason = row
    whole = [
        *first, tuple(json.loads(attempts)), tuple(json.loads(proof)), HealVerdict(verdict),
        Decision(decision), decided_by, started, seconds, reason, tuple(fingerprints),
    ]  # fmt: skip
    return Heal._make(whole)
