"""Options beat the environment, which beats the configuration, which beats the defaults."""

import math

import pytest

from git_retcon.errors import Fatal, WrongUsage
from git_retcon.git.config import Config
from git_retcon.model.budget import Budget
from git_retcon.model.credentials import Credentials, credentials_in
from git_retcon.model.engine_choice import EngineName, EngineOptions, ModelChoice, choose_engine
from git_retcon.model.failures import NoCredentials
from git_retcon.settings import CODE_COMMIT_MAX_COST, MAX_COST, Settings

KEY = {"ANTHROPIC_API_KEY": "sk-ant-x"}


def chosen(
    options: EngineOptions | None = None,
    config: dict[str, str] | None = None,
    env: dict[str, str] | None = None,
) -> ModelChoice:
    values = {name.lower(): (value,) for name, value in (config or {}).items()}
    return choose_engine(options or EngineOptions(), Settings(Config(values), env or {}), MAX_COST)


def test_with_a_key_it_is_claude() -> None:
    choice = chosen(env=KEY)
    assert choice.engine is EngineName.CLAUDE
    assert (choice.small_model, choice.model, choice.large_model) == (
        "claude-haiku-5-5",
        "claude-sonnet-5-5",
        "claude-opus-5-5",
    )
    assert choice.description == "claude-sonnet-5-5, up to $2.00"
    assert choice.hint is None


def test_a_token_is_a_credential_and_a_base_url_is_none() -> None:
    assert chosen(env={"ANTHROPIC_AUTH_TOKEN": "t"}).engine is EngineName.CLAUDE
    choice = chosen(env={"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": " "})
    assert choice.engine is EngineName.OFFLINE
    assert choice.hint == "no API key, so offline; set ANTHROPIC_API_KEY to use Claude"
    assert choice.description == "offline (no model is asked)"


def test_a_replay_needs_no_key() -> None:
    assert chosen(env={"GIT_RETCON_CASSETTE": "replay:x"}).engine is EngineName.CLAUDE
    assert chosen(env={"GIT_RETCON_CASSETTE": "record:x"}).engine is EngineName.OFFLINE


def test_offline_is_obeyed_without_a_hint() -> None:
    for choice in (
        chosen(EngineOptions(offline=True), env=KEY),
        chosen(EngineOptions(engine="offline"), env=KEY),
        chosen(config={"retcon.engine": "offline"}, env=KEY),
        chosen(config={"retcon.engine": "claude"}, env={**KEY, "GIT_RETCON_ENGINE": "offline"}),
    ):
        assert choice.engine is EngineName.OFFLINE
        assert choice.hint is None


def test_claude_without_a_key_is_fatal() -> None:
    with pytest.raises(NoCredentials, match="no API key") as caught:
        chosen(EngineOptions(engine="claude"))
    assert caught.value.status == 128


def test_the_order_of_sources() -> None:
    models = ("retcon.model", "retcon.smallModel", "retcon.largeModel")
    config = {**dict.fromkeys(models, "c"), "retcon.maxCost": "1"}
    env = {
        **KEY,
        "GIT_RETCON_MODEL": "e",
        "GIT_RETCON_SMALL_MODEL": "e",
        "GIT_RETCON_MAX_COST": "3",
    }
    choice = chosen(EngineOptions(model="o", max_tokens=5000), config, env)
    assert (choice.model, choice.small_model, choice.large_model) == ("o", "e", "c")
    assert choice.budget == Budget(3.0, 5000)
    assert choice.description.endswith("up to $3.00 and 5,000 tokens")
    assert chosen(EngineOptions(max_cost=0.5), config, env).budget == Budget(0.5)


def test_a_command_has_a_budget_of_its_own() -> None:
    env = {**KEY, "GIT_RETCON_MAX_COST": "3"}
    of_code_commit = Settings(Config({}), env)
    assert choose_engine(EngineOptions(), of_code_commit, CODE_COMMIT_MAX_COST).budget == Budget(
        1.0
    )


def test_contradictions_and_nonsense_are_named() -> None:
    with pytest.raises(WrongUsage, match="contradict"):
        chosen(EngineOptions(offline=True, engine="claude"))
    with pytest.raises(Fatal, match=r"bad value 'gpt' for 'retcon\.engine'"):
        chosen(config={"retcon.engine": "gpt"})
    for cost in ("much", "-1", "nan", "inf"):
        with pytest.raises(Fatal, match=r"bad number '.*' for 'retcon\.maxCost'"):
            chosen(config={"retcon.maxCost": cost})
    with pytest.raises(Fatal, match="bad number 'much' for 'GIT_RETCON_MAX_COST'"):
        chosen(env={**KEY, "GIT_RETCON_MAX_COST": "much"})
    with pytest.raises(Fatal, match="bad value 'gpt' for 'GIT_RETCON_ENGINE'"):
        chosen(env={"GIT_RETCON_ENGINE": "gpt"})
    for number in (math.nan, math.inf, -1.0):
        with pytest.raises(Fatal, match="amount of money"):
            chosen(EngineOptions(max_cost=number))


def test_credentials_in_their_order() -> None:
    both = {"ANTHROPIC_API_KEY": "k\n", "ANTHROPIC_AUTH_TOKEN": "t"}
    assert credentials_in(both) == Credentials("key", "k")
    assert credentials_in({"ANTHROPIC_AUTH_TOKEN": "t"}, "file") == Credentials("token", "t")
    assert credentials_in({}, "file\n") == Credentials("key", "file")
    assert "k" not in repr(credentials_in(both)).replace("kind", "").replace("key", "")


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "smörgås", "tab\there"])
def test_a_key_that_cannot_be_sent_is_not_quoted(key: str) -> None:
    with pytest.raises(NoCredentials, match="characters that no API key has") as caught:
        credentials_in({"ANTHROPIC_API_KEY": key})
    assert key not in str(caught.value)


@pytest.mark.parametrize("url", ["example.com", "ftp://x", "http://", "http://[::1"])
def test_a_base_url_that_is_none_is_named(url: str) -> None:
    with pytest.raises(NoCredentials, match="ANTHROPIC_BASE_URL"):
        credentials_in({**KEY, "ANTHROPIC_BASE_URL": url})
