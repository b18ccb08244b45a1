"""What the expressions of steps see while a job runs: one scope for a job, one for each action."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.workflows.contexts import evaluate_text, with_context
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Array,
    Object,
    Value,
    make_exact_object,
    make_open_object,
)
from git_retcon.heal.workflows.nodes import Mapping as MappingNode
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.heal.workflows.workflow import Defaults
from git_retcon.lazy_dataclass import dataclass

Outcome = Literal["success", "failure", "skipped"]


@dataclass
class Scope:
    """The steps of a job, or of an action (``folder`` is where it lies), so far.

    ``around`` is what they all see; ``names`` says of which outer steps they are part, and ``env``
    has the variables that these hand them, which win over those of the job.
    """

    around: Surroundings
    defaults: Defaults
    folder: bytes = b""
    names: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    failed: bool = False
    steps: dict[str, Value] = field(default_factory=dict)

    def record(
        self, name: str, outcome: Outcome, conclusion: Outcome, outputs: Mapping[str, Value] | None
    ) -> None:
        """How a step with an id ended. ``outputs`` are None where they are not known."""
        if name:
            shown: Value = UNKNOWN if outputs is None else Object(outputs.items())
            described: dict[str, Value] = {
                "conclusion": conclusion, "outcome": outcome, "outputs": shown
            }  # fmt: skip
            self.steps[name] = Object(described.items())

    def see(self, session: JobSession) -> Surroundings:
        """What the next step sees."""
        around = with_context(self.around, "steps", Object(self.steps.items()))
        env: dict[str, Value] = dict.fromkeys(session.list_unknown(), UNKNOWN)
        env |= {**session.env, **self.env}
        around = with_context(around, "env", make_exact_object(env.items()))
        status = "failure" if session.failed else "success"
        job: dict[str, Value] = {"status": status}
        around = with_context(around, "job", make_open_object(job.items()))
        failed = self.failed

        def has_succeeded(arguments: Sequence[Value]) -> Value:
            return not failed

        def has_failed(arguments: Sequence[Value]) -> Value:
            return failed

        return around._replace(
            functions={
                **around.functions,
                "always": lambda arguments: True,
                "cancelled": lambda arguments: False,
                "failure": has_failed,
                "success": has_succeeded,
            }
        )

    def see_folder(self) -> dict[str, str]:
        """The variable that the steps of an action find beside those of others."""
        return {"GITHUB_ACTION_PATH": os.fsdecode(self.folder)} if self.folder else {}


def extend(value: Value, more: Mapping[str, Value]) -> Object:
    """An object with further members, which is open if the first is."""
    before = list(value) if isinstance(value, Object) else []
    rest = value.rest if isinstance(value, Object) else None
    return Object([*before, *more.items()], rest=rest)


def to_plain(value: Value) -> object:
    """What JSON can say of a value; what is not known is null."""
    if isinstance(value, Object):
        return {name: to_plain(one) for name, one in value}
    if isinstance(value, Array):
        return [to_plain(one) for one in value.items]
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    return value if isinstance(value, str | bool) else None


def read_inputs(node: MappingNode | None, around: Surroundings) -> dict[str, str]:
    """The inputs of an action as texts. Raises NotKnown or Misevaluated."""
    pairs = node.pairs if node else ()
    return {
        key.text.lower(): evaluate_text(value, around)
        for key, value in pairs
        if isinstance(value, Scalar)
    }
