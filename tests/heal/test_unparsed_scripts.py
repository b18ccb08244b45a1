"""A changed script that node can no longer parse is named where a failed step says nothing."""

import shutil
from pathlib import Path

import pytest

from git_retcon.heal.unparsed_scripts import ChangedScript, find_unparsed
from tests.heal.checks import Checked, check, new_project

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node parses the scripts")

WORKFLOW = """\
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Build
        run: {command}
"""
# A build that hands on what its parser could not read, and fails in itself.
SILENT = "echo 'the buffer must be a string'; exit 1"
SCRIPT = "export function add(a, b) {\n  return a + b;\n}\n"
BROKEN = "export function add(a, b) {\n  return a + ;\n}\n"


def list_places(checked: Checked) -> list[str]:
    return [f"{one['file']}:{one['line']}: {one['message']}" for one in checked.data["errors"]]


def test_a_script_that_no_longer_parses_is_named(tmp_path: Path) -> None:
    files = {"src/add.js": SCRIPT, "src/view.js": "const view = () => <b/>\n"}
    repository = new_project(tmp_path / "a", WORKFLOW.format(command=SILENT), files)
    repository.write({"src/add.js": BROKEN, "src/view.js": "const view = () => <i/>\n"})
    expected = [
        "None:None: Build: exit status 1",
        "src/add.js:2: SyntaxError: Unexpected token ';'"
        " (by node --check of the changed files: no place was named)",
    ]
    assert list_places(check(repository)) == expected
    repository.commit("break it", {"src/add.js": BROKEN})
    assert list_places(check(repository)) == expected


def test_a_step_that_says_what_is_wrong_is_believed_alone(tmp_path: Path) -> None:
    command = "echo '::error file=README,line=1::no'; exit 1"
    files = {"src/add.js": SCRIPT, "README": "words\n"}
    repository = new_project(tmp_path / "a", WORKFLOW.format(command=command), files)
    repository.write({"src/add.js": BROKEN})
    assert list_places(check(repository)) == ["README:1: no"]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("import a from 'a';\n", "import a from;\n", 1),
        ("const a = require('a');\nreturn a;\n", "const a = require('a');\nreturn a b;\n", 2),
        # What was no module of one kind may be one of the other.
        ("const a = 1;\n", "export const a = 1;\n", None),
        ("const a = 1;\n", "return 1;\n", None),
        # It never was one that node parses.
        ("const a: number = 1;\n", "const a: = 1;\n", None),
    ],
)
def test_only_what_node_parsed_before_is_judged(before: str, after: str, line: int | None) -> None:
    node = shutil.which("node") or ""
    script = ChangedScript(b"a.js", before.encode(), after.encode())
    assert [one.line for one in find_unparsed([script], node)] == ([line] if line else [])
