"""``git retcon cost``: print what models have cost, from the ledger."""

import os
import sys
from collections.abc import Iterator

from git_retcon.files.xdg import state_folder
from git_retcon.git.current_config import CurrentConfig
from git_retcon.model.ledger import BATCH, Ledger, Statement, Total
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say
from git_retcon.show.style import Style, printable, style_of, write_line

_COLUMNS = "{:<8} {:<16} {:<20} {:>8} {:>12} {:>10} {:>10}"


def show_cost(output: Output) -> Ending:
    """Print totals by month, command and model."""
    ledger = Ledger(state_folder(os.environ), lambda message: say("warning", message))
    statement = ledger.statement()
    if not output.json:
        style = style_of(sys.stdout, output, CurrentConfig().get)
        for line in _format_statement(statement, style):
            write_line(sys.stdout, line)
    if statement.unreadable:
        say("warning", f"skipped {count(statement.unreadable, 'unreadable line')} of the ledger")
    totals = [_describe_total(total) for total in statement.totals]
    return Ending(data={"totals": totals, "usd": round(statement.dollars, 6)})


def _format_statement(statement: Statement, style: Style) -> Iterator[str]:
    if not statement.totals:
        yield "No model has been asked yet: nothing is spent."
        return
    heading = ("month", "command", "model", "requests", "input", "output", "USD")
    yield style.title(_COLUMNS.format(*heading))
    for total in statement.totals:
        yield _COLUMNS.format(
            total.month,
            printable(total.command),
            printable(total.model) + (f" ({total.way})" if total.way else ""),
            total.requests,
            # People count what went in; --json has the three apart, which cost differently.
            total.usage.input + total.usage.cache_read + total.usage.cache_write,
            total.usage.output,
            f"{total.dollars:.4f}",
        )
    yield _COLUMNS.format("", "", "", "", "", "total", f"{statement.dollars:.4f}")


def _describe_total(total: Total) -> dict[str, object]:
    return {
        "month": total.month,
        "command": total.command,
        "model": total.model,
        "batch": total.way == BATCH,
        "requests": total.requests,
        "input_tokens": total.usage.input,
        "cache_read_tokens": total.usage.cache_read,
        "cache_write_tokens": total.usage.cache_write,
        "output_tokens": total.usage.output,
        "usd": round(total.dollars, 6),
    }
