"""Healing side by side: what is found apart is joined, proved together, and said in order."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from git_retcon.heal.records.heal_costs import list_spending
from git_retcon.heal.records.heals import list_heals
from tests.heal.checks import new_project
from tests.heal.engines.claude.conftest import api as api
from tests.heal.healing.test_heal_flow import CLEAN, LINT, RUN_LINT, heal, tell
from tests.heal.project import STEPS
from tests.heal.recorded import open_records
from tests.model.loopback import (
    Answer,
    LoopbackApi,
    Says,
    answers,
    call,
    calls,
    last_text,
    says,
    slow,
)
from tests.program import CHECKOUT, heal_here
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

UNUSED = f"import os\n\n\n{CLEAN}"


def project(path: Path, jobs: dict[str, list[str]], files: dict[str, str]) -> TestRepository:
    """A repository with some jobs of these steps."""
    lines = "".join(
        f"  {name}:\n{STEPS}" + "".join(f"    - run: {json.dumps(step)}\n" for step in steps)
        for name, steps in jobs.items()
    )
    linter = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT}
    return new_project(path / "project", f"on: push\njobs:\n{lines}", {**linter, **files})


def list_sides(where: Path) -> list[str]:
    return [str(path) for path in where.glob("*/*-side-*") if path.is_dir()]


def test_jobs_that_share_no_file_are_healed_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_HEAL_WORKTREE_DIR", str(tmp_path / "worktrees"))
    names = ["a", "b"]
    # No word of a step may say Python, as tmp_path does: each job would make an environment.
    top = Path(tempfile.mkdtemp(prefix="heal-meet-"))
    # In the heal each job waits until the other has begun: one behind the other would not do.
    wait = "n=0; until [ -e {top}/{other} ] || [ $n = 600 ]; do sleep 0.05; n=$((n+1)); done"
    meet = "if [ -e {top}/meet ]; then touch {top}/{own}; " + wait + "; [ $n != 600 ]; fi"
    steps = {
        own: meet.format(top=top, own=own, other=other)
        for own, other in zip(names, reversed(names), strict=True)
    }
    repository = project(
        tmp_path,
        {name: [steps[name], f"sh checks/lint.sh src/{name}.py"] for name in names},
        {f"src/{name}.py": UNUSED for name in names},
    )
    heal_here(repository.path, "check", "--trust")
    (top / "meet").touch()
    said = heal(repository, "--yes", "--jobs=2")
    shutil.rmtree(top)
    assert tell(said)["healed"] == [f"src/{name}.py" for name in names]
    for name in names:
        assert (repository.path / f"src/{name}.py").read_text() == "\n\n" + CLEAN
    assert list_sides(tmp_path / "worktrees") == []


def test_a_setting_that_is_no_number_of_jobs_is_refused_before_anything_runs(
    tmp_path: Path,
) -> None:
    repository = project(tmp_path, {"a": ["false"]}, {})
    for value in ("half", "0", "1.5"):
        repository.git("config", "heal.jobs", value)
        refused = heal_here(repository.path, "--trust", "--offline")
        assert f"fatal: bad number '{value}' for 'heal.jobs'" in refused.err
        assert "ci.yml" not in refused.err


LINT_TWO = """\
bad=0
for name in a b; do
    grep -q wrong src/$name.py && echo "src/$name.py:1:1: E100 it is wrong" && bad=1
done
exit $bad
"""


def make_two(path: Path, *after: str) -> TestRepository:
    """A repository whose one step complains of two files, and which model can answer both."""
    files = {"src/a.py": "A = 'wrong'\n", "src/b.py": "B = 'wrong'\n", "checks/two.sh": LINT_TWO}
    return project(path, {"ci": ["sh checks/two.sh", *after]}, files)


def answer_as_model(body: Any) -> Answer:
    """Correct the file that the prompt names; then say so."""
    if len(body["messages"]) > 1:
        return answers({"verdict": "fixed", "summary": "it was wrong"})
    name = re.findall(r"The errors of (src/\w.py)", last_text(body))[0]
    return calls("edit_file", {"path": name, "old_string": "wrong", "new_string": "right"})


def read_two(repository: TestRepository) -> list[str]:
    return [(repository.path / f"src/{name}.py").read_text()[5:-2] for name in "ab"]


@needs_strong_sandbox
def test_files_of_one_step_are_dealt_out_to_models_and_joined(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = make_two(tmp_path)
    repository.git("config", "heal.jobs", "2")
    together = threading.Barrier(2, timeout=60)

    def meet(body: Any) -> Answer:
        if len(body["messages"]) == 1:
            together.wait()
        return answer_as_model(body)

    api.responder = meet
    said = heal_by_model(repository)
    assert tell(said)["healed"] == ["src/a.py", "src/b.py"]
    assert read_two(repository) == ["right", "right"]
    assert [one["tokens"] for one in said["healed"]] == [240, 240]
    with open_records(repository) as database:
        ids = [one.number for one in list_heals(database)]
        spent = [one for number in ids for one in list_spending(database, number)]
    assert len(spent) == len(api.requests) == 4
    assert sum(one.dollars for one in spent) == pytest.approx(said["cost"])


@needs_strong_sandbox
@pytest.mark.slow
def test_what_fails_together_is_left_out_and_named(tmp_path: Path, api: LoopbackApi) -> None:
    both = "if grep -q right src/a.py && grep -q right src/b.py; then exit 1; fi"
    complain = 'grep -q right src/{0}.py || {{ echo "src/{0}.py:1:1: E100 it is wrong"; exit 1; }}'
    jobs = {"a": [complain.format("a")], "b": [complain.format("b")], "other": [both]}
    files = {"src/a.py": "A = 'wrong'\n", "src/b.py": "B = 'wrong'\n"}
    repository = project(tmp_path, jobs, files)
    api.responder = answer_as_model
    said = heal_by_model(repository, "--jobs=2", status=1)
    assert tell(said) == {"healed": ["src/a.py"], "unverified": [], "left": ["src/b.py"]}
    assert said["left"][0]["reason"] == f"left out, as with the other fixes it fails: other: {both}"
    assert read_two(repository) == ["right", "wrong"]


SAME_NAMES = """\
on: push
jobs:
  one:
    name: lint
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - name: check
      run: |
        grep -q right src/a.py || { echo "src/a.py:1:1: E100 it is wrong"; exit 1; }
        if grep -q right src/b.py; then echo "src/c.py:1:1: E200 both"; exit 1; fi
  two:
    name: lint
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - name: check
      run: |
        grep -q right src/b.py || { echo "src/b.py:1:1: E100 it is wrong"; exit 1; }
"""


@needs_strong_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_job_that_passes_proves_nothing_of_another_one_of_its_name(
    jobs: str, tmp_path: Path, api: LoopbackApi
) -> None:
    files = {"src/a.py": "A = 'wrong'\n", "src/b.py": "B = 'wrong'\n", "src/c.py": "C = 1\n"}
    repository = new_project(tmp_path / "project", SAME_NAMES, files)
    api.responder = answer_as_model
    said = heal_by_model(repository, f"--jobs={jobs}", status=1)
    assert tell(said) == {"healed": ["src/b.py"], "unverified": ["src/a.py"], "left": []}
    assert said["unverified"][0]["reason"] == "its errors are gone; the step still fails"
    assert read_two(repository) == ["wrong", "right"]


@needs_strong_sandbox
@pytest.mark.slow
def test_of_two_fixes_that_change_a_third_file_otherwise_the_second_is_left_out(
    tmp_path: Path, api: LoopbackApi
) -> None:
    complain = 'grep -q right src/{0}.py || {{ echo "src/{0}.py:1:1: E100 it is wrong"; exit 1; }}'
    files = {"src/a.py": "A = 'wrong'\n", "src/b.py": "B = 'wrong'\n", "src/c.py": "C = 'old'\n"}
    jobs = {name: [complain.format(name)] for name in "ab"}
    repository = project(tmp_path, jobs, files)

    def answer(body: Any) -> Answer:
        made = answer_as_model(body)
        if len(body["messages"]) > 1 or not isinstance(made, Says):
            return made
        name = made.content[0]["input"]["path"]
        third = {"path": "src/c.py", "old_string": "old", "new_string": f"for {name}"}
        return Says((*made.content, call("edit_file", third)))

    api.responder = answer
    said = heal_by_model(repository, "--jobs=2", status=1)
    assert tell(said) == {"healed": ["src/a.py"], "unverified": [], "left": ["src/b.py"]}
    reason = "left out: another fix changes src/c.py otherwise"
    assert said["left"][0]["reason"] == reason
    assert read_two(repository) == ["right", "wrong"]
    assert (repository.path / "src/c.py").read_text() == "C = 'for src/a.py'\n"


@needs_strong_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_was_answered_before_the_end_is_not_asked_again(
    number: signal.Signals, tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_HEAL_WORKTREE_DIR", str(tmp_path / "worktrees"))
    repository = make_two(tmp_path)

    def stall(body: Any) -> Answer:
        is_second = "The errors of src/b.py" in last_text(body)
        return slow(60, says("{}")) if is_second else answer_as_model(body)

    api.responder = stall
    command = [sys.executable, "-m", "git_retcon.commands.heal", "--trust", "--yes", "--jobs=2"]
    with subprocess.Popen(
        command, cwd=repository.path, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    ) as run:  # fmt: skip
        while count_kept(repository) < 1 and run.poll() is None:
            time.sleep(0.02)
        run.send_signal(number)
        _, said = run.communicate()
    assert run.returncode == (130 if number == signal.SIGINT else -number), said
    asked = len(api.requests)
    api.responder = answer_as_model
    again = heal_by_model(repository, "--jobs=2")
    assert tell(again)["healed"] == ["src/a.py", "src/b.py"]
    assert read_two(repository) == ["right", "right"]
    more = [one.body for one in api.requests[asked:]]
    assert [body for body in more if "errors of src/a.py" in json.dumps(body)] == []
    assert len(more) == 2
    assert list_sides(tmp_path / "worktrees") == []
    assert count_kept(repository) == 0


def count_kept(repository: TestRepository) -> int:
    if not (repository.path / ".git/heal/heal.db").exists():
        return 0
    with open_records(repository) as database:
        return int(database.fetch("SELECT count(*) FROM answers")[0][0])


def heal_by_model(repository: TestRepository, *arguments: str, status: int = 0) -> dict[str, Any]:
    ran = heal_here(repository.path, "--trust", "--json", "--yes", *arguments)
    assert ran.status == status, ran.out + ran.err
    said: dict[str, Any] = json.loads(ran.out)
    return said
