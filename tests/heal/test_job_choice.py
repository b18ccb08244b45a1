"""A job is asked for by each name that people see of it."""

import pytest

from tests.heal.checks import check, new_project
from tests.heal.project import FOLDER
from tests.program import heal_here
from tests.repository import TestRepository

CALLED = """\
on: workflow_call
jobs:
  first: {runs-on: ubuntu-latest, steps: [{run: "true"}]}
  other:
    runs-on: ubuntu-latest
    strategy: {matrix: {word: [x, y]}}
    steps: [{run: "echo ${{ matrix.word }}"}]
"""
WORKFLOW = """\
    on: push
    jobs:
      early: {runs-on: ubuntu-latest, steps: [{run: "true"}]}
      build:
        needs: early
        name: build ${{ matrix.word }}
        runs-on: ubuntu-latest
        strategy: {matrix: {word: [a, b]}}
        steps: [{run: "echo ${{ matrix.word }} ${{ strategy.job-total }}"}]
      twins:
        runs-on: ${{ matrix.os }}
        strategy: {matrix: {os: [ubuntu-latest, ubuntu-22.04]}}
        steps: [{run: "true"}]
      calls: {uses: ./.github/workflows/called.yml}
    """
NAMES = {
    "early": ["early: passed"],
    "build b": ["early: passed", "build b: passed"],
    "twins (ubuntu-22.04)": ["twins (ubuntu-22.04): passed"],
    "calls / first": ["calls / first: passed"],
    "calls / other": ["calls / other (x): passed", "calls / other (y): passed"],
    "calls / other (y)": ["calls / other (y): passed"],
}


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    top = tmp_path_factory.mktemp("top")
    return new_project(top / "project", WORKFLOW, {f"{FOLDER}called.yml": CALLED})


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_asked_for_is_run_with_what_it_needs(project: TestRepository, name: str) -> None:
    checked = check(project, f"--job={name}")
    assert checked.jobs == NAMES[name]
    if name == "build b":
        assert "b 2\n" in checked.log("echo ${{ matrix.word }} ${{ strategy.job-total }}")


@pytest.mark.parametrize("name", ["build b", "calls / other (y)"])
def test_the_list_of_workflows_shows_it_alone(project: TestRepository, name: str) -> None:
    lines = heal_here(project.path, "workflows", f"--job={name}").out.splitlines()
    assert lines == [".github/workflows/ci.yml: starts on push", f"  {name}  runs", "1 job: 1 run"]


def test_every_name_of_the_list_is_taken(project: TestRepository) -> None:
    listed = heal_here(project.path, "workflows", "-v").out.splitlines()
    names = [line.strip().split("  ")[0] for line in listed if line.startswith("  ")]
    assert {"build a", "twins (ubuntu-22.04)", "calls / other (x)"} <= set(names)
    for name in names:
        assert heal_here(project.path, "workflows", f"--job={name}").status == 0, name


def test_what_has_no_such_name_is_refused(project: TestRepository) -> None:
    for name in ("build c", "calls / none", "calls / "):
        done = heal_here(project.path, "check", f"--job={name}", "--trust")
        assert f"there is no job '{name}'" in done.err
