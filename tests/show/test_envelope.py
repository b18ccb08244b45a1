"""One JSON object for every subcommand of every command, also when it fails."""

import fcntl
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from git_retcon.errors import Fatal, Reason, Refused, UserError, WrongUsage
from git_retcon.show.envelope import Failure, failure_of, leave_out, next_commands
from tests.code_commit.project import answer_of, new_project
from tests.program import Ran, allium_here, code_commit_here, retcon, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, Scene, messy_branch

FAILURE = ["reason", "retryable", "error", "hint", "next"]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def failed(done: Ran) -> dict[str, object]:
    """The envelope of a failure, after making sure that it is one, and alone."""
    found: dict[str, object] = json.loads(done.out)
    assert done.status != 0
    assert list(found)[:2] == ["version", "status"]
    assert list(found)[-5:] == FAILURE
    assert found["version"] == 1
    return found


def reason(done: Ran) -> object:
    return failed(done)["reason"]


@pytest.mark.parametrize("subcommand", ["run", "status", "undo", "resolve"])
def test_a_spec_that_is_not_there_is_the_same_for_every_subcommand(
    scene: Scene, subcommand: str
) -> None:
    note = ["note"] if subcommand == "resolve" else []
    done = retcon_here(scene.repo.path, subcommand, "nosuch.toml", *note, "--json")
    assert done.status == 128
    assert failed(done) == {
        "version": 1,
        "status": "failed",
        "reason": "invalid",
        "retryable": False,
        "error": "no such spec file: 'nosuch.toml'",
        "hint": "'git retcon prompt' says how to write one",
        "next": [["git", "retcon", "prompt"]],
    }
    assert done.err == (
        "fatal: no such spec file: 'nosuch.toml'\nhint: 'git retcon prompt' says how to write one\n"
    )


@pytest.mark.parametrize(
    ("words", "error", "following"),
    [
        (["status", "--jsno"], "no such option '--jsno'", ["git", "retcon", "status", "-h"]),
        (["resolve"], "missing argument 'SPEC'", ["git", "retcon", "resolve", "-h"]),
        (["--timeout=x", "a.toml"], "invalid value for", ["git", "retcon", "run", "-h"]),
        (["statsu"], "'statsu' is neither a command nor", ["git", "retcon", "status"]),
        (["status"], "no spec file here", ["git", "retcon", "plan"]),
        (["completion", "ksh"], "invalid value for", ["git", "retcon", "completion", "-h"]),
    ],
)
def test_wrong_usage_has_an_envelope_wherever_json_is_on_the_command_line(
    tmp_path: Path, words: list[str], error: str, following: list[str]
) -> None:
    for position in {0 if words[0] == "statsu" else 1, len(words)}:
        given = [*words[:position], "--json", *words[position:]]
        if given[0] == "--json":
            continue  # what begins with an option is a run
        done = retcon_here(tmp_path, *given)
        found = failed(done)
        assert (done.status, found["reason"]) == (129, "usage")
        assert str(found["error"]).startswith(error)
        assert found["next"] == [following]


def test_options_before_a_subcommand_get_their_place_in_the_hint(tmp_path: Path) -> None:
    found = failed(retcon_here(tmp_path, "--json", "status"))
    assert found["error"] == "options of 'status' come after it"
    assert found["next"] == [["git", "retcon", "status", "--json"]]


@pytest.mark.parametrize(
    ("words", "name", "following"),
    [
        (["--json", "undo"], "undo", ["undo", "--json"]),
        (["--query", "x", "rollup", "--json"], "rollup", ["rollup", "--query", "x", "--json"]),
        (["-q", "--json", "rollup", "src"], "rollup", ["rollup", "-q", "--json", "src"]),
    ],
)
def test_options_before_a_subcommand_are_the_same_for_every_command(
    tmp_path: Path, words: list[str], name: str, following: list[str]
) -> None:
    done = code_commit_here(tmp_path, *words)
    assert (done.status, failed(done)["reason"]) == (129, "usage")
    assert done.err == (
        f"error: options of '{name}' come after it\n"
        f"hint: write 'git code-commit {name} …' instead\n"
    )
    assert failed(done)["next"] == [["git", "code-commit", *following]]


def test_the_value_of_an_option_is_no_subcommand(tmp_path: Path) -> None:
    assert "come after it" not in code_commit_here(tmp_path, "--query", "undo").err
    assert "come after it" not in retcon_here(tmp_path, "--build", "status", "x.toml").err


def test_a_spec_may_be_called_as_a_subcommand(scene: Scene) -> None:
    assert "come after it" not in retcon_here(scene.repo.path, "-q", "--", "status").err
    (scene.repo.path / "status").write_text("")
    assert "come after it" not in retcon_here(scene.repo.path, "-q", "status").err


def test_json_behind_two_dashes_is_a_name(tmp_path: Path) -> None:
    done = retcon_here(tmp_path, "status", "--", "--json")
    assert (done.status, done.out) == (128, "")
    wrong = retcon_here(tmp_path, "status", "--", "one", "--json")
    assert (wrong.status, wrong.out) == (129, "")


def test_json_that_is_an_options_value_is_no_option(tmp_path: Path) -> None:
    done = code_commit_here(tmp_path, "--query", "--json")
    assert (done.status, done.out) == (128, "")


def test_a_bug_says_so_and_still_shows_its_traceback(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("here")

    monkeypatch.setattr("git_retcon.retcon.rebuild.command.rebuild", broken)
    done = retcon_here(scene.repo.path, "history.toml", "--json")
    assert (done.status, reason(done)) == (128, "bug")
    assert failed(done)["next"] == []
    assert "Traceback" in done.err
    assert "KeyError: 'here'" in done.err


def test_an_interruption_says_how_to_go_on(scene: Scene) -> None:
    build = "kill -INT $PPID; sleep 60"
    done = retcon(scene.repo.path, "history.toml", "--json", "--build", build)
    found = failed(done)
    assert (done.status, found["reason"], found["retryable"]) == (130, "interrupted", True)
    assert found["next"] == [["git", "retcon", "history.toml", "--json", "--build", build]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "reason"),
    [
        ("kill -INT $PPID; sleep 60", "interrupted"),
        ("echo >>history.toml; false", "stale_plan"),
        ("false", "stuck"),
    ],
)
def test_what_goes_on_never_begins_at_the_base_again(scene: Scene, build: str, reason: str) -> None:
    scene.run("--build", BUILD).ok()
    build = build.replace("history.toml", str(scene.spec))
    words = ["history.toml", "--json", "--restart", "--build", build]
    done = retcon(scene.repo.path, *words)
    found = failed(done)
    assert found["reason"] == reason
    assert found["next"] == [["git", "retcon", *(word for word in words if word != "--restart")]]
    if reason != "stuck":
        assert str(found["hint"]).endswith("; leave out --restart this time")
        assert done.err.endswith("; leave out --restart this time\n")


@pytest.mark.slow
def test_a_restart_that_has_not_begun_is_repeated(scene: Scene) -> None:
    scene.run().ok()
    locks = sorted((scene.repo.path / ".git/retcon/locks").iterdir())
    with locks[0].open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = failed(retcon_here(scene.repo.path, "history.toml", "--json", "--restart"))
    assert found["next"] == [["git", "retcon", "history.toml", "--json", "--restart"]]
    assert "--restart" not in str(found["hint"])


def test_a_stuck_run_has_its_data_and_the_reason(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "run", "history.toml", "--json", "--build", "false")
    found = failed(done)
    assert (done.status, found["status"], found["reason"]) == (1, "stuck", "stuck")
    assert str(found["error"]).startswith("commit 1 is stuck: ")
    assert found["stuck_at"] == 1
    assert found["next"] == [["git", "retcon", "run", "history.toml", "--json", "--build", "false"]]
    status = retcon_here(scene.repo.path, "status", "--json")
    assert (status.status, failed(status)["status"], reason(status)) == (1, "stuck", "stuck")
    assert failed(status)["next"] == [["git", "retcon", "run", "history.toml"]]


@pytest.mark.slow
def test_a_status_is_one_word_for_the_whole_spec(scene: Scene) -> None:
    def status() -> object:
        done = retcon_here(scene.repo.path, "status", "--json")
        return json.loads(done.ok().out)["status"]

    assert status() == "not started"
    scene.run().ok()
    assert status() == "complete"
    spec = scene.spec.read_text()
    scene.write_spec(f'{spec}\n[[commit]]\nmessage = "One more"\n')
    assert status() == "in progress"


def test_a_dry_run_is_planned_in_every_command(scene: Scene, tmp_path: Path) -> None:
    project = new_project(tmp_path / "p").path
    answer = answer_of({"src/a.txt": "two\n"})
    for done in (
        retcon_here(scene.repo.path, "history.toml", "-n", "--json"),
        retcon_here(scene.repo.path, "clean", "-n", "--json"),
        code_commit_here(project, "-n", "--response", "-", "--json", stdin=answer),
        allium_here(project, "format", "-n", "--json"),
    ):
        assert json.loads(done.ok().out)["status"] == "planned"


@pytest.mark.slow
def test_a_second_run_learns_to_try_again(scene: Scene) -> None:
    scene.run().ok()
    locks = sorted((scene.repo.path / ".git/retcon/locks").iterdir())
    with locks[0].open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for subcommand in ("run", "undo"):
            found = failed(retcon_here(scene.repo.path, subcommand, "--json", "history.toml"))
            assert (found["reason"], found["retryable"]) == ("locked", True)
            assert found["next"] == [["git", "retcon", subcommand, "--json", "history.toml"]]


@pytest.mark.slow
def test_an_undo_that_would_lose_a_commit_says_what_goes_on(scene: Scene) -> None:
    repo = scene.repo
    scene.run().ok()
    repo.git("checkout", "-q", "clean")
    repo.commit("mine", {"mine.txt": "x\n"})
    repo.git("checkout", "-q", "main")
    done = retcon_here(repo.path, "undo", "history.toml", "--json")
    assert (done.status, reason(done)) == (1, "unsaved_work")
    assert failed(done)["next"] == [["git", "retcon", "undo", "--force", "history.toml", "--json"]]
    undone = retcon_here(repo.path, *_arguments(failed(done)["next"])).ok()
    assert json.loads(undone.out)["status"] == "done"


def _arguments(following: object) -> list[str]:
    """The first of the commands that go on, less "git retcon"."""
    assert isinstance(following, list)
    return [str(word) for word in following[0][2:]]


def test_a_spec_edited_during_a_run_is_worth_a_retry(scene: Scene) -> None:
    build = f"echo >>{scene.spec}"
    done = retcon_here(scene.repo.path, "history.toml", "--json", "--build", build)
    assert (reason(done), failed(done)["retryable"]) == ("stale_plan", True)


def test_an_answer_that_is_awaited_and_a_build_that_fails(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p").path
    waiting = code_commit_here(project, "--offline", "--json")
    assert (failed(waiting)["status"], reason(waiting)) == ("waiting", "needs_answer")
    assert failed(waiting)["next"] == [["git", "code-commit", "--response", "-"]]
    wrong = answer_of({"src/a.txt": "three\n"})
    for _ in range(4):
        last = code_commit_here(project, "--response", "-", "--json", stdin=wrong)
    assert (failed(last)["status"], reason(last)) == ("failed", "not_built")
    assert failed(last)["next"] == [["git", "code-commit", "undo"]]


def test_a_failure_without_a_hint_says_so_with_null(tmp_path: Path) -> None:
    done = code_commit_here(new_project(tmp_path / "p").path, "--abort", "--json")
    assert failed(done) == {
        "version": 1,
        "status": "failed",
        "reason": "refused",
        "retryable": False,
        "error": "no session is open",
        "hint": None,
        "next": [],
    }


def test_uncommitted_changes_can_be_forced(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p").path
    (project / "README").write_text("changed\n")
    done = code_commit_here(project, "--offline", "--json", "--query", "x")
    assert (done.status, reason(done)) == (1, "unsaved_work")
    assert failed(done)["next"] == [
        ["git", "code-commit", "--force", "--offline", "--json", "--query", "x"]
    ]


def test_events_end_with_the_failure_too(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "nosuch.toml", "--events")
    (event,) = map(json.loads, done.out.splitlines())
    assert (event["event"], event["reason"]) == ("failed", "invalid")
    assert list(event)[1:] == FAILURE


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (UserError("m"), 1, Reason.REFUSED),
        (Refused("m", reason=Reason.BUDGET), 1, Reason.BUDGET),
        (Fatal("m"), 128, Reason.NOT_READY),
        (WrongUsage("m"), 129, Reason.USAGE),
    ],
)
def test_an_error_carries_its_reason_as_a_value(
    error: UserError, status: int, reason: Reason
) -> None:
    assert (error.status, error.reason) == (status, reason)
    assert failure_of(error) == Failure(reason, "m")


@pytest.mark.parametrize(
    ("failure", "following"),
    [
        (Failure(Reason.STUCK, "m"), []),
        (Failure(Reason.STUCK, "m", again=()), [["git", "x", "run", "spec"]]),
        (Failure(Reason.LOCKED, "m"), [["git", "x", "run", "spec"]]),
        (Failure(Reason.REFUSED, "m", again=["--yes"]), [["git", "x", "run", "--yes", "spec"]]),
        (Failure(Reason.REFUSED, "m", again=[]), [["git", "x", "run", "spec"]]),
        (Failure(Reason.LOCKED, "m", again=["--yes"]), [["git", "x", "run", "--yes", "spec"]]),
        (Failure(Reason.LOCKED, "m", done_with=["spec"]), [["git", "x", "run"]]),
        (
            Failure(Reason.REFUSED, "m", again=(), commands=[("git", "gc")]),
            [["git", "x", "run", "spec"], ["git", "gc"]],
        ),
    ],
)
def test_what_goes_on_is_the_same_command_and_others(
    failure: Failure, following: Sequence[Sequence[str]]
) -> None:
    assert next_commands(failure, ["git", "x", "run"], ["spec"]) == following


def test_a_name_behind_two_dashes_is_no_option() -> None:
    words = ["--restart", "x", "--", "--restart"]
    assert leave_out(["--restart"], words) == ["x", "--", "--restart"]
    assert leave_out(["--force"], words) == words


def test_what_can_be_retried_needs_no_change_by_anybody() -> None:
    assert {reason.value for reason in Reason if reason.is_retryable} == {
        "locked", "unavailable", "stale_plan", "interrupted"
    }  # fmt: skip
