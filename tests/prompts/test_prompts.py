"""What ``git retcon prompt`` tells an assistant is true."""

import re
from pathlib import Path

import click
from click.testing import CliRunner

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
