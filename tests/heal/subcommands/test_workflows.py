"""``git heal workflows`` in real repositories."""

import json
import os
import textwrap
from pathlib import Path

import pytest

from tests.heal.programs import small_path
from tests.heal.project import FOLDER, clone, new_clone, new_remote
from tests.program import CHECKOUT, Ran, heal_here
from tests.repository import TestRepository, new_repository

CI = """\
    name: CI
    on: [push, pull_request]
    jobs:
      lint:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - run: ruff check .
      test:
        runs-on: ${{ matrix.os }}
        strategy:
          matrix: {os: [ubuntu-latest, windows-latest], python: ['3.11', '3.12']}
        steps:
        - uses: actions/checkout@v4
        - uses: actions/setup-python@v5
          with: {python-version: '${{ matrix.python }}'}
        - run: pytest
      docs:
        needs: test
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - run: sudo snap install pandoc
        - run: make docs
        - uses: some/action@v1
      build:
        runs-on: ubuntu-latest
        steps:
        - {uses: actions/setup-go@v5, with: {go-version: '1.22'}}
        - run: go build
      deploy:
        needs: docs
        if: github.event_name == 'push'
        runs-on: ubuntu-latest
        steps: [{run: make deploy}]
      package: {needs: build, runs-on: ubuntu-latest, steps: [{run: tar}]}
    """
NIGHTLY = """\
    on: {schedule: [{cron: 0 0 * * *}]}
    jobs: {slow: {runs-on: macos-latest, steps: [{run: make}]}}
    """
BROKEN = """\
    on: push
    jobs:
      a:
        runs-on: x
        stepz: []
    """


@pytest.fixture(autouse=True)
def small_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with python 3.11, node 20, and nothing else that a workflow sets up."""
    versions = {"python3": "Python 3.11.2", "node": "v20.1.0"}
    monkeypatch.setenv("PATH", small_path(tmp_path / "bin", **versions))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "no-pyenv"))
    uname = os.uname()
    monkeypatch.setattr(
        os, "uname", lambda: os.uname_result(("Linux", uname[1], uname[2], uname[3], "x86_64"))
    )


def shown(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def test_what_would_run_what_would_be_skipped_and_why(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI, nightly=NIGHTLY)
    repository.write({"a.txt": "changed\n"})
    done = heal_here(repository.path, "workflows").ok()
    assert done.err == "Branch: topic, for origin/main (1 changed path)\n"
    assert done.out == shown("""
        .github/workflows/ci.yml (CI): starts on pull_request, push too
          lint                        runs
          test (ubuntu-latest, 3.11)  runs with python 3.11.2
          test: 3 other cells         not run (same tools as test (ubuntu-latest, 3.11))
          build                       not run: go is not here (wanted 1.22)
          docs                        incomplete: 2 of 4 steps skipped
            line 23: needs root (sudo)
            line 25: third-party action (some/action)
          package                     runs (needs build, not run here)
          deploy                      not run: its condition is false
        .github/workflows/nightly.yml: does not start: starts on schedule, not on pull_request
        6 jobs: 3 run, 1 incomplete, 2 not run
    """)


def test_a_missing_tool_of_one_step_and_another_processor_are_named(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          arm: {runs-on: ubuntu-24.04-arm, steps: [{uses: actions/setup-node@v4}, {run: node}]}
          part: {runs-on: ubuntu-latest, steps: [{uses: crate-ci/typos@v1}, {run: make}]}
        """
    repository = new_clone(tmp_path, ci=workflow)
    assert heal_here(repository.path, "workflows", "--event", "push").ok().out == shown("""
        .github/workflows/ci.yml: starts on push
          arm   runs with node 20.1.0 on x64, wanted arm64
          part  incomplete: 1 of 2 steps skipped
            line 4: typos is not here
        2 jobs: 1 run, 1 incomplete
    """)


def test_all_cells_are_listed_on_request(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI)
    done = heal_here(repository.path, "workflows", "-v", "-q", "--job", "test").ok()
    assert done.err == ""
    assert done.out == shown("""
        .github/workflows/ci.yml (CI): starts on pull_request, push too
          test (ubuntu-latest, 3.11)   runs with python 3.11.2
          test (ubuntu-latest, 3.12)   not run (same tools as test (ubuntu-latest, 3.11))
          test (windows-latest, 3.11)  not run (same tools as test (ubuntu-latest, 3.11))
          test (windows-latest, 3.12)  not run (same tools as test (ubuntu-latest, 3.11))
        1 job: 1 run
    """)


def test_another_version_than_asked_is_said(tmp_path: Path) -> None:
    steps = "[{uses: actions/setup-node@v4, with: {node-version: '18'}}, {run: a}]"
    repository = new_clone(tmp_path, ci=f"on: push\njobs: {{a: {{runs-on: x, steps: {steps}}}}}\n")
    out = heal_here(repository.path, "workflows").ok().out
    assert out.splitlines()[1] == "  a  runs with node 20.1.0 (wanted 18)"


def test_an_event_a_workflow_and_a_job_can_be_named(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI, nightly=NIGHTLY)

    def lines(*words: str) -> list[str]:
        return heal_here(repository.path, "workflows", *words).ok().out.splitlines()

    assert lines("--event", "push", "--job", "deploy") == [
        ".github/workflows/ci.yml (CI): starts on push",
        "  deploy  runs",
        "1 job: 1 run",
    ]
    asked = "asked for by name (starts on schedule, not on pull_request)"
    assert lines("--workflow", "nightly") == [
        f".github/workflows/nightly.yml: {asked}",
        "  slow  not run: needs macOS",
        "1 job: 1 not run",
    ]
    assert lines("--job", "slow") == lines("--workflow", "nightly")


def failed(ran: Ran, status: int) -> list[str]:
    assert ran.status == status
    return ran.err.splitlines()


def test_what_github_would_refuse_is_reported_with_file_line_and_column(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, broken=BROKEN, ci=CI, syntax="on: push\njobs: {a: [}\n")
    done = heal_here(repository.path, "workflows", "--workflow", "broken.yml")
    assert done.out == shown("""
        .github/workflows/broken.yml: refused by GitHub
          .github/workflows/broken.yml:5:5: error: Unexpected value 'stepz'
    """)
    assert failed(done, 1)[1:] == [
        "error: GitHub refuses 1 workflow",
        "hint: correct what is listed with its file, line and column",
    ]
    everything = heal_here(repository.path, "workflows")
    assert ".github/workflows/syntax.yml:2:12: error: " in everything.out
    assert "  lint " in everything.out, "the others are listed all the same"
    assert "error: GitHub refuses 2 workflows" in failed(everything, 1)


def test_a_repository_without_workflows_says_so(tmp_path: Path) -> None:
    done = heal_here(new_clone(tmp_path).path, "workflows").ok()
    assert (done.out, done.err) == (
        "",
        "Branch: topic, for origin/main (no change)\n"
        "There are no workflows in .github/workflows.\n",
    )


def test_what_runs_where_no_workflow_can_is_listed(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "alone", "-b", "main")
    tagged = "on: {push: {tags: ['*']}}\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: a}]}}\n"
    repository.write({FOLDER + "tags.yml": tagged})
    for step in ("make lint", "make test"):
        repository.git("config", "--add", "heal.step", step)
    instead = "No workflow can run here; 'heal.step' is run instead: make lint; make test\n"
    for command in (["workflows"], ["check", "-n"]):
        done = heal_here(repository.path, *command).ok()
        assert done.err == "Branch: main, default branch: not known\n" + instead
    data = json.loads(heal_here(repository.path, "workflows", "--json").ok().out)
    assert data["instead"] == {"source": "heal.step", "commands": ["make lint", "make test"]}
    # Who asks for one event gets no other answer, and what does run needs no other.
    repository.write({FOLDER + "ci.yml": tagged.replace("{push: {tags: ['*']}}", "push")})
    assert "instead" not in heal_here(repository.path, "workflows").ok().err
    assert json.loads(heal_here(repository.path, "workflows", "--json").ok().out)["instead"] is None


def test_without_a_remote_a_commit_or_a_branch_there_is_still_a_list(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "alone", "-b", "work")
    repository.write({FOLDER + "ci.yml": textwrap.dedent(CI)})
    done = heal_here(repository.path, "workflows").ok()
    assert done.err == "Branch: work, default branch: not known\n"
    assert done.out.startswith(".github/workflows/ci.yml (CI): starts on push\n  lint ")
    repository.commit("one")
    repository.git("checkout", "-q", "--detach")
    done = heal_here(repository.path, "workflows").ok()
    assert done.err == "No branch is checked out, default branch: not known\n"
    assert done.out == (".github/workflows/ci.yml (CI): does not start: no branch is checked out\n")
    assert failed(heal_here(repository.path, "workflows", "--event", "push"), 128) == [
        "fatal: no branch is checked out that could be pushed",
        "hint: 'git switch' checks a branch out",
    ]


def test_a_detached_head_is_taken_for_a_pull_request(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI)
    repository.git("checkout", "-q", "--detach")
    done = heal_here(repository.path, "workflows", "--job", "lint").ok()
    assert done.err == "No branch is checked out, for origin/main (no change)\n"
    assert done.out.startswith(".github/workflows/ci.yml (CI): starts on pull_request\n")


def test_the_default_branch_is_named_as_such(tmp_path: Path) -> None:
    repository = clone(new_remote(tmp_path / "remote", {FOLDER + "ci.yml": CI}), tmp_path / "c")
    done = heal_here(repository.path, "workflows").ok()
    assert done.err == "Branch: main, the default branch\n"
    assert done.out.startswith(".github/workflows/ci.yml (CI): starts on push\n")


@pytest.mark.parametrize("kind", ["sha256", "worktree", "partial"])
def test_repositories_of_every_kind_are_read(tmp_path: Path, kind: str) -> None:
    repository = new_clone(tmp_path, ci=CI)
    if kind == "sha256":
        repository = new_repository(tmp_path / "sha", "--object-format=sha256", "-b", "topic")
        repository.commit("one", {FOLDER + "ci.yml": textwrap.dedent(CI)})
    elif kind == "worktree":
        repository.git("worktree", "add", "-qb", "linked", str(tmp_path / "linked"))
        repository = TestRepository(tmp_path / "linked")
    else:
        repository.git("config", "remote.origin.promisor", "true")
    out = heal_here(repository.path, "workflows", "--job", "lint").ok().out
    assert out.endswith("  lint  runs\n1 job: 1 run\n")


def test_a_folder_of_the_working_tree_will_do(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI)
    (repository.path / "sub").mkdir()
    below = heal_here(repository.path / "sub", "workflows").ok()
    assert below == heal_here(repository.path, "workflows").ok()


def test_where_there_is_no_checkout_there_is_nothing_to_list(tmp_path: Path) -> None:
    bare = new_repository(tmp_path / "bare", "--bare")
    within = new_repository(tmp_path / "r").path / ".git"
    for folder in (bare.path, within):
        assert failed(heal_here(folder, "workflows"), 128) == [
            "fatal: there is no working tree here",
            "hint: run this in a checkout ('git worktree add' makes one of a bare repository)",
        ]
    (tmp_path / "empty").mkdir()
    done = heal_here(tmp_path / "empty", "workflows", "--json")
    assert failed(done, 128)[0].startswith("fatal: not a git repository")
    assert json.loads(done.out)["status"] == "failed"


def test_nothing_is_written_and_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, ci=CI)
    hostile = f"#!/bin/sh\necho >{tmp_path}/ran\necho go1.22.1\n"
    repository.commit("hostile", {"go": hostile})
    (repository.path / "go").chmod(0o755)
    before = repository.git("status", "--porcelain"), sorted(repository.path.rglob("*"))
    index = (repository.path / ".git/index").stat().st_mtime_ns
    path = f"{repository.path}:.:{os.environ['PATH']}"
    heal_here(repository.path, "workflows", env={"PATH": path}).ok()
    assert not (tmp_path / "ran").exists()
    assert (repository.path / ".git/index").stat().st_mtime_ns == index
    assert (repository.git("status", "--porcelain"), sorted(repository.path.rglob("*"))) == before


def test_programs_get_the_same(tmp_path: Path) -> None:
    repository = new_clone(tmp_path, broken=BROKEN, ci=CI)
    done = heal_here(repository.path, "workflows", "--json")
    assert done.status == 1
    report = json.loads(done.out)
    assert (report["status"], report["reason"]) == ("failed", "invalid")
    broken, ci = report["workflows"]
    assert broken == {
        "file": ".github/workflows/broken.yml",
        "name": None,
        "events": [],
        "reason": "GitHub refuses it",
        "problems": [
            {
                "file": ".github/workflows/broken.yml", "line": 5, "column": 5,
                "severity": "error", "message": "Unexpected value 'stepz'",
            }
        ],
        "jobs": [],
    }  # fmt: skip
    assert (ci["name"], ci["events"]) == ("CI", ["pull_request", "push"])
    jobs = {job["job"]: job for job in ci["jobs"]}
    assert jobs["docs"] == {
        "job": "docs",
        "file": ".github/workflows/ci.yml",
        "line": 18,
        "reason": None,
        "unmet": [],
        "cells": [
            {
                "name": "docs", "outlook": "incomplete", "reason": None, "same_as": None,
                "machine": None, "steps": 4,
                "skipped": [
                    {"file": ".github/workflows/ci.yml", "line": 23,
                     "reason": "needs root (sudo)"},
                    {"file": ".github/workflows/ci.yml", "line": 25,
                     "reason": "third-party action (some/action)"},
                ],
                "tools": [],
            }
        ],
        "called": [],
    }  # fmt: skip
    first, other, *_ = jobs["test"]["cells"]
    assert first["tools"] == [
        {
            "tool": "python", "wanted": "3.11", "path": str(tmp_path / "bin/python3"),
            "version": "3.11.2", "exact": True,
        }
    ]  # fmt: skip
    assert (other["outlook"], other["same_as"]) == ("not run", "test (ubuntu-latest, 3.11)")
    assert (jobs["deploy"]["cells"], jobs["deploy"]["reason"]) == ([], "its condition is false")
    assert jobs["package"]["unmet"] == ["build"]


def test_the_readme_shows_what_is_printed(tmp_path: Path) -> None:
    readme = (CHECKOUT / "README.md").read_text()
    session = readme.partition("```console\n$ git heal workflows\n")[2].partition("```")[0]
    repository = new_clone(tmp_path, ci=CI, nightly=NIGHTLY)
    repository.write({"a.txt": "changed\n"})
    done = heal_here(repository.path, "workflows").ok()
    assert done.err + done.out == session
