"""The manual page says what the code does: options, keys, defaults, JSON, events, notes."""

import dataclasses
import json
import re
import shutil
import subprocess
import typing
from pathlib import Path

import click
import pytest

from git_retcon import settings
from git_retcon.commands import wrapper
from git_retcon.commands.retcon import cli
from git_retcon.errors import Fatal, Reason
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from git_retcon.retcon import events
from git_retcon.retcon.branch.note import Record
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.events import event_name
from tests.program import Ran, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch

PAGE = Path(__file__).parents[1] / "man" / "man1" / "git-retcon.1"


def _section(title: str, kind: str = "Sh") -> str:
    """The source of one section, to the next of its kind."""
    parts = re.split(rf"(?m)^\.{kind} ", PAGE.read_text())
    (found,) = [part for part in parts if part.split("\n", 1)[0] == title]
    return found.split("\n", 1)[1]


def _words(source: str) -> set[str]:
    """What follows .Ic in a list: the names of members."""
    lines = re.findall(r"(?m)^\.(?:It )?Ic (.*)$", source)
    return {word for line in lines for word in re.findall(r"[\w-]+", line)}


def _options() -> set[str]:
    options = {"--version"}
    for command in cli.commands.values():
        with click.Context(command) as context:
            for parameter in command.get_params(context):
                if isinstance(parameter, click.Option):
                    options |= {*parameter.opts, *parameter.secondary_opts}
    return options


def _keys(value: object) -> set[str]:
    """Every member's name in a JSON value, at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for member in value.values() for key in _keys(member)}
    if isinstance(value, list):
        return {key for member in value for key in _keys(member)}
    return set()


def test_every_option_has_an_entry_and_every_entry_is_an_option() -> None:
    entries = " ".join(re.findall(r"(?m)^\.It (Fl .*)$", _section("OPTIONS")))
    documented = {f"--{name}" for name in re.findall(r"Fl Fl ([\w-]+)", entries)}
    documented |= {f"-{letter}" for letter in re.findall(r"Fl (\w)\b", entries)}

    assert documented == _options() | {"-h"}


def test_no_option_is_named_that_does_not_exist() -> None:
    named = {f"--{name}" for name in re.findall(r"Fl Fl ([\w-]+)", PAGE.read_text())}
    assert named <= _options()


@pytest.mark.parametrize("title", ["SYNOPSIS", "COMMANDS"])
def test_every_command_is_listed_and_no_other(title: str) -> None:
    listed = re.findall(r"(?m)^\.(?:It )?(?:Nm git retcon |Op )(?:Oo )?Cm (\w+)", _section(title))
    assert sorted(listed) == sorted(cli.commands)


def test_every_key_stands_with_its_variable_and_its_default() -> None:
    entries = re.split(r"(?m)^\.It ", _section("CONFIGURATION"))[1:]
    documented = {entry.split("\n", 1)[0]: entry for entry in entries}

    assert set(documented) == {f"Va {key.name} Pq Ev {key.variable}" for key in settings.KEYS}
    for key in settings.KEYS:
        entry = " ".join(documented[f"Va {key.name} Pq Ev {key.variable}"].split())
        said = f"default .Ql {key.default} " if key.default else "no default"
        assert said in f"{entry} ", key.name


def test_the_exit_statuses_are_those_of_the_code() -> None:
    documented = re.findall(r"(?m)^\.It (\d+)$", _section("EXIT STATUS"))
    assert documented == ["0", "1", str(Fatal.status), str(wrapper.USAGE), str(wrapper.INTERRUPTED)]


@pytest.fixture
def spec(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a spec in the current directory, a repository with a branch to rebuild."""
    repo.commit("base", {"a.py": "def one():\n    return 1\n"})
    repo.git("switch", "-q", "-c", "feature")
    repo.commit("wip", {"a.py": "def one():\n    return 2\n", "b.py": "import a\n"})
    top = 'source = "feature"\nremote = "main"\ncleaned = "clean"\n'
    repo.write({"history.toml": top + '[[commit]]\nmessage = "Return two"\nhints = "a.py, b.py"\n'})
    monkeypatch.chdir(repo.path)
    return "history.toml"


ENVELOPE = {"version", "status"}
FAILURE = {"reason", "retryable", "error", "hint", "next"}


def test_the_members_of_the_envelope_are_listed_and_no_others() -> None:
    assert _words(_section("--json of every command", "Ss")) == ENVELOPE | FAILURE


def test_every_reason_is_listed_and_no_other() -> None:
    listed = re.findall(r"(?m)^\.It Ql (\w+)$", _section("--json of every command", "Ss"))
    assert listed == [reason.value for reason in Reason]


@pytest.mark.parametrize(
    ("title", "arguments"),
    [
        ("run --json", ["--json", "--build", "false"]),
        ("run --json", ["--json", "--build", "true"]),
        ("status --json", ["status", "--json"]),
    ],
)
def test_the_members_of_a_report_are_listed_and_no_others(
    title: str, arguments: list[str], spec: str, repo: TestRepository
) -> None:
    done = retcon_here(repo.path, *arguments, spec)
    assert _members(done) == _words(_section(title, "Ss")) | ENVELOPE


def test_the_members_of_a_plan_are_listed_and_no_others(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    head, one, two, three = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, two, one, three]))
    plan = retcon_here(repo.path, "-n", "--json", "history.toml")
    scene.run().ok()
    folding = retcon_here(repo.path, "-n", "--json", "--squash-wip", "history.toml")
    assert json.loads(folding.out)["folds"] == [{"position": 1, "wip": 1}]
    listed = _words(_section("run --dry-run --json", "Ss"))
    assert _members(plan) | _members(folding) == listed | ENVELOPE


def test_the_members_of_every_other_report_are_listed_and_no_others(
    spec: str, repo: TestRepository, sealed: Path
) -> None:
    ledger = Ledger(sealed / ".local/state/git-retcon", pytest.fail)
    ledger.book("retcon", settings.MODEL.default or "", Usage(1, 2, 3, 4), 0.5)
    retcon_here(repo.path, "--build", "false", spec)
    for title, *arguments in (
        ("resolve --json", "resolve", spec, "note"),
        ("clean --json", "clean", "-n"),
        ("clean --json", "clean"),
        ("undo --json", "undo", spec),
        ("doctor --json", "doctor"),
        ("cost --json", "cost"),
        ("prompt --json, completion --json", "prompt"),
        ("prompt --json, completion --json", "completion", "bash"),
        ("help --json", "help"),
    ):
        done = retcon_here(repo.path, *arguments, "--json")
        assert _members(done) == _words(_section(title, "Ss")) | ENVELOPE, title


def _members(done: Ran) -> set[str]:
    """The names in a report, at any depth, less those of a failure, which must be there then."""
    report = json.loads(done.out)
    assert report["version"] == 1
    assert list(report)[:2] == ["version", "status"]
    assert set(report) & FAILURE == (FAILURE if done.status else set())
    return _keys({name: report[name] for name in set(report) - FAILURE})


def test_every_event_is_listed_with_its_members() -> None:
    source = _section("run --events", "Ss").partition("\n.Sh ")[0]
    entries = re.split(r"(?m)^\.It Ic ", source)[1:]
    documented = {name: _words(rest) for name, _, rest in (e.partition("\n") for e in entries)}
    emitted = {
        event_name(event): {field.name for field in dataclasses.fields(event)}
        for event in typing.get_args(events.Event)
    }
    assert documented == emitted


def test_every_event_of_a_run_is_named_in_the_page(spec: str, repo: TestRepository) -> None:
    done = retcon_here(repo.path, "--events", "--explain", "--build", "true", spec)
    names = {json.loads(line)["event"] for line in done.out.splitlines()}

    assert names
    assert names <= _words(_section("run --events", "Ss"))


def test_every_line_of_a_note_is_listed() -> None:
    record = Record(
        branch="clean", position=0, total=1, subject="s", digest="d", part="commit",
        engine="claude", source="o", atoms=("a",), bridged=True, verdicts=("build pass 1.0 s",),
        seconds=1.0, tokens=2, cost=3.0,
    )  # fmt: skip
    keys = {line.partition(": ")[0] for line in record.text().splitlines()}
    assert keys == _words(_section("NOTES"))


def test_the_example_is_a_specification() -> None:
    example = re.search(r"(?s)\.Bd -literal[^\n]*\n(.*?)\.Ed", _section("THE SPECIFICATION FILE"))
    assert example is not None
    spec = SpecFile.parse(Path("example.toml"), example[1].encode()).spec
    assert [commit.subject for commit in spec.commits] == [
        "Move validation into a module of its own",
        "Accept tokens",
    ]


@pytest.mark.parametrize("page", sorted(PAGE.parent.iterdir()), ids=lambda page: page.name)
def test_no_quotation_is_inside_another(page: Path) -> None:
    """Ql quotes all the rest of its line, a second Ql with it."""
    nested = re.compile(r"(?m)^\.(?=.*\bQl\b.*\b(?:Ql|No)\b).*$")
    assert nested.findall(page.read_text()) == []


def test_the_page_is_sound_to_mandoc() -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", str(PAGE)], capture_output=True, text=True
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
