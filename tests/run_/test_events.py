"""How a step ended, as every command tells it."""

from git_retcon.run.events import Outcome, StepEnded, describe_end
from git_retcon.run.failure import Failure


def test_a_step_that_passes_has_no_cause() -> None:
    assert describe_end("build", None, 1.23456, cached=True) == StepEnded(
        "build", Outcome.PASS, cause="", seconds=1.235, cached=True, status=0
    )


def test_a_failed_step_is_told_by_its_headline() -> None:
    failure = Failure("build", "make", 2, b"app.c:3:1: error: unknown type name 'x'\n")
    ended = describe_end("build", failure, 0.5, log="build.log")
    assert (ended.outcome, ended.status, ended.log) == (Outcome.FAIL, 2, "build.log")
    assert ended.cause == failure.headline != ""


def test_a_failed_set_up_is_named_in_the_step_that_asked_for_it() -> None:
    failure = Failure("setup", "npm ci", 1, b"", timed_out=True)
    assert describe_end("test", failure, 0.5).cause == "setup: timed out"
