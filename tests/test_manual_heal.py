"""git-heal(1) says what the code does: options, exit statuses, JSON."""

from pathlib import Path

import pytest

from git_retcon.commands.heal import cli
from tests.heal.project import new_clone
from tests.manual import ENVELOPE, Page, reported_members
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


@pytest.mark.slow
def test_the_members_of_a_report_are_listed_and_no_others(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=WORKFLOW, called=CALLED, broken="on: push\njobs: []\n")
    for title, *arguments in (
        ("check --json", "check", "--trust"),
        ("workflows --json", "workflows"),
        ("completion --json", "completion", "zsh"),
        ("help --json", "help"),
    ):
        done = heal_here(repository.path, *arguments, "--json")
        assert reported_members(done) == PAGE.members(title) | ENVELOPE, title
