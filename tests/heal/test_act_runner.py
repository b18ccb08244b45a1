"""Jobs that act runs: a program in its place prints what it printed."""

import json
from pathlib import Path

from tests.heal.checks import Checked, new_project
from tests.heal.project import FOLDER
from tests.program import heal_here
from tests.repository import TestRepository

WORKFLOW = """\
name: CI
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {matrix: {v: [1, 2]}}
    steps:
      - uses: actions/checkout@v4
      - name: Forgiven
        run: exit 3
        continue-on-error: true
      - name: Run tests
        run: |
          test ${{ matrix.v }} = 2 || { echo "src/a.py:3: AssertionError"; exit 1; }
          sleep 0.2
  lint:
    runs-on: ubuntu-latest
    steps:
      - run: echo "All checks passed!"
  mac:
    runs-on: macos-latest
    steps:
      - run: make
  after:
    needs: test
    runs-on: ubuntu-latest
    steps:
      - run: make
"""
# What act 0.2.89 printed of it, on a machine without containers (-P ubuntu-latest=-self-hosted);
# the colours of one line are of a terminal.
OUTPUT = """\
[CI/lint  ] \u2b50 Run Set up job
[CI/test-2] \u2b50 Run Set up job
[CI/test-1] \u2b50 Run Set up job
[CI/lint  ]   \u2705  Success - Set up job
[CI/lint  ] \u2b50 Run Main echo "All checks passed!"
\x1b[36m[CI/lint  ] \x1b[0m  | All checks passed!
[CI/test-2]   \u2705  Success - Set up job
[CI/test-2] \U0001f9ea  Matrix: map[v:2]
[CI/test-2] \u2b50 Run Main actions/checkout@v4
[CI/test-2]   \u2705  Success - Main actions/checkout@v4 [10.885985ms]
[CI/test-2] \u2b50 Run Main Forgiven
[CI/lint  ]   \u2705  Success - Main echo "All checks passed!" [39.959103ms]
[CI/lint  ] \u2b50 Run Complete job
[CI/lint  ] Cleaning up container for job lint
[CI/test-2] Failed but continue next step
[CI/test-2]   \u274c  Failure - Main Forgiven [8.880656ms]
[CI/test-2] \u2b50 Run Main Run tests
[CI/lint  ]   \u2705  Success - Complete job
[CI/lint  ] \U0001f3c1  Job succeeded
[CI/mac   ] \U0001f6a7  Skipping unsupported platform -- Try running with `-P macos-latest=...`
[CI/test-1]   \u2705  Success - Set up job
[CI/test-1] \U0001f9ea  Matrix: map[v:1]
[CI/test-1] \u2b50 Run Main actions/checkout@v4
[CI/test-1]   \u2705  Success - Main actions/checkout@v4 [13.578524ms]
[CI/test-1] \u2b50 Run Main Forgiven
[CI/test-1] Failed but continue next step
[CI/test-1]   \u274c  Failure - Main Forgiven [37.084819ms]
[CI/test-1] \u2b50 Run Main Run tests
[CI/test-1]   | src/a.py:3: AssertionError
[CI/test-1]   \u274c  Failure - Main Run tests [4.774986ms]
[CI/test-1] exit status 1
[CI/test-1] \u2b50 Run Complete job
[CI/test-1]   \u2705  Success - Complete job
[CI/test-1] \U0001f3c1  Job failed
[CI/test-2]   \u2705  Success - Main Run tests [233.2616ms]
[CI/test-2] \u2b50 Run Complete job
[CI/test-2] Cleaning up container for job test
[CI/test-2]   \u2705  Success - Complete job
[CI/test-2] \U0001f3c1  Job failed
Error: Job 'test' failed
"""


def _check(repository: TestRepository, programs: Path, *arguments: str) -> Checked:
    """A check by a program that replays the output, and writes down how it was called."""
    programs.mkdir(exist_ok=True)
    (programs / "output").write_text(OUTPUT)
    (programs / "act").write_text(
        f'#!/bin/sh\necho "$@" > {programs}/called\npwd >> {programs}/called\n'
        f"cat {programs}/output\nexit 1\n"
    )
    (programs / "act").chmod(0o755)
    path = f"{programs}:/usr/bin:/bin"
    ran = heal_here(repository.path, "check", "--json", "--trust", *arguments, env={"PATH": path})
    return Checked(ran, json.loads(ran.out))


def test_what_act_prints_is_read_as_what_our_own_steps_print(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "repo", WORKFLOW, {"src/a.py": "line\n" * 9})
    repository.git("config", "heal.runner", "act")
    checked = _check(repository, tmp_path / "programs")
    assert checked.jobs == [
        "test-1: failed: Run tests: failed under act",
        "test-2: incomplete: act fails all runs of a matrix with the first",
        "lint: passed",
        "mac: not run: act has no image for its machine",
        "after: not run: act did not run it",
    ]
    assert [step for step in checked.steps if step.startswith("Forgiven")] == [
        "Forgiven: forgiven: failed under act"
    ] * 2
    assert checked.status == 1
    called, folder = (tmp_path / "programs/called").read_text().splitlines()
    assert called == "push -W .github/workflows/ci.yml"
    assert not folder.startswith(str(repository.path))
    (error,) = checked.data["errors"]
    assert (error["file"], error["line"], error["job"]) == ("src/a.py", 3, "test")
    # Our own runner's verdicts are not taken for act's, nor the reverse.
    assert _check(repository, tmp_path / "programs").jobs == checked.jobs


def test_act_has_to_be_installed(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "repo", WORKFLOW)
    repository.git("config", "heal.runner", "act")
    ran = heal_here(repository.path, "check", "--json", "--trust", env={"PATH": "/usr/bin:/bin"})
    said = json.loads(ran.out)
    assert said["error"] == "heal.runner is act, which is not installed here"
    assert said["next"] == [["git", "config", "heal.runner", "host"]]


def test_act_is_not_asked_for_what_it_cannot_choose(tmp_path: Path) -> None:
    called = "on: workflow_call\njobs: {inner: {runs-on: ubuntu-latest, steps: [{run: make}]}}\n"
    caller = WORKFLOW + "  calls: {uses: ./.github/workflows/called.yml}\n"
    repository = new_project(tmp_path / "repo", caller, {f"{FOLDER}called.yml": called})
    repository.git("config", "heal.runner", "act")
    for name, whole in {"test (2)": "test", "calls / inner": "calls"}.items():
        checked = _check(repository, tmp_path / "programs", f"--job={name}")
        assert checked.status == 128
        assert checked.data["error"] == f"act runs all of job '{whole}', not '{name}' alone"
        assert checked.data["next"] == [["git", "heal", "check", f"--job={whole}"]]
        assert not (tmp_path / "programs/called").exists()
    _check(repository, tmp_path / "programs", "--job=test")
    called_with = (tmp_path / "programs/called").read_text().splitlines()[0]
    assert called_with == "push -W .github/workflows/ci.yml -j test"
