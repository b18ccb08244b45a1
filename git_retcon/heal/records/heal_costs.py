"""What heals cost in this repository, by request and month.

The ledger of all commands (``model/ledger``) is for people to read, and a fault of it stops no
run. This is what the limit of a month is counted by: what cannot be recorded is not spent.
"""

import time
from collections.abc import Mapping, Sequence

from git_retcon.heal.records.database import Database
from git_retcon.lazy_named_tuple import NamedTuple


class Spending(NamedTuple):
    """One request that was billed: tokens, and US dollars. ``heal`` is the number of its heal,
    ``batch`` that of the batch in which it cost less.
    """

    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    dollars: float
    heal: int | None = None
    at: float = 0.0  # seconds of the epoch; 0 for now
    batch: int | None = None


def record_spend(database: Database, spent: Spending) -> int:
    """Record a request; its number."""
    at = spent.at or time.time()
    return database.insert(
        "INSERT INTO spend (heal, spent_at, month, model, input, output, cache_read, cache_write,"
        " dollars, batch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        spent.heal, at, _name_month(at), spent.model, spent.input, spent.output,
        spent.cache_read, spent.cache_write, spent.dollars, spent.batch,
    )  # fmt: skip


def assign_spend(database: Database, number: int, heal: int) -> None:
    """Record which heal a request was for, once that has a number."""
    database.execute("UPDATE spend SET heal = ? WHERE number = ?", heal, number)


def assign_requests(
    database: Database, heal: int, attempts: Sequence[Mapping[str, object]]
) -> None:
    """Record that the requests of some attempts were for a heal."""
    for attempt in attempts:
        numbers = attempt.get("requests")
        for number in numbers if isinstance(numbers, list | tuple) else ():
            assign_spend(database, int(number), heal)


def list_spending(database: Database, heal: int) -> list[Spending]:
    """The requests of one heal, in their order."""
    rows = database.fetch(
        "SELECT model, input, output, cache_read, cache_write, dollars, heal, spent_at, batch"
        " FROM spend WHERE heal = ? ORDER BY number",
        heal,
    )
    return [Spending(*row) for row in rows]


def list_batch_bills(database: Database, batch: int) -> dict[int, Spending]:
    """The requests of one batch that were billed, by their numbers."""
    rows = database.fetch(
        "SELECT number, model, input, output, cache_read, cache_write, dollars, heal, spent_at,"
        " batch FROM spend WHERE batch = ?",
        batch,
    )
    return {row[0]: Spending(*row[1:]) for row in rows}


def spent_this_month(database: Database, now: float = 0.0) -> float:
    """US dollars spent in the month of a time (0 for now), in UTC."""
    month = _name_month(now or time.time())
    rows = database.fetch("SELECT total(dollars) FROM spend WHERE month = ?", month)
    return float(rows[0][0])


def _name_month(at: float) -> str:
    return time.strftime("%Y-%m", time.gmtime(at))
