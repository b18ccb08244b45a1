"""Jobs that act runs: a program in its place prints what it printed."""

import json
from pathlib import Path

from tests.heal.checks import Checked, new_project
from tests.program import heal_here
from tests.repository import TestRepository

WORKFLOW = """\
name: CI
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {matrix: {os: [a, b]}}
    steps:
      - uses: actions/checkout@v4
      - name: Run tests
        run: pytest
  lint:
    runs-on: ubuntu-latest
    steps:
      - run: ruff check .
  mac:
    runs-on: macos-latest
    steps:
      - run: make
"""
OUTPUT = """\
[CI/test-1] \u2b50 Run Set up job
[CI/test-1] \U0001f680  Start image=node:16-buster-slim
[CI/lint  ] \u2b50 Run Main ruff check .
[CI/test-1]   \u2705  Success - Set up job
[CI/test-1] \u2b50 Run Main actions/checkout@v4
[CI/test-1]   \u2705  Success - Main actions/checkout@v4 [500ms]
[CI/test-1] \u2b50 Run Main Run tests
\x1b[36m[CI/test-1] \x1b[0m  | src/a.py:3: AssertionError
[CI/lint  ]   | All checks passed!
[CI/lint  ]   \u2705  Success - Main ruff check . [1m2.5s]
[CI/lint  ] \U0001f3c1  Job succeeded
[CI/test-1]   \u274c  Failure - Main Run tests [1.2s]
[CI/test-1] exitcode '1': failure
[CI/test-1] \U0001f3c1  Job failed
[CI/mac   ] \U0001f6a7  Skipping unsupported platform -- Try running with `-P macos-latest=...`
[CI/test-2] \U0001f3c1  Job succeeded
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
        "test-2: passed",
        "lint: passed",
        "mac: not run: act has no image for its machine",
    ]
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
