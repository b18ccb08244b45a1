"""``git heal check`` as people and programs see it."""

import json
from pathlib import Path

from tests.heal.checks import new_project
from tests.program import heal_here, on_terminal, rest

WORKFLOW = """\
    on: push
    jobs:
      lint: {runs-on: ubuntu-latest, steps: [{run: echo linted}]}
      test:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - run: |
            echo "::error file=a.txt,line=1::wrong"
            exit 1
    """


def test_the_jobs_and_their_errors_are_data_and_the_rest_is_not(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW, {"a.txt": "a\n"})
    done = heal_here(repository.path, "check", "--trust")
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[:2] == [".github/workflows/ci.yml", "  lint  passed"]
    assert lines[2].startswith('  test  failed: echo "::error')
    assert lines[-3:] == ["a.txt:1: wrong", "  a", "2 jobs: 1 passed, 1 failed"]
    begun, passed = done.err.splitlines()[:2]
    assert begun == "ci.yml: lint"
    assert passed.startswith("  echo linted  passed")
    assert "error: 1 job failed" in done.err
    again = heal_here(repository.path, "check", "-q")
    assert again.err.splitlines() == [
        "error: 1 job failed",
        "hint: the logs that are named have everything that was printed",
    ]


def test_code_hosts_and_programs_read_the_same(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW, {"a.txt": "a\n"})
    done = heal_here(repository.path, "check", "--trust", "--format=github")
    assert done.out == "::error file=a.txt,line=1,col=1,title=unknown::wrong\n"
    sarif = json.loads(heal_here(repository.path, "check", "--format=sarif").out)
    (result,) = sarif["runs"][0]["results"]
    assert result["message"]["text"] == "wrong"
    events = heal_here(repository.path, "check", "--force", "--events").out.splitlines()
    names = [json.loads(line)["event"] for line in events]
    assert names[:2] == ["check_began", "job_began"]
    assert "step_ended" in names
    assert names[-1] == "job_ended"


def test_code_scanning_sees_a_step_without_an_error_at_its_workflow(tmp_path: Path) -> None:
    steps = "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: exit 3}]}}"
    repository = new_project(tmp_path / "project", steps)
    done = heal_here(repository.path, "check", "--trust", "--format=github")
    assert done.out == "::error title=unknown::exit 3: exit status 3\n"
    sarif = json.loads(heal_here(repository.path, "check", "--format=sarif").out)
    (result,) = sarif["runs"][0]["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == ".github/workflows/ci.yml"


def test_the_question_is_asked_at_a_terminal_and_remembered(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW)
    child = on_terminal("heal", repository.path, "check", "--job=lint")
    child.expect("Do you trust them")
    child.sendline("n")
    refused = rest(child)
    assert refused.status == 1
    assert "you do not trust the commands" in refused.out
    child = on_terminal("heal", repository.path, "check", "--job=lint")
    child.expect("Do you trust them")
    child.sendline("yes")
    assert rest(child).status == 0
    assert rest(on_terminal("heal", repository.path, "check", "--job=lint", "--force")).status == 0


def test_where_there_is_nothing_to_check_it_is_said(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", "on: {schedule: [{cron: 0 0 * * *}]}\njobs: {}")
    done = heal_here(repository.path, "check")
    assert done.status == 1
    bare = heal_here(tmp_path, "check")
    assert (bare.status, bare.out) == (128, "")


def test_no_log_is_promised_of_a_workflow_that_cannot_be_read(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", "on: push\njobs: {}\nnosuchkey: 1")
    done = heal_here(repository.path, "check", "--trust")
    assert done.status == 1
    assert "error: 1 job failed\nhint: nothing was printed; the reason is beside each" in done.err


def test_a_dry_run_lists_what_would_run_and_records_nothing(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW, {"a.txt": "a\n"})
    done = heal_here(repository.path, "check", "-n", "--job=lint").ok()
    assert done.out.splitlines()[1:] == ["  lint  runs", "1 job: 1 run"]
    data = json.loads(heal_here(repository.path, "check", "-n", "--json").ok().out)
    assert (data["status"], len(data["workflows"])) == ("planned", 1)
    assert not (repository.path / ".git/heal").exists()


def test_another_runner_is_refused(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", WORKFLOW)
    repository.git("config", "heal.runner", "docker")
    done = heal_here(repository.path, "check", "--trust")
    assert (done.status, done.out) == (128, "")
    said = "fatal: bad value 'docker' for 'heal.runner'\nhint: use one of: host, act"
    assert done.err.startswith(said)
