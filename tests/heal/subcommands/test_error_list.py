"""``git heal errors``: what a check found, chosen and listed without running anything."""

import json
from pathlib import Path

import pytest

from tests.heal.checks import check, new_project
from tests.program import Ran, heal_here
from tests.repository import TestRepository

TWO_JOBS = """\
    on: push
    jobs:
      lint:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - name: ruff
          run: |
            echo "::error file=src/a.txt,line=2,col=3::long line"
            echo "::error file=b.txt,line=1::no end"
            exit 1
      test: {runs-on: ubuntu-latest, steps: [{name: pytest, run: exit 3}]}
    """
FILES = {"src/a.txt": "one\ntwo three\n", "b.txt": "b\n"}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    """A repository in which two jobs have failed."""
    repository = new_project(tmp_path_factory.mktemp("errors") / "project", TWO_JOBS, FILES)
    check(repository)
    return repository


def list_places(done: Ran) -> list[str]:
    """Each listed error without its id, which is 8 digits."""
    lines = (line for line in done.ok().out.splitlines() if not line.startswith(" "))
    return [line[9:] for line in lines]


def test_they_are_listed_with_their_ids_and_lines(checked: TestRepository) -> None:
    done = heal_here(checked.path, "errors").ok()
    first = done.out.splitlines()[0]
    assert set(first[:8]) <= set("0123456789abcdef")
    assert done.out.splitlines()[1:3] == ["  two three", "    ^"]
    assert list_places(done) == [
        "src/a.txt:2:3: long line",
        "b.txt:1: no end",
        "test / pytest: exit status 3",
    ]
    begin, end = done.err.splitlines()
    assert begin.startswith("check 1, failed, 20")
    assert end == "3 errors in 2 files"
    assert heal_here(checked.path, "errors", "-q").ok().err == ""


def test_they_are_chosen_by_file_folder_job_and_workflow(checked: TestRepository) -> None:
    def choose(*words: str, where: str = "") -> list[str]:
        listed = list_places(heal_here(checked.path / where, "errors", *words))
        return [line.partition(":")[0] for line in listed]

    assert choose("src") == choose("src/a.txt") == choose("./src/") == ["src/a.txt"]
    assert choose("b.txt", "src") == ["src/a.txt", "b.txt"]
    assert choose(".") == ["src/a.txt", "b.txt"]
    assert choose("a.txt", where="src") == choose(".", where="src") == ["src/a.txt"]
    assert choose("../b.txt", where="src") == choose(str(checked.path / "b.txt")) == ["b.txt"]
    assert choose("--job=test") == ["test / pytest"]
    assert choose("--workflow=ci", "--job=lint", "b.txt") == ["b.txt"]
    assert choose("--workflow=other") == choose(".github") == []


def test_what_is_no_file_is_refused_and_a_run_is_told_from_a_file(checked: TestRepository) -> None:
    missing = heal_here(checked.path, "errors", "src", "nosuch")
    assert (missing.status, missing.out) == (128, "")
    assert "fatal: there is no file 'nosuch'" in missing.err
    number = json.loads(heal_here(checked.path, "errors", "--json", "1").out)
    assert number["next"] == [["git", "heal", "errors", "--run=1"]]
    # What was checked and is gone since still has its errors.
    (checked.path / "b.txt").rename(checked.path / "c.txt")
    assert list_places(heal_here(checked.path, "errors", "b.txt")) == ["b.txt:1: no end"]
    (checked.path / "c.txt").rename(checked.path / "b.txt")


def test_a_path_outside_is_refused(checked: TestRepository) -> None:
    done = heal_here(checked.path, "errors", "../other")
    assert (done.status, done.err.splitlines()[0]) == (
        128,
        "fatal: '../other' is outside of the repository",
    )


def test_programs_get_the_run_and_whole_records(checked: TestRepository) -> None:
    data = json.loads(heal_here(checked.path, "errors", "--json").ok().out)
    assert (data["run"]["number"], data["run"]["verdict"]) == (1, "failed")
    assert [one["file"] for one in data["errors"]] == ["src/a.txt", "b.txt", None]
    assert data["errors"][0]["snippet"][1] == {"number": 2, "text": "two three"}


@pytest.mark.slow
def test_an_earlier_run_can_be_named(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS, FILES)
    check(repository, "--job=test")
    check(repository, "--job=lint")
    assert len(list_places(heal_here(repository.path, "errors"))) == 2
    for name in ("1", "--run=1"[6:]):
        done = heal_here(repository.path, "errors", f"--run={name}")
        assert list_places(done) == ["test / pytest: exit status 3"]
    missing = heal_here(repository.path, "errors", "--run=9")
    assert (missing.status, "there is no run '9'" in missing.err) == (128, True)


@pytest.mark.slow
def test_another_worktree_has_runs_of_its_own(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS, FILES)
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    check(repository, "--job=test")
    other = heal_here(tmp_path / "other", "errors")
    assert (other.status, other.err.splitlines()) == (
        1,
        ["error: nothing was checked in this checkout yet", "hint: 'git heal check' does it"],
    )
    assert len(list_places(heal_here(tmp_path / "other", "errors", "--run=1"))) == 1
