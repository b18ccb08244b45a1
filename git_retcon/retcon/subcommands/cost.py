"""``git retcon cost``: what models have cost, from the ledger."""

import json
import os
import sys
from collections.abc import Iterator

from git_retcon.files.xdg import state_folder
from git_retcon.model.ledger import Ledger, Statement, Total
from git_retcon.show.style import printable, write_line

_COLUMNS = "{:<8} {:<16} {:<20} {:>8} {:>12} {:>10} {:>10}"


def show_cost(*, as_json: bool) -> int:
    """Print totals by month, command and model. The exit status is always 0."""
    ledger = Ledger(
        state_folder(os.environ), lambda message: write_line(sys.stderr, f"warning: {message}")
    )
    statement = ledger.statement()
    if as_json:
        totals = [_json(total) for total in statement.totals]
        found = {"version": 1, "totals": totals, "usd": round(statement.dollars, 6)}
        write_line(sys.stdout, json.dumps(found, indent=2))
    else:
        for line in _lines(statement):
            write_line(sys.stdout, line)
    if statement.unreadable:
        write_line(sys.stderr, f"warning: {statement.unreadable} unreadable lines were passed over")
    return 0


def _lines(statement: Statement) -> Iterator[str]:
    if not statement.totals:
        yield "No model was asked yet: nothing was spent."
        return
    yield _COLUMNS.format("month", "command", "model", "requests", "input", "output", "USD")
    for total in statement.totals:
        yield _COLUMNS.format(
            total.month,
            printable(total.command),
            printable(total.model),
            total.requests,
            total.usage.input + total.usage.cache_read + total.usage.cache_write,
            total.usage.output,
            f"{total.dollars:.4f}",
        )
    yield _COLUMNS.format("", "", "", "", "", "total", f"{statement.dollars:.4f}")


def _json(total: Total) -> dict[str, object]:
    return {
        "month": total.month,
        "command": total.command,
        "model": total.model,
        "requests": total.requests,
        "input_tokens": total.usage.input,
        "cache_read_tokens": total.usage.cache_read,
        "cache_write_tokens": total.usage.cache_write,
        "output_tokens": total.usage.output,
        "usd": round(total.dollars, 6),
    }
