"""git's configuration, read as git reads it."""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.git.config import Config, parse_boolean
from tests.repository import TestRepository


def test_the_last_value_counts_and_all_are_kept(repo: TestRepository) -> None:
    repo.git("config", "--add", "heal.trusted", "one")
    repo.git("config", "--add", "heal.trusted", "two\nlines")
    config = repo.open().config
    assert config.get("heal.trusted") == "two\nlines"
    assert config.all("heal.trusted") == ("one", "two\nlines")
    assert config.get("heal.nothing") is None
    assert config.all("heal.nothing") == ()


def test_sections_and_names_know_no_case_but_subsections_do(repo: TestRepository) -> None:
    repo.git("config", "Branch.My.Topic.mergeOptions", "x")
    repo.git("config", "retcon.worktreeDir", "/w")
    config = repo.open().config
    assert config.get("bRANCH.My.Topic.MERGEoptions") == "x"
    assert config.get("branch.my.topic.mergeoptions") is None
    assert config.get("Retcon.WorktreeDir") == "/w"


def test_a_key_without_a_value_is_true_and_bytes_survive() -> None:
    config = Config.parse(b"a.b\0a.c\n\0a.d\n\xff=\n\n\0")
    assert config.boolean("a.b") is True
    assert config.boolean("a.c") is False
    assert config.get("a.d") == "\udcff=\n\n"
    assert config.boolean("a.none", default=True) is True


spellings = st.one_of(
    st.sampled_from(["true", "YES", "On", "false", "No", "OFF", "", "maybe", "0x", "1 ", " true"]),
    st.from_regex(r"\A {0,1}[+-]?(0x)?[0-9a-f]{1,3}[kmgKMG]?\Z"),
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(spellings)
def test_truth_is_what_git_says(repo: TestRepository, value: str) -> None:
    said = subprocess.run(
        ["git", "-C", str(repo.path), "-c", f"a.b={value}", "config", "--type=bool", "a.b"],
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode == 0:
        assert parse_boolean("a.b", value) is (said.stdout == "true\n")
    else:
        with pytest.raises(Fatal, match=r"'a\.b'"):
            parse_boolean("a.b", value)
