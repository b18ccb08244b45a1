"""What a model answered in runs that have not come to their end, for the next one to go on with."""

import json
from collections.abc import Mapping
from typing import Any

from git_retcon.heal.records.database import Database
from git_retcon.lazy_named_tuple import NamedTuple


class KeptAnswer(NamedTuple):
    """What a model changed, as a unified diff, empty for nothing, and its attempt, as an object of
    JSON.
    """

    patch: bytes
    attempt: Mapping[str, Any]


def keep_answer(database: Database, run_id: str, question: str, answer: KeptAnswer) -> None:
    """Keep what was answered to a question, a digest of all that was asked."""
    database.execute(
        "INSERT OR REPLACE INTO answers (run_id, question, patch, attempt) VALUES (?, ?, ?, ?)",
        run_id, question, answer.patch, json.dumps(answer.attempt),
    )  # fmt: skip


def find_answer(database: Database, run_id: str, question: str) -> KeptAnswer | None:
    """What was kept, or None."""
    rows = database.fetch(
        "SELECT patch, attempt FROM answers WHERE run_id = ? AND question = ?", run_id, question
    )
    return KeptAnswer(rows[0][0], json.loads(rows[0][1])) if rows else None


def drop_answers(database: Database, run_id: str) -> None:
    """Forget what was answered for a state: its run has come to its end."""
    database.execute("DELETE FROM answers WHERE run_id = ?", run_id)
