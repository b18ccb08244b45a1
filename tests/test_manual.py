"""The manual page says what the code does: options, keys, defaults, JSON, events, notes."""

import dataclasses
import json
import re
import typing
from pathlib import Path

import pytest

from git_retcon import settings
from git_retcon.commands.retcon import cli
from git_retcon.errors import Reason
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from git_retcon.retcon import events
from git_retcon.retcon.branch.note import Record
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.events import event_name
from tests.manual import ENVELOPE, Page, listed_words, reported_members
from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch

PAGE = Page("git-retcon", cli)


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


def test_every_reason_is_listed_and_no_other() -> None:
    listed = re.findall(r"(?m)^\.It Ql (\w+)$", PAGE.section("--json of every command", "Ss"))
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
    assert reported_members(done) == PAGE.members(title) | ENVELOPE


@pytest.mark.slow
def test_the_members_of_a_plan_are_listed_and_no_others(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    head, one, two, three = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, two, one, three]))
    plan = retcon_here(repo.path, "-n", "--explain", "--json", "history.toml")
    scene.run().ok()
    folding = retcon_here(repo.path, "-n", "--json", "--squash-wip", "history.toml")
    assert json.loads(folding.out)["folds"] == [{"position": 1, "wip": 1}]
    listed = listed_words(PAGE.section("run --dry-run --json", "Ss"))
    assert reported_members(plan) | reported_members(folding) == listed | ENVELOPE


def test_the_members_of_every_other_report_are_listed_and_no_others(
    spec: str, repo: TestRepository, sealed: Path
) -> None:
    ledger = Ledger(sealed / ".local/state/git-retcon", pytest.fail)
    ledger.book("retcon", settings.MODEL.default or "", Usage(1, 2, 3, 4), 0.5)
    retcon_here(repo.path, "--build", "false", spec)
    for title, *arguments in (
        ("hunks --json", "hunks", spec),
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
        assert reported_members(done) == PAGE.members(title) | ENVELOPE, title


def test_every_event_is_listed_with_itsreported_members() -> None:
    emitted = {
        event_name(event): {field.name for field in dataclasses.fields(event)}
        for event in typing.get_args(events.Event)
    }
    assert PAGE.events() == emitted


def test_every_event_of_a_run_is_named_in_the_page(spec: str, repo: TestRepository) -> None:
    done = retcon_here(repo.path, "--events", "--explain", "--build", "true", spec)
    names = {json.loads(line)["event"] for line in done.out.splitlines()}

    assert names
    assert names <= listed_words(PAGE.section("run --events", "Ss"))


def test_every_line_of_a_note_is_listed() -> None:
    record = Record(
        branch="clean", position=0, total=1, subject="s", digest="d", part="commit",
        engine="claude", source="o", atoms=("a",), released=("b",), bridged=True,
        verdicts=("build pass 1.0 s",), commands="c", seconds=1.0, tokens=2, cost=3.0,
    )  # fmt: skip
    keys = {line.partition(": ")[0] for line in record.text().splitlines()}
    assert keys == listed_words(PAGE.section("NOTES"))


def test_the_example_is_a_specification() -> None:
    example = re.search(
        r"(?s)\.Bd -literal[^\n]*\n(.*?)\.Ed", PAGE.section("THE SPECIFICATION FILE")
    )
    assert example is not None
    spec = SpecFile.parse(Path("example.toml"), example[1].encode()).spec
    assert [commit.subject for commit in spec.commits] == [
        "Move validation into a module of its own",
        "Accept tokens",
    ]
