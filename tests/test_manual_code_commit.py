"""git-code-commit(1) says what the code does: options, keys, defaults, JSON, events, grammar."""

import dataclasses
import re
import typing
from pathlib import Path

import pytest

from git_retcon.code_commit import events
from git_retcon.code_commit.answer_grammar import parse_answer
from git_retcon.commands.code_commit import cli
from git_retcon.show.events import event_name
from tests.code_commit.project import answer_of, new_project
from tests.manual import ENVELOPE, Page, reported_members
from tests.program import code_commit_here

PAGE = Page("git-code-commit", cli)


@pytest.mark.slow
def test_the_members_of_a_report_are_listed_and_no_others(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project", {"binary": b"\0"})
    answer = answer_of({"src/a.txt": "two\n"})
    for title, *arguments in (
        ("run --dry-run --json", "--response", "-", "-n"),
        ("run --json", "--response", "-"),
        ("undo --json", "undo"),
        ("rollup --json", "rollup"),
        ("run --json", "--response", "-", "--build", "false"),
        ("run --abort --json", "--abort"),
        ("completion --json", "completion", "zsh"),
        ("help --json", "help"),
    ):
        done = code_commit_here(project.path, *arguments, "--json", stdin=answer)
        assert reported_members(done) == PAGE.members(title) | ENVELOPE, title


def test_every_event_is_listed_with_itsreported_members() -> None:
    emitted = {
        event_name(event): {field.name for field in dataclasses.fields(event)}
        for event in typing.get_args(events.Event)
    }
    assert PAGE.events() == emitted


def test_the_example_is_an_answer() -> None:
    example = re.search(r"(?s)\.Bd -literal[^\n]*\n(.*?)\.Ed", PAGE.section("THE ANSWER"))
    assert example is not None
    blocks = parse_answer(example[1].encode()).blocks
    assert [(block.path, block.body is None) for block in blocks] == [
        (b"src/example.py", False),
        (b"src/obsolete.py", True),
    ]
