"""``git heal show``: all that is known of one error."""

import json
from pathlib import Path

from tests.heal.checks import check, new_project
from tests.program import heal_here
from tests.repository import TestRepository

WORKFLOW = """\
    on: push
    jobs:
      a:
        runs-on: ubuntu-latest
        steps: [{uses: actions/checkout@v4}, {name: tests, run: cat output; exit 1}]
      b:
        runs-on: ubuntu-latest
        steps: [{uses: actions/checkout@v4}, {name: again, run: cat output; exit 2}]
    """
OUTPUT = """\
Traceback (most recent call last):
  File "a.py", line 3, in <module>
    print(valeu)
NameError: name 'valeu' is not defined. Did you mean: 'value'?
"""


def check_project(path: Path) -> tuple[TestRepository, str]:
    """A project in which two jobs name the same error, and its id."""
    files = {"a.py": "value = 1\n\nprint(valeu)\n", "output": OUTPUT}
    repository = new_project(path / "project", WORKFLOW, files)
    (error,) = check(repository).data["errors"]
    return repository, error["fingerprint"]


def test_everything_is_shown(tmp_path: Path) -> None:
    repository, error = check_project(tmp_path)
    check(repository)
    lines = heal_here(repository.path, "show", error[:6]).ok().out.splitlines()
    assert lines[0].startswith("a.py:3")
    assert "name 'valeu' is not defined" in lines[0]
    assert "  >    3 | print(valeu)" in lines
    facts = [" ".join(line.split()) for line in lines]
    for fact in (
        "suggestion: value",
        "job: .github/workflows/ci.yml: a",
        "step: tests (line 5): exit status 1",
        "command: cat output; exit 1",
        "job: .github/workflows/ci.yml: b",
        "step: again (line 8): exit status 2",
        "also in: 1 (failed)",
        f"id: {error}",
    ):
        assert fact in facts, fact
    assert any(line.startswith("found by: check 2, failed, ") for line in facts)


def test_programs_get_the_same(tmp_path: Path) -> None:
    repository, error = check_project(tmp_path)
    data = json.loads(heal_here(repository.path, "show", error.upper(), "--json").ok().out)
    assert data["record"]["fingerprint"] == error
    assert (data["error_id"], data["run"]["number"], data["runs"]) == (error[:8], 1, [])
    assert [(one["job"], one["step"], one["exit_status"]) for one in data["steps"]] == [
        ("a", "tests", 1),
        ("b", "again", 2),
    ]


def test_an_id_that_is_none_or_too_short_is_refused(tmp_path: Path) -> None:
    repository, error = check_project(tmp_path)
    for name in ("ffff0000ffff", error[:3], "a.py"):
        done = heal_here(repository.path, "show", name)
        assert (done.status, done.out) == (128, "")
        assert done.err.startswith(f"fatal: there is no error '{name}'\nhint: 'git heal errors'")
