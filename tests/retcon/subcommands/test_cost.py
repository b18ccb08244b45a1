"""``git retcon cost`` adds up what the ledger holds."""

import json
from pathlib import Path

import pytest

from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from tests.program import retcon_here


@pytest.fixture
def ledger(sealed: Path) -> Ledger:
    return Ledger(sealed / ".local/state/git-retcon", pytest.fail)


def test_nothing_asked_is_nothing_spent(tmp_path: Path) -> None:
    assert (
        retcon_here(tmp_path, "cost").ok().out == "No model has been asked yet: nothing is spent.\n"
    )
    told = json.loads(retcon_here(tmp_path, "cost", "--json").ok().out)
    assert told == {"version": 1, "status": "done", "totals": [], "usd": 0}


def test_costs_are_listed_and_added(tmp_path: Path, ledger: Ledger) -> None:
    ledger.book("retcon", "some-model", Usage(100, 20, 3, 4), 0.25)
    ledger.book("code-commit", "some-model", Usage(1, 2), 0.5)
    rows = [line.split() for line in retcon_here(tmp_path, "cost").ok().out.splitlines()]
    assert rows[0] == ["month", "command", "model", "requests", "input", "output", "USD"]
    assert ["retcon", "some-model", "1", "107", "20", "0.2500"] in [row[1:] for row in rows]
    assert rows[-1] == ["total", "0.7500"]
    data = json.loads(retcon_here(tmp_path, "cost", "--json").ok().out)
    assert data["usd"] == 0.75
    (total,) = (each for each in data["totals"] if each["command"] == "retcon")
    month = total.pop("month")
    assert rows[1][0] == month
    assert total == {
        "command": "retcon",
        "model": "some-model",
        "batch": False,
        "requests": 1,
        "input_tokens": 100,
        "cache_read_tokens": 3,
        "cache_write_tokens": 4,
        "output_tokens": 20,
        "usd": 0.25,
    }


def test_lines_that_cannot_be_read_are_counted(
    tmp_path: Path, sealed: Path, ledger: Ledger
) -> None:
    ledger.book("retcon", "some-model", Usage(1, 2), 0.25)
    (month,) = (sealed / ".local/state/git-retcon/ledger").iterdir()
    month.write_text(month.read_text() + "not json\n")
    done = retcon_here(tmp_path, "cost").ok()
    assert done.err == "warning: skipped 1 unreadable line of the ledger\n"
