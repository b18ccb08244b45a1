"""``git heal log``: which checks there were, and what one of them ran."""

import json
import re
from pathlib import Path

from tests.heal.checks import check, new_project
from tests.program import heal_here

WORKFLOW = """\
    on: push
    jobs:
      lint: {runs-on: ubuntu-latest, steps: [{name: ruff, run: echo ok}]}
      test: {runs-on: ubuntu-latest, needs: lint, steps: [{name: pytest, run: exit 3}]}
    """


def test_runs_are_listed_with_the_last_one_first(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW)
    empty = heal_here(repository.path, "log").ok()
    assert (empty.out, empty.err) == (
        "",
        "Nothing was checked here yet ('git heal check' does it).\n",
    )
    check(repository, "--job=lint")
    check(repository)
    check(repository)
    head = repository.rev("HEAD")[:7]
    third, second, first = (
        line.split(", ") for line in heal_here(repository.path, "log").ok().out.splitlines()
    )
    assert first[0].startswith("1  passed       20")
    assert second[0].startswith("2  failed       20")
    assert (first[2:], second[2:]) == ([f"main {head}"], [f"main {head}", "1 error"])
    assert third[2:] == [f"main {head}", "same as 2", "1 error"]
    runs = json.loads(heal_here(repository.path, "log", "--json").ok().out)["runs"]
    assert [(run["number"], run["verdict"], run["errors"]) for run in runs] == [
        (3, "failed", 1),
        (2, "failed", 1),
        (1, "passed", 0),
    ]


def test_one_run_is_shown_with_jobs_steps_errors_and_notes(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW)
    data = check(repository).data
    for name in ("1", data["run_id"], data["run_id"][:6]):
        said = heal_here(repository.path, "log", name).ok().out
        # A step that took no time has none behind it, and how long one takes is the machine's.
        lines = re.sub(r"(?m) \(\d+\.\d s\)$", "", said).splitlines()
        assert lines[0].startswith("check 1, failed, 20")
        assert lines[0].endswith(f"run id {data['run_id']}")
        assert lines[1:3] == ["ci.yml: lint  passed", "  ruff  passed"]
        assert lines[3] == "ci.yml: test  failed: pytest: exit status 3"
        assert lines[4] == "  pytest  failed: exit status 3"
        assert lines[5].endswith(" test / pytest: exit status 3")
        assert lines[6].startswith(f"noted on {repository.rev('HEAD')[:7]}: failed (1 passed, 1 f")
    shown = json.loads(heal_here(repository.path, "log", "1", "--json").ok().out)
    assert [(job["job"], job["verdict"]) for job in shown["jobs"]] == [
        ("lint", "passed"),
        ("test", "failed"),
    ]
    (step,) = shown["jobs"][1]["steps"]
    assert (step["command"], step["exit_status"], step["depth"]) == ("exit 3", 3, 0)
    assert [one["message"] for one in shown["errors"]] == ["pytest: exit status 3"]
    assert [note["verdict"] for note in shown["notes"]] == ["failed"]


def test_a_run_that_is_not_there_is_said(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW)
    for name in ("1", "abcd", "HEAD"):
        done = heal_here(repository.path, "log", name)
        assert (done.status, done.err.splitlines()[0]) == (128, f"fatal: there is no run '{name}'")
