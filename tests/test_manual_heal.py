"""git-heal(1) says what the code does: options, exit statuses, JSON."""

from pathlib import Path

import pytest

from git_retcon.code.diagnostics.diagnostic import Edit
from git_retcon.commands.heal import cli
from git_retcon.heal.error_report import error_members
from git_retcon.heal.records.heals import record_heal
from git_retcon.heal.records.run_errors import read_errors
from git_retcon.heal.records.runs import StoredRun
from git_retcon.heal.subcommands.run_choice import run_members
from tests.heal.project import new_clone
from tests.heal.recorded import open_records
from tests.heal.records.databases import BEGIN, find_error
from tests.heal.records.test_heals import HEAL
from tests.manual import ENVELOPE, Page, list_keys, reported_members
from tests.program import heal_here

PAGE = Page("git-heal", cli)


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


ERROR, RUN = PAGE.members("Errors in JSON"), PAGE.members("Runs in JSON")
NOTHING: frozenset[str] = frozenset()


@pytest.mark.slow
def test_the_members_of_a_report_are_listed_and_no_others(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=WORKFLOW, called=CALLED, broken="on: push\njobs: []\n")
    heal_here(repository.path, "check", "--trust", "--workflow=ci")
    with open_records(repository) as database:
        (error, *_) = read_errors(database, 1)
        record_heal(database, HEAL._replace(fingerprints=(error.fingerprint,)))
    note = "Version: 1\nVerdict: passed"
    repository.git("notes", "--ref=heal", "add", "-m", note)
    for title, others, *arguments in (
        ("check --json", ERROR, "check", "--trust"),
        ("workflows --json", NOTHING, "workflows"),
        ("errors --json", ERROR | RUN, "errors"),
        ("show --json", ERROR | RUN, "show", error.fingerprint),
        ("log --json", RUN, "log"),
        ("log run --json", ERROR | RUN, "log", "1"),
        ("clean --json", NOTHING, "clean", "-n"),
        ("fetch --json", NOTHING, "fetch", "."),
        ("push --json", NOTHING, "push", "."),
        ("install-hook --json", NOTHING, "install-hook"),
        ("pre-push --json", NOTHING, "pre-push"),
        ("completion --json", NOTHING, "completion", "zsh"),
        ("help --json", NOTHING, "help"),
    ):
        done = heal_here(repository.path, *arguments, "--json")
        own = PAGE.members(title) | ENVELOPE
        assert own <= reported_members(done) <= own | others, title


def test_the_members_of_an_error_and_of_a_run_are_listed_and_no_others() -> None:
    edit = Edit(b"src/a.py", 1, 1, 1, 2, "x")
    error = find_error("src/a.py", 1, "bad", edits=(edit,))
    assert list_keys(error_members(error)) == ERROR
    run = StoredRun(1, BEGIN, 1.0, "passed")
    assert list_keys(run_members(run)) == RUN
