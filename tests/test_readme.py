"""What the README shows is what the code takes."""

import json
import re
import shlex
from pathlib import Path

import click

from git_retcon import settings
from git_retcon.commands.allium import cli as allium
from git_retcon.commands.code_commit import cli as code_commit
from git_retcon.commands.heal import cli as heal
from git_retcon.commands.retcon import cli
from git_retcon.retcon import planner
from git_retcon.retcon.spec.file import SpecFile
from tests.program import allium_here, retcon

README = (Path(__file__).parents[1] / "README.md").read_text()
MEASURED = (Path(__file__).parent / "bench" / "README.md").read_text()


def test_the_example_is_a_specification() -> None:
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", README)
    spec = SpecFile.parse(Path("example.toml"), example.encode()).spec
    assert [commit.subject for commit in spec.commits] == [
        "Call the rows of an invoice items",
        "Take discounts off items",
    ]


def test_every_subcommand_and_option_it_names_exists() -> None:
    options = {
        name
        for command in cli.commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in parameter.opts
    }
    calls = re.findall(r"(?:bin/git-retcon|git retcon) ([^`\n#]+)", README)
    others = {
        name
        for command in code_commit.commands.values()
        for parameter in command.params
        for name in parameter.opts
    }
    for words in map(shlex.split, re.findall(r"(?m)^\$ git code-commit ([^#\n]+)", README)):
        assert words[0] in code_commit.commands or words[0].startswith("-")
        assert {word for word in words if word.startswith("-")} <= others

    for words in map(shlex.split, re.findall(r"(?m)^\$ git heal ([^#\n]+)", README)):
        assert words[0] in heal.commands

    assert calls
    for words in map(str.split, calls):
        first = words[0]
        assert first in cli.commands or first == "history.toml" or first.startswith("-"), words
        named = {word.partition("=")[0] for word in words if word.startswith("-")}
        assert named <= options | {"--help"}
    # options that are alone in backticks are ours too, unless they are git's
    alone = set(re.findall(r"`(--[a-z-]+)(?:=\w+)?`", README))
    assert alone <= options | others | {"--soft"}


def test_its_table_of_keys_agrees_with_the_settings() -> None:
    rows = re.findall(r"(?m)^\| (`retcon\..*?) \| (.*?) \| (.*?) \|$", README)
    known = {key.name: key for key in settings.KEYS}

    assert len(rows) > 5
    for names, variable, default in rows:
        for name in re.findall(r"`([^`]+)`", names):
            key = known[name]
            assert f"`{key.variable}`" in variable or "…" in variable
            if key.default is not None:
                assert f"`{key.default}`" in default


def test_its_session_is_what_the_demo_prints(tmp_path: Path) -> None:
    (session,) = re.findall(r"(?s)```console\n\$ bin/git-retcon demo (\S+)\n(.*?)```", README)
    shown, lines = session
    done = retcon(tmp_path, "demo", str(tmp_path / "demo")).ok()
    printed = iter((done.err + done.out).replace(str(tmp_path / "demo"), shown).splitlines())

    # in this order; "…" marks what is left out
    for line in lines.splitlines():
        assert line in ("…", "") or line in printed, f"the demo does not print {line!r} there"


def test_its_specification_has_the_errors_that_it_shows(tmp_path: Path) -> None:
    (specification,) = re.findall(r"(?s)```allium\n(.*?)```", README)
    (shown,) = re.findall(r"(?s)```console\n\$ git allium check shop.allium\n(.*?)```", README)
    (tmp_path / "shop.allium").write_text(specification)
    done = allium_here(tmp_path, "check", "shop.allium")
    assert done.out + done.err == shown


def test_every_call_of_git_allium_is_one() -> None:
    calls = re.findall(r"(?m)^\$ git allium ([^#\n]+)", README)
    assert calls
    for name, *words in map(shlex.split, calls):
        allium.commands[name].make_context(name, words)


def test_nothing_is_measured_where_the_weights_were_fitted() -> None:
    weights = (Path(planner.__file__).parent / "weights.json").read_text()
    data = json.loads(weights)
    fitted = {name for part in data if part.endswith("fitted on") for name in data[part]}
    # What comes behind is measured of other commands, which have no weights.
    planned, found, _ = MEASURED.partition("\n## `git heal check`")
    assert found
    measured = set(re.findall(r"^\| ([\w.-]+/[\w.-]+) \|", planned, re.M))
    assert measured
    assert fitted
    assert not fitted & measured
