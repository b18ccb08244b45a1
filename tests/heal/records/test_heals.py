"""Heals as they are recorded and decided."""

from pathlib import Path

from git_retcon.heal.records.heals import (
    Decision,
    Heal,
    HealVerdict,
    decide_heal,
    list_heals,
    list_heals_of,
    read_heal,
    record_heal,
)
from git_retcon.heal.records.runs import drop_runs, record_run
from tests.heal.records.databases import BEGIN, new_database

HEAL = Heal(
    None, BEGIN.run_id, BEGIN.commit, b"src/\xff.py", "offline", "", b"--- a\n+++ b\n\xff",
    ({"fixer": "ruff", "exit_status": 0},), ({"step": "lint", "before": 1, "after": 0},),
    HealVerdict.HEALED, Decision.OPEN, "", 5.0, 1.5, "", ("a" * 32, "b" * 32),
)  # fmt: skip


def test_a_heal_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        number = record_heal(database, HEAL)
        assert read_heal(database, number) == (number, HEAL)
        assert read_heal(database, number + 1) is None


def test_a_decision_replaces_the_one_before(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        number = record_heal(database, HEAL)
        decide_heal(database, number, Decision.APPLIED, "me <me@example.org>")
        (found,) = list_heals(database)
        assert found.heal == HEAL._replace(
            decision=Decision.APPLIED, decided_by="me <me@example.org>"
        )


def test_heals_are_found_by_the_errors_that_they_answer(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        first = record_heal(database, HEAL)
        record_heal(database, HEAL._replace(fingerprints=("c" * 32,)))
        last = record_heal(database, HEAL)
        assert [one.number for one in list_heals_of(database, "a" * 32)] == [last, first]
        assert list_heals_of(database, "d" * 32) == []


def test_a_heal_stays_when_its_run_is_cleaned(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        with record_run(database, BEGIN) as run:
            number = record_heal(database, HEAL._replace(run=run))
        drop_runs(database, BEGIN.started + 1)
        assert read_heal(database, number) == (number, HEAL)
