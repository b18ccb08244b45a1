"""What the endings of steps mean for the action that they are a part of."""

from git_retcon.heal.execution.step_ending import join_verdicts
from git_retcon.heal.results import StepResult, StepVerdict


def _end(verdict: StepVerdict, reason: str = "") -> StepResult:
    return StepResult(1, "step", 1, verdict, reason)


def test_an_action_fails_with_its_steps_and_is_skipped_where_all_are() -> None:
    passed, skipped = _end(StepVerdict.PASSED), _end(StepVerdict.SKIPPED, "why")
    failed = _end(StepVerdict.FAILED, "exit status 1")
    assert join_verdicts((passed, skipped), failed=False) == (StepVerdict.PASSED, "")
    assert join_verdicts((skipped, skipped), failed=False) == (StepVerdict.SKIPPED, "why")
    assert join_verdicts((passed, failed), failed=True) == (
        StepVerdict.FAILED,
        "step: exit status 1",
    )
    # A failure that a later step forgave is none.
    assert join_verdicts((failed,), failed=False) == (StepVerdict.PASSED, "")
    assert join_verdicts((), failed=False) == (StepVerdict.PASSED, "")
