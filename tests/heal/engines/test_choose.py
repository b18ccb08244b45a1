"""Which engines a heal has: the offline one always, a model where there is a key for it."""

import pytest

from git_retcon.heal.check_situation import open_checkout
from git_retcon.heal.engines.choose import choose_engines
from git_retcon.heal.healing.heal_events import HealEvent
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.records.database import database_path, open_database
from git_retcon.options import Output, SharedOptions
from git_retcon.show.events import EngineChosen
from tests.heal.records.databases import refuse_warning
from tests.repository import TestRepository

ASKED = SharedOptions(Output())


def choose(
    repo: TestRepository, shared: SharedOptions, *, sonnet: bool = False
) -> tuple[Engines, EngineChosen]:
    told: list[HealEvent] = []
    checkout = open_checkout(repo.path)
    with open_database(database_path(checkout.repository.common_dir), refuse_warning) as database:
        engines = choose_engines(checkout, shared, told.append, database, sonnet=sonnet)
    (chosen,) = told
    assert isinstance(chosen, EngineChosen)
    return engines, chosen


def test_without_a_key_no_model_is_asked_and_the_hint_says_how(repo: TestRepository) -> None:
    engines, chosen = choose(repo, ASKED)
    assert (engines.model, engines.offline.is_trusted) == (None, True)
    assert chosen.engine == "offline" and "ANTHROPIC_API_KEY" in chosen.hint


def test_offline_wins_over_a_key(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-x")
    engines, chosen = choose(repo, ASKED._replace(offline=True))
    assert (engines.model, chosen.engine, chosen.hint) == (None, "offline", "")


def test_with_a_key_a_model_comes_behind_the_offline_engine(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-x")
    engines, chosen = choose(repo, ASKED._replace(max_cost=0.25))
    assert engines.model is not None and engines.name == "claude"
    assert chosen.description.startswith("offline first, then ") and "0.25" in chosen.description
    _, larger = choose(repo, ASKED, sonnet=True)
    smaller = choose(repo, ASKED)[1]
    assert "claude-sonnet" in larger.description and "then claude-sonnet" not in smaller.description


def test_a_dry_run_opens_no_model(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-x")
    engines, _ = choose(repo, ASKED._replace(dry_run=True))
    assert engines.model is not None and engines.model() is None
