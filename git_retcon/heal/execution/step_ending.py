"""How a step ended, and what that means for what it is a part of."""

from collections.abc import Mapping, Sequence

from git_retcon.heal.execution.step_scope import Outcome
from git_retcon.heal.results import Annotation, StepResult, StepVerdict
from git_retcon.heal.workflows.expressions.values import Value
from git_retcon.lazy_named_tuple import NamedTuple


class Ending(NamedTuple):
    """How a step ended. ``outputs`` are None where they are not known."""

    verdict: StepVerdict
    reason: str = ""
    outputs: Mapping[str, Value] | None = {}
    status: int | None = None
    seconds: float = 0.0
    log: str = ""
    command: str = ""
    inner: tuple[StepResult, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    folder: str = ""


CONCLUSIONS: Mapping[StepVerdict, tuple[Outcome, Outcome]] = {
    StepVerdict.PASSED: ("success", "success"),
    StepVerdict.FAILED: ("failure", "failure"),
    StepVerdict.FORGIVEN: ("failure", "success"),
    StepVerdict.SATISFIED: ("success", "success"),
    # What we skip is taken to have gone well, as on GitHub; what it said is not known.
    StepVerdict.SKIPPED: ("success", "success"),
    StepVerdict.NOT_WANTED: ("skipped", "skipped"),
}


def join_verdicts(results: Sequence[StepResult], *, failed: bool) -> tuple[StepVerdict, str]:
    """How an action ended whose steps ended so."""
    if failed:
        worst = next(one for one in results if one.verdict is StepVerdict.FAILED)
        return StepVerdict.FAILED, f"{worst.name}: {worst.reason}"
    if results and all(one.verdict is StepVerdict.SKIPPED for one in results):
        return StepVerdict.SKIPPED, results[0].reason
    return StepVerdict.PASSED, ""
