"""git-heal(1) says what the code does: options, exit statuses, JSON."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from git_retcon.commands import wrapper
from git_retcon.commands.heal import cli
from git_retcon.errors import Fatal
from tests.heal.project import new_clone
from tests.program import heal_here

PAGE = Path(__file__).parents[1] / "man" / "man1" / "git-heal.1"


def _section(title: str, kind: str = "Sh") -> str:
    """The source of one section, to the next of its kind."""
    parts = re.split(rf"(?m)^\.{kind} ", PAGE.read_text())
    (found,) = [part for part in parts if part.split("\n", 1)[0] == title]
    return found.split("\n", 1)[1]


def _words(source: str) -> set[str]:
    """What follows .Ic, or after Ic in a line: the names of members."""
    lines = re.findall(r"(?m)^\.(?:It |Pq )?Ic (.*)$", source)
    return {word for line in lines for word in re.findall(r"[\w-]+", line)} - {"No", "and", "Ic"}


def _options() -> set[str]:
    options = {"--version", "-h"}
    for command in cli.commands.values():
        with click.Context(command) as context:
            for parameter in command.get_params(context):
                if isinstance(parameter, click.Option):
                    options |= {*parameter.opts, *parameter.secondary_opts}
    return options


def _keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for member in value.values() for key in _keys(member)}
    if isinstance(value, list):
        return {key for member in value for key in _keys(member)}
    return set()


def test_every_option_has_an_entry_and_every_entry_is_an_option() -> None:
    entries = " ".join(re.findall(r"(?m)^\.It (Fl .*)$", _section("OPTIONS")))
    documented = {f"--{name}" for name in re.findall(r"Fl Fl ([\w-]+)", entries)}
    documented |= {f"-{letter}" for letter in re.findall(r"Fl (\w)\b", entries)}
    assert documented == _options()
    assert {f"--{n}" for n in re.findall(r"Fl Fl ([\w-]+)", PAGE.read_text())} <= _options()


@pytest.mark.parametrize("title", ["SYNOPSIS", "COMMANDS"])
def test_every_command_is_listed_and_no_other(title: str) -> None:
    pattern = r"(?m)^\.(?:It )?(?:Nm git heal |Op )Cm (\w+)"
    assert sorted(re.findall(pattern, _section(title))) == sorted(cli.commands)


def test_the_exit_statuses_are_those_of_the_code() -> None:
    documented = re.findall(r"(?m)^\.It (\d+)$", _section("EXIT STATUS"))
    assert documented == ["0", "1", str(Fatal.status), str(wrapper.USAGE), str(wrapper.INTERRUPTED)]


ENVELOPE = {"version", "status"}
FAILURE = {"reason", "retryable", "error", "hint", "next"}


def test_the_members_of_the_envelope_are_listed_and_no_others() -> None:
    assert _words(_section("--json of every command", "Ss")) == ENVELOPE | FAILURE


WORKFLOW = """\
on: push
jobs:
  a: {uses: ./.github/workflows/called.yml}
"""
CALLED = """\
on: workflow_call
jobs:
  b:
    runs-on: x
    steps:
    - uses: actions/setup-python@v5
    - run: echo '::error file=a.txt,line=1::bad'; exit 1
    - run: sudo b
"""


def test_the_members_of_a_report_are_listed_and_no_others(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=WORKFLOW, called=CALLED, broken="on: push\njobs: []\n")
    for title, *arguments in (
        ("check --json", "check", "--trust"),
        ("workflows --json", "workflows"),
        ("completion --json", "completion", "zsh"),
        ("help --json", "help"),
    ):
        done = heal_here(repository.path, *arguments, "--json")
        report = json.loads(done.out)
        assert report["version"] == 1
        assert set(report) & FAILURE == (FAILURE if done.status else set()), title
        members = _keys({name: report[name] for name in set(report) - FAILURE})
        assert members == _words(_section(title, "Ss")) | ENVELOPE, title


def test_the_page_is_sound_to_mandoc() -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", str(PAGE)], capture_output=True, text=True
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
