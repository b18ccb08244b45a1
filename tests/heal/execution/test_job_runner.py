"""Jobs in the worktree: what they find there, how long they may take, what is said of them."""

import sys
import textwrap
from pathlib import Path

import pytest

from git_retcon.heal.execution.job_runner import judge_steps
from git_retcon.heal.results import Blame, StepResult, StepVerdict, UsedTool, Verdict
from tests.heal.checks import check, check_steps, new_project
from tests.heal.programs import install


def step(line: int, verdict: StepVerdict, reason: str = "", *inner: StepResult) -> StepResult:
    return StepResult(line, f"step {line}", line, verdict, reason, inner=inner)


OTHER = UsedTool("go", "1.22", "1.21", "/bin/go", exact=False)


def judge(
    *steps: StepResult,
    blame: Blame = Blame.UNKNOWN,
    tools: tuple[UsedTool, ...] = (),
    machine: str = "",
) -> tuple[Verdict, str]:
    return judge_steps(steps, tools, lambda failed: blame, machine)


PASSED, SKIPPED, FAILED = StepVerdict.PASSED, StepVerdict.SKIPPED, StepVerdict.FAILED


def test_a_job_passed_only_if_nothing_was_skipped() -> None:
    assert judge() == (Verdict.PASSED, "")
    unwanted = step(2, StepVerdict.NOT_WANTED, "its condition is false")
    assert judge(step(1, PASSED), unwanted, step(3, StepVerdict.SATISFIED)) == (Verdict.PASSED, "")
    assert judge(step(1, StepVerdict.FORGIVEN, "exit status 1")) == (Verdict.PASSED, "")
    inner = step(2, PASSED, "", step(2, SKIPPED, "needs root"))
    assert judge(step(1, PASSED), inner) == (Verdict.INCOMPLETE, "1 step skipped: needs root")


def test_a_failure_behind_a_skipped_step_counts_only_where_it_names_a_fault() -> None:
    failed, skipped = step(2, FAILED, "exit status 1"), step(1, SKIPPED, "needs root")
    said = "step 2: exit status 1"
    assert judge(failed) == (Verdict.FAILED, said)
    behind = f"{said}, behind 1 skipped step"
    assert judge(skipped, failed, blame=Blame.FILES) == (Verdict.FAILED, behind)
    assert judge(skipped, failed) == (Verdict.INCOMPLETE, behind)
    assert judge(step(1, FAILED, "exit status 1"), step(2, SKIPPED))[0] is Verdict.FAILED


def test_a_failure_for_the_lack_of_something_here_is_none_of_the_files() -> None:
    failed = step(1, FAILED, "exit status 127")
    said = "step 1: exit status 127, for the lack of something here"
    assert judge(failed, blame=Blame.MACHINE) == (Verdict.INCOMPLETE, said)


def test_so_does_one_with_another_version_of_a_tool() -> None:
    failed, told = step(2, FAILED, "exit status 1"), "with go 1.21, wanted 1.22"
    said = f"step 2: exit status 1, {told}"
    assert judge(failed, tools=(OTHER,)) == (Verdict.INCOMPLETE, said)
    assert judge(failed, tools=(OTHER,), blame=Blame.FILES) == (Verdict.FAILED, said)
    assert judge(failed, tools=(OTHER._replace(exact=True),))[0] is Verdict.FAILED
    assert judge(step(1, PASSED), tools=(OTHER,)) == (Verdict.PASSED, told)


@pytest.mark.slow
def test_what_names_a_place_in_the_files_is_a_failure_behind_a_skipped_step_too(
    tmp_path: Path,
) -> None:
    checked = check_steps(
        tmp_path / "lack", "- {run: sudo apt-get install tool}\n- {run: there-is-no-such-tool}\n"
    )
    assert checked.jobs == [
        "job: incomplete: there-is-no-such-tool: exit status 127,"
        " for the lack of something here, behind 1 skipped step"
    ]
    steps = "- {run: sudo apt-get install tool}\n- {run: python bad.py}\n"
    checked = check_steps(tmp_path / "fault", steps, {"bad.py": "def f(:\n"})
    assert checked.jobs == ["job: failed: python bad.py: exit status 1, behind 1 skipped step"]
    assert [(one["file"], one["line"]) for one in checked.data["errors"]] == [("bad.py", 1)]


@pytest.mark.slow
def test_jobs_find_none_of_the_products_of_others(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          first:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: echo x > ignored; mkdir build ~/mine; echo y > build/o; echo z > new; rm a
          second:
            needs: first
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: lists, run: "ls; git status --short"}
        """
    files = {".gitignore": "ignored\nbuild/\n", "a": "a\n"}
    repository = new_project(tmp_path / "project", workflow, files)
    assert check(repository).log("lists") == "a\n"
    again = check(repository, "--force", "--job=second")
    assert again.log("lists") == "a\n"
    tree = next((tmp_path / "home").glob(".local/share/git-retcon/worktrees/*/*/tree"))
    kept = next(tree.parent.glob("jobs/first-*/ignored"))
    assert sorted(str(path.relative_to(kept)) for path in kept.rglob("*")) == [
        "build", "build/o", "ignored",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_job_runs_no_longer_than_it_may(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          slow:
            runs-on: ubuntu-latest
            timeout-minutes: 0.02
            steps: [{name: sleeps, run: sleep 60}, {name: behind, if: always(), run: echo}]
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == ["slow: failed: its time ran out"]
    assert checked.steps[1] == "behind: skipped: the job has no time left"


# Answers each line that it is asked, and prints it, as servers do.
SERVER = """\
mkfifo ask answer
(while read -r line <ask; do echo "asked $line"; echo "got $line" >answer; done) &
echo $! > {pid}
"""
ASK = 'echo hello >ask; test "$(cat answer)" = "got hello"'


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it ends with its step elsewhere")
def test_a_server_answers_later_steps_and_ends_with_its_job(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    server = textwrap.indent(SERVER.format(pid=pid), " " * 8)
    begin = f"runs-on: x\n    steps:\n    - run: |\n{server}"
    gone = f"{{run: '! kill -0 $(cat {pid})'}}"
    repository = new_project(
        tmp_path / "project",
        f"on: push\njobs:\n  asked:\n    timeout-minutes: 0.3\n    {begin}"
        f"    - run: {ASK}\n    - run: {ASK}; rm ask\n"
        f"  late:\n    needs: asked\n    timeout-minutes: 0.04\n    {begin}    - run: sleep 60\n"
        f"  gone: {{needs: late, if: always(), runs-on: x, steps: [{gone}]}}\n",
    )
    assert check(repository).jobs == [
        "asked: passed",
        "late: failed: its time ran out",
        "gone: passed",
    ]


@pytest.mark.slow
def test_another_version_of_a_tool_is_said(tmp_path: Path) -> None:
    programs = install(tmp_path / "bin", go="go version go1.21.3 linux/amd64")
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - {id: go, uses: actions/setup-go@v5, with: {go-version: "1.22"}}
            - {name: shows, run: "echo ${{ steps.go.outputs.go-version }}"}
          same:
            runs-on: ubuntu-latest
            steps: [{uses: actions/setup-go@v5, with: {go-version: "1.21"}}]
          none:
            runs-on: ubuntu-latest
            steps: [{uses: actions/setup-java@v4, with: {java-version: "99"}}, {run: java}]
        """
    checked = check(new_project(tmp_path / "project", workflow), PATH=f"{programs}:/usr/bin:/bin")
    assert checked.jobs[:2] == ["job: passed: with go 1.21.3, wanted 1.22", "same: passed"]
    assert checked.log("shows") == "1.21.3\n"


def test_so_does_one_on_another_machine() -> None:
    failed, machine = step(2, FAILED, "exit status 1"), "x64, wanted arm64"
    said = f"step 2: exit status 1, on {machine}"
    assert judge(failed, machine=machine) == (Verdict.INCOMPLETE, said)
    assert judge(failed, machine=machine, blame=Blame.FILES) == (Verdict.FAILED, said)
    assert judge(step(1, PASSED), machine=machine) == (Verdict.PASSED, f"on {machine}")
