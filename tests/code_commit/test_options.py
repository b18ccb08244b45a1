"""Options beat the environment, which beats the configuration, which beats the defaults."""

import pytest

from git_retcon.code_commit.options import Decisions, Request, choose_model, decide
from git_retcon.errors import Fatal, UserError
from git_retcon.git.config import Config
from git_retcon.model.engine_choice import EngineName
from git_retcon.options import Output, SharedOptions
from git_retcon.run.commands import DEFAULT_TIMEOUT
from git_retcon.run.sandbox.level import Policy
from git_retcon.settings import Settings

SHARED = SharedOptions(Output())
KEY = {"ANTHROPIC_API_KEY": "sk-ant-x"}


def settings(*, env: dict[str, str] | None = None, **config: str) -> Settings:
    values = {f"codecommit.{name}": (value,) for name, value in config.items()}
    return Settings(Config(values), env or {})


def test_without_anything_the_defaults_count() -> None:
    assert decide(Request(SHARED), settings()) == Decisions(
        build=None, patterns=(), repairs=3, timeout=DEFAULT_TIMEOUT, policy=Policy.AUTO,
        never_send=(),
    )  # fmt: skip


def test_an_option_beats_the_configuration() -> None:
    request = Request(SHARED._replace(sandbox="off"), build="make", repairs=0, timeout=5)
    decided = decide(request, settings(build="ninja", repairs="7", protect="*.sql"))
    assert (decided.build, decided.repairs, decided.timeout) == ("make", 0, 5)
    assert decided.policy is Policy.OFF
    assert decided.patterns == ("*.sql",)
    configured = decide(Request(SHARED), settings(build="ninja", repairs="7"))
    assert (configured.build, configured.repairs) == ("ninja", 7)


def test_half_a_repair_is_refused() -> None:
    with pytest.raises(Fatal, match=r"bad number '1.5' for 'codecommit.repairs'"):
        decide(Request(SHARED), settings(repairs="1.5"))


def test_an_answer_that_is_brought_needs_no_key_and_asks_no_model() -> None:
    brought = choose_model(Request(SHARED, response="-"), settings(env=KEY), None)
    assert brought.engine is EngineName.OFFLINE
    asked = choose_model(Request(SHARED), settings(env=KEY), None)
    assert asked.engine is EngineName.CLAUDE
    assert asked.description == "claude-sonnet-5-5, up to $1.00"


def test_a_key_of_the_project_is_one() -> None:
    assert choose_model(Request(SHARED), settings(), "sk-ant-x").engine is EngineName.CLAUDE
    with pytest.raises(UserError, match="no API key"):
        choose_model(Request(SHARED._replace(engine="claude")), settings(), None)
