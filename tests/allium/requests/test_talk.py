"""Tested where engines ask, in tests/allium/engines and tests/allium/reconcile; here the sum."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from git_retcon.allium.engines.engine_opening import choose_models
from git_retcon.allium.requests.talk import Question, Talk
from git_retcon.model.connection import open_client
from git_retcon.model.failures import NoAnswer
from git_retcon.options import Output, SharedOptions
from git_retcon.settings import Settings
from tests.model.loopback import LoopbackApi, answers
from tests.repository import TestRepository

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def open_talk(repo: TestRepository, api: LoopbackApi, patch: pytest.MonkeyPatch) -> Talk:
    for key, value in api.env.items():
        patch.setenv(key, value)
    chosen = Settings(repo.open().config, api.env)
    choice = choose_models(SharedOptions(Output()), chosen)
    client = open_client(choice, os.environ, "allium", print)
    return Talk(client, client)


def test_cost_is_the_sum_of_all_answers_also_of_refused_ones(
    repo: TestRepository, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = open_talk(repo, api, monkeypatch)
    api.responder = lambda _: answers({"n": 1})
    good = Question("s", "p", SCHEMA, lambda _: None)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: talk.ask("claude-sonnet-5-5", good), range(8)))
    one = talk.cost / 8
    assert talk.usage.input == 800
    with pytest.raises(NoAnswer):
        talk.ask("claude-sonnet-5-5", Question("s", "p", SCHEMA, lambda _: "wrong"))
    assert talk.cost == pytest.approx(10 * one)
