"""Options beat the spec, which beats the configuration, which beats the defaults."""

from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.config import Config
from git_retcon.options import Output, SharedOptions
from git_retcon.retcon.rebuild.leftover import Leftovers
from git_retcon.retcon.rebuild.options import Request, decide_engine, decide_run
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.sandbox.level import Policy
from git_retcon.settings import Settings
from git_retcon.show.question import ask_person, say_yes

SHARED = SharedOptions(Output())
SPEC = Spec("feature", "main", "clean", (LogicalCommit("x"),), build="spec", test="")


def settings(**config: str) -> Settings:
    values = {f"retcon.{name}".lower(): (value,) for name, value in config.items()}
    return Settings(Config(values), {"HOME": "/home/ada"})


def test_the_first_place_that_names_a_command_counts() -> None:
    chosen = settings(build="config", setup="config")
    commands = decide_run(Request(SHARED), SPEC, chosen).commands
    assert (commands.setup, commands.build) == ("config", "spec")
    commands = decide_run(Request(SHARED, build="option"), SPEC, chosen).commands
    assert commands.build == "option"


def test_an_empty_command_switches_the_step_off() -> None:
    chosen = settings(build="config", test="config")
    commands = decide_run(Request(SHARED, build=""), SPEC, chosen).commands
    assert (commands.build, commands.test) == (None, None)


def test_leftover_and_wip_come_from_the_configuration_too() -> None:
    plain = decide_run(Request(SHARED), SPEC, settings())
    assert (plain.leftover, plain.squash_wip, plain.cache) == (Leftovers.COMMIT, False, True)
    configured = decide_run(Request(SHARED), SPEC, settings(leftover="stop", wip="squash"))
    assert (configured.leftover, configured.squash_wip) == (Leftovers.STOP, True)
    again = decide_run(Request(SHARED, leftover="commit"), SPEC, settings(leftover="stop"))
    assert again.leftover is Leftovers.COMMIT


def test_of_a_working_state_leftovers_are_left_unless_an_option_says_otherwise() -> None:
    spec, chosen = replace(SPEC, worktree=True), settings(leftover="stop")
    assert decide_run(Request(SHARED), spec, chosen).leftover is Leftovers.LEAVE
    stops = decide_run(Request(SHARED, leftover="stop"), spec, chosen)
    assert stops.leftover is Leftovers.STOP


def test_a_word_that_means_nothing_is_refused() -> None:
    with pytest.raises(Fatal, match=r"bad value 'perhaps' for 'retcon.wip'"):
        decide_run(Request(SHARED), SPEC, settings(wip="perhaps"))


def test_yes_answers_beforehand() -> None:
    assert decide_run(Request(SHARED), SPEC, settings()).ask is ask_person
    assert decide_run(Request(SHARED._replace(yes=True)), SPEC, settings()).ask is say_yes


def test_the_sandbox_and_the_withheld_paths_go_to_the_engine(sealed: Path) -> None:
    offline = SHARED._replace(offline=True)
    decided = decide_engine(Request(offline), settings(sandbox="require", neverSend="*.key"))
    assert (decided.sandbox, decided.never_send) == (Policy.REQUIRE, ("*.key",))
    assert decide_engine(
        Request(offline._replace(sandbox="off")), settings(sandbox="require")
    ).sandbox is Policy.OFF  # fmt: skip
