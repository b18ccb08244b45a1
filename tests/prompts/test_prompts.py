"""What ``git retcon prompt`` tells an assistant is true."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import git_retcon.prompts
from git_retcon.commands.retcon import cli
from git_retcon.prompts import read_prompt
from git_retcon.retcon.spec.file import SpecFile


def test_the_command_prints_the_text() -> None:
    printed = CliRunner().invoke(cli, ["prompt"])
    assert printed.stdout == read_prompt("writing-a-spec")


def test_its_example_is_a_specification_with_every_key() -> None:
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", read_prompt("writing-a-spec"))
    spec = SpecFile.parse(Path("example.toml"), example.encode()).spec

    assert (spec.source, spec.remote, spec.cleaned) == (
        "feature-oauth", "origin/main", "feature-oauth-clean",
    )  # fmt: skip
    assert spec.setup and spec.build and spec.test
    assert len(spec.commits) == 4
    assert all(commit.hints for commit in spec.commits)
    assert any(commit.files for commit in spec.commits)
    assert any(commit.exclude for commit in spec.commits)
    assert not any(commit.history for commit in spec.commits)


def test_it_names_only_commands_and_options_that_exist() -> None:
    text = read_prompt("writing-a-spec")
    run = cli.commands["run"]
    options = {
        name for parameter in run.params if isinstance(parameter, click.Option)
        for name in parameter.opts
    }  # fmt: skip
    for line in re.findall(r"`git retcon ([^`]*)`", text):
        first, *_ = words = line.split()
        assert first in cli.commands or first.startswith("-") or first == "history.toml"
        assert {word for word in words if word.startswith("-")} <= options


def list_prompts() -> list[str]:
    folder = Path(git_retcon.prompts.__file__).parent
    return sorted(path.stem for path in folder.glob("*.md"))


@pytest.mark.parametrize("name", [each for each in list_prompts() if each != "writing-a-spec"])
def test_a_prompt_is_one_page(name: str) -> None:
    """Nobody reads a second page, neither a person nor, with the same care, a model."""
    text = read_prompt(name)
    assert len(text) <= 3_500 and text.count("\n") <= 80


@pytest.mark.parametrize(
    "name",
    [
        "retcon-place",
        "retcon-commit",
        "code-modification-instructions",
        "heal",
        "allium-step",
        "reconcile-chunk",
        "reconcile-combine",
    ],
)
def test_a_prompt_shows_a_right_and_a_wrong_answer(name: str) -> None:
    lines = read_prompt(name).splitlines()
    assert [word for line in lines for word in ("Right", "Wrong") if line.startswith(f"{word}: ")]
    assert sum(line.startswith("Right: ") for line in lines) == 1
    assert sum(line.startswith("Wrong: ") for line in lines) == 1
