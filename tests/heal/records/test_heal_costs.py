"""What heals cost: by heal, and by month."""

from pathlib import Path

import pytest

from git_retcon.heal.records.heal_costs import (
    Spending,
    assign_spend,
    list_spending,
    record_spend,
    spent_this_month,
)
from git_retcon.heal.records.heals import record_heal
from tests.heal.records.databases import new_database
from tests.heal.records.test_heals import HEAL

DAY = 86400.0
SPENT = Spending("claude-haiku-5-5", 1000, 200, 5000, 300, 0.0125, None, 10 * DAY)


def test_a_month_ends_with_its_last_second(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for at in (1.0, 31 * DAY - 1, 31 * DAY, 59 * DAY):
            record_spend(database, SPENT._replace(at=at))
        assert spent_this_month(database, 5 * DAY) == pytest.approx(0.025)
        assert spent_this_month(database, 32 * DAY) == pytest.approx(0.0125)
        assert spent_this_month(database) == 0.0


def test_now_is_in_this_month(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        record_spend(database, SPENT._replace(at=0.0))
        assert spent_this_month(database) == 0.0125


def test_requests_belong_to_a_heal_once_it_has_a_number(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        numbers = [record_spend(database, SPENT), record_spend(database, SPENT)]
        heal = record_heal(database, HEAL)
        assign_spend(database, numbers[0], heal)
        assert list_spending(database, heal) == [SPENT._replace(heal=heal)]
