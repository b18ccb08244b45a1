"""What each step of a job would be here, and those of the actions that it uses.

Values that only a run can say are unknown. A step whose condition depends on one is expected to
run.
"""

import posixpath
from typing import Protocol

from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    evaluate_env,
    evaluate_node,
    open_env,
    with_context,
    with_env,
)
from git_retcon.heal.workflows.equivalents import REFUSE, sets_up_job
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.templates import holds, read_condition
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    NotKnown,
    Object,
    Value,
    to_text,
)
from git_retcon.heal.workflows.nodes import Mapping, Node, Scalar
from git_retcon.heal.workflows.reader import read_action
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.steps import (
    CHECKOUT,
    MODULES,
    SUBMODULES,
    WITH_SUBMODULES,
    Equivalent,
    Fetch,
    Kind,
    Local,
    Run,
    Satisfied,
    Setup,
    Skipped,
    classify_step,
    fill_known,
)
from git_retcon.heal.workflows.workflow import (
    Action,
    Defaults,
    Input,
    Step,
)
from git_retcon.lazy_named_tuple import NamedTuple

DEEPEST = 10  # calls and composite actions inside one another, as GitHub limits them


_ACTION_FILES = (b"action.yml", b"action.yaml")


GOING_WELL = {
    "always": lambda arguments: True,
    "cancelled": lambda arguments: False,
    "failure": lambda arguments: False,
    "success": lambda arguments: True,
}


class Tree(Protocol):
    """The files of the state that is checked."""

    def read(self, path: bytes) -> bytes | None:
        """The content of a file, or None where there is none."""
        ...

    def has_submodules(self) -> bool:
        """Whether there are clones here of the submodules that the state names."""
        ...


class CopiedTree:
    """The files of a state of which a checkout put a copy into a folder."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self._tree = tree
        self.state: Tree = find_state(tree)
        self._folder = f"{posixpath.normpath(folder)}/".encode()

    def read(self, path: bytes) -> bytes | None:
        return self._tree.read(path.removeprefix(self._folder))

    def has_submodules(self) -> bool:
        return self._tree.has_submodules()


def find_state(tree: Tree) -> Tree:
    """The files of the state alone."""
    return tree.state if isinstance(tree, CopiedTree) else tree


class StepPlan(NamedTuple):
    """A step that is expected to run, and what it would be; ``inner`` are those of an action."""

    step: Step
    kind: Kind
    inner: "tuple[StepPlan, ...]" = ()


def skipped_reasons(steps: tuple[StepPlan, ...]) -> list[str]:
    """Why steps are skipped, those of actions included."""
    reasons = [plan.kind.reason for plan in steps if isinstance(plan.kind, Skipped)]
    return reasons + [reason for plan in steps for reason in skipped_reasons(plan.inner)]


def list_tools(steps: tuple[StepPlan, ...]) -> list[ToolRequest]:
    """The tools that steps set up, those of actions included."""
    own = [tool for plan in steps if isinstance(plan.kind, Setup) for tool in plan.kind.tools]
    return own + [tool for plan in steps for tool in list_tools(plan.inner)]


def list_packages(steps: tuple[StepPlan, ...]) -> list[str]:
    """The system's packages that steps would install, those of actions included."""
    own = [
        name for plan in steps if isinstance(plan.kind, Run | Setup) for name in plan.kind.packages
    ]
    return own + [name for plan in steps for name in list_packages(plan.inner)]


def list_setups(steps: tuple[StepPlan, ...]) -> list[ToolRequest]:
    """The tools that steps set up for the others. What does the same as an action brings its own,
    and without them it alone is skipped, unless the action is there to set up a tool.
    """
    return list_tools(
        tuple(
            plan
            for plan in steps
            if not isinstance(plan.kind, Equivalent) or sets_up_job(plan.step)
        )
    )


def see_inputs(inputs: tuple[Input, ...], given: Mapping | None, around: Surroundings) -> Object:
    """The values of inputs: those given, else the defaults. Raises Misevaluated."""
    empty: dict[str, Value] = {"boolean": False, "number": 0.0}
    by_name = {key.text.lower(): value for key, value in given.pairs} if given else {}
    pairs: list[tuple[str, Value]] = []
    for one in inputs:
        node = by_name.get(one.name.lower(), one.default)
        value = empty.get(one.type, "") if node is None else evaluate_known(node, around)
        pairs.append((one.name, value))
    return Object(pairs)


def see_action_inputs(action: Action, step: Step, around: Surroundings) -> Object:
    """The inputs of an action, which are texts whatever the step gives. Raises Misevaluated."""
    inputs = see_inputs(action.inputs, step.inputs, around)
    texts = ((name, UNKNOWN if value is UNKNOWN else to_text(value)) for name, value in inputs)
    return Object(texts)


def see_equivalent_inputs(action: Action, step: Step, around: Surroundings) -> Object:
    """The same for what is done in the place of an action, which would trim them."""
    inputs = see_action_inputs(action, step, around)
    return Object((name, one.strip() if isinstance(one, str) else one) for name, one in inputs)


def evaluate_known(node: Node, around: Surroundings) -> Value:
    """The value, or UNKNOWN. Raises Misevaluated."""
    try:
        return evaluate_node(node, around)
    except NotKnown:
        return UNKNOWN


def plan_steps(
    steps: tuple[Step, ...], defaults: Defaults, around: Surroundings, tree: Tree, depth: int
) -> list[StepPlan]:
    """The steps that are expected to run."""
    around = around._replace(functions={**around.functions, **GOING_WELL}, is_early=True)
    plans: list[StepPlan] = []
    for step in steps:
        inside = with_env(around, evaluate_env(step.env, around))
        if _step_may_run(step, open_env(inside) if any(map(_sets_env, plans)) else inside):
            plans.append(_plan_step(step, defaults, inside, tree, depth))
            kind = plans[-1].kind
            if isinstance(kind, Fetch) and kind == Fetch("", "", kind.path):
                tree = CopiedTree(tree, kind.path)
    return plans


def _sets_env(plan: StepPlan) -> bool:
    """Whether a step says variables that later ones see."""
    said = isinstance(plan.kind, Run) and "GITHUB_ENV" in plan.kind.script
    return said or any(map(_sets_env, plan.inner))


def _step_may_run(step: Step, around: Surroundings) -> bool:
    if step.condition is None:
        return True
    try:
        return holds(read_condition(step.condition.text), around)
    except NotKnown:
        # What does the same as an action is expected to meet nothing that it refuses.
        return step.uses is None or not step.uses.text.startswith(REFUSE)
    except ExpressionError as error:
        raise Misevaluated(str(error), step.condition) from None


def _plan_step(
    step: Step, defaults: Defaults, around: Surroundings, tree: Tree, depth: int
) -> StepPlan:
    kind = classify_step(step, defaults, around)
    if isinstance(kind, Equivalent):
        inputs = see_equivalent_inputs(kind.action, step, around)
        return _plan_action(step, kind, kind.action, inputs, around, tree, depth)
    if kind == Satisfied(CHECKOUT) and _lacks_submodules(step, around, tree):
        return StepPlan(step, Skipped(SUBMODULES))
    if not isinstance(kind, Local):
        return StepPlan(step, kind)
    source = find_state(tree) if kind.of_commit else tree
    files = ((path, source.read(path)) for path in list_action_paths(kind.path))
    path, content = next(((path, found) for path, found in files if found is not None), (b"", b""))
    if not path:
        return StepPlan(step, Skipped(f"there is no action in {_show_path(kind.path)}"))
    action, problems = read_action(path, content)
    if action is None:
        return StepPlan(step, Skipped(str(problems[0])))
    named = _show_path(kind.path)
    if action.using != "composite":
        return StepPlan(step, Skipped(f"a local action by {action.using} ({named})"))
    if depth >= DEEPEST:
        return StepPlan(step, Skipped(f"actions within actions, deeper than {DEEPEST} ({named})"))
    inputs = see_action_inputs(action, step, around)
    return _plan_action(step, kind, action, inputs, around, tree, depth)


def _lacks_submodules(step: Step, around: Surroundings, tree: Tree) -> bool:
    """Whether a checkout brings submodules that are not here."""
    asked = step.inputs.get("submodules") if step.inputs else None
    if not isinstance(asked, Scalar) or fill_known(asked, around).lower() not in WITH_SUBMODULES:
        return False
    return tree.read(MODULES) is not None and not tree.has_submodules()


def _plan_action(
    step: Step,
    kind: Kind,
    action: Action,
    inputs: Object,
    around: Surroundings,
    tree: Tree,
    depth: int,
) -> StepPlan:
    """A step that runs those of an action."""
    inside = with_context(around, "inputs", inputs)
    return StepPlan(
        step, kind, tuple(plan_steps(action.steps, Defaults(), inside, tree, depth + 1))
    )


def list_action_paths(folder: bytes) -> list[bytes]:
    """Where the file of an action may be."""
    return [folder + b"/" + name if folder else name for name in _ACTION_FILES]


def _show_path(path: bytes) -> str:
    return path.decode("utf-8", "replace") or "."
