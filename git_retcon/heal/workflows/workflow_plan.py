"""What would run here of a workflow, before anything is run.

Values that only a run can say are unknown. A step whose condition depends on one is expected to
run.
"""

from collections.abc import Sequence

from git_retcon.heal.workflows.cells import Here, JudgedCell, find_twins
from git_retcon.heal.workflows.checkouts import refuse_overlaid
from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    evaluate_env,
    with_context,
    with_env,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    NotKnown,
    Object,
    Value,
    make_open_object,
)
from git_retcon.heal.workflows.github_context import see_run
from git_retcon.heal.workflows.happenings import Checkout, Happening, name_event
from git_retcon.heal.workflows.jobs import job_runs, order_jobs
from git_retcon.heal.workflows.machines import (
    Machine,
    describe_difference,
    read_machine,
    refuse_machine,
)
from git_retcon.heal.workflows.matrix import Cell, Strategy, expand_job, see_cell
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.step_plans import (
    DEEPEST,
    GOING_WELL,
    StepPlan,
    Tree,
    evaluate_known,
    list_setups,
    plan_steps,
    see_inputs,
)
from git_retcon.heal.workflows.workflow import (
    Defaults,
    Job,
    Trigger,
    Workflow,
)
from git_retcon.lazy_named_tuple import NamedTuple

FALSE_CONDITION = "its condition is false"


class CellPlan(NamedTuple):
    """One run of a job. ``reason`` says why nothing of it runs here, ``fits`` whether this
    machine is one for it; ``same_as`` is the name of the cell that does the same here, ``machine``
    what is different about this one where it is not quite the wanted one.
    """

    name: str
    reason: str
    steps: tuple[StepPlan, ...]
    fits: bool
    same_as: str = ""
    machine: str = ""


class JobPlan(NamedTuple):
    """A job with its cells, or with the jobs of the workflow that it calls. ``reason`` says why
    there are none.
    """

    job: Job
    reason: str
    cells: tuple[CellPlan, ...]
    called: "tuple[JobPlan, ...]" = ()


class Planner(NamedTuple):
    """What a plan depends on besides the workflow."""

    tree: Tree
    here: Here
    machine: Machine


def plan_workflow(
    workflow: Workflow, happening: Happening, checkout: Checkout, planner: Planner
) -> list[JobPlan]:
    """All jobs that a happening starts, in an order in which they can run."""
    return _plan_jobs(workflow, begin_run(workflow, happening, checkout), planner, 0)


def begin_run(workflow: Workflow, happening: Happening, checkout: Checkout) -> Surroundings:
    """What expressions see at the start of a run, with the inputs that nobody gave."""
    around = see_run(happening, checkout)
    trigger = workflow.trigger(name_event(happening))
    inputs = see_inputs(trigger.inputs, None, around) if trigger else Object()
    return with_context(around, "inputs", inputs)


def _plan_jobs(
    workflow: Workflow, around: Surroundings, planner: Planner, depth: int
) -> list[JobPlan]:
    plans: list[JobPlan] = []
    behind: set[str] = set()  # jobs that are skipped, and all that need one of them
    for job in (job for row in order_jobs(workflow.jobs) for job in row):
        skipped = next((need.text for need in job.needs if need.text in behind), "")
        if skipped and _is_held_back(job, around):
            plans.append(JobPlan(job, f"needs '{skipped}', which does not run", ()))
        else:
            plans.append(_plan_job(workflow, job, around, planner, depth))
        if skipped or plans[-1].reason == FALSE_CONDITION:
            behind.add(job.id)
    return plans


def _is_held_back(job: Job, around: Surroundings) -> bool:
    """Whether a job is skipped behind one that is, as it is unless its condition asks otherwise."""
    around = with_context(around, "needs", UNKNOWN)._replace(functions=_BEHIND_SKIPPED)
    try:
        return not job_runs(job, around)
    except (NotKnown, Misevaluated):
        return False


_BEHIND_SUCCESS = {
    "always": lambda arguments: True,
    "success": lambda arguments: True,
}
_BEHIND_SKIPPED = {
    "always": lambda arguments: True,
    "success": lambda arguments: False,
}


def _plan_job(
    workflow: Workflow, job: Job, around: Surroundings, planner: Planner, depth: int
) -> JobPlan:
    around = with_context(around, "needs", UNKNOWN if job.needs else Object())
    try:
        around = with_env(around, evaluate_env(workflow.env, around))
        if not _may_run(job, around):
            return JobPlan(job, FALSE_CONDITION, ())
        if job.uses is not None:
            return _plan_call(job, job.uses, around, planner, depth)
        strategy = _expand_matrix(job, around)
        plans = [
            plan_cell(workflow, job, cell, see_cell(around, strategy, cell), planner)
            for cell in strategy.cells
        ]
        return JobPlan(job, "", join_twins(job, strategy.cells, plans, planner))
    except NotKnown as error:
        return JobPlan(job, f"depends on what only a run can say ({error})", ())
    except Misevaluated as error:
        return JobPlan(job, f"line {error.line}: {error}", ())


def _expand_matrix(job: Job, around: Surroundings) -> Strategy:
    """The cells, or one instead whose values are not known."""
    try:
        return expand_job(job, around)
    except NotKnown:
        return Strategy((Cell(0, job.id, make_open_object(())),), True, None)


def _may_run(job: Job, around: Surroundings) -> bool:
    # Jobs before it are expected to succeed; one that asks whether they failed may still run.
    expected = _BEHIND_SUCCESS if job.needs else GOING_WELL
    around = around._replace(functions={**around.functions, **expected})
    try:
        return job_runs(job, around)
    except NotKnown:
        return True


def _plan_call(
    job: Job, uses: Scalar, around: Surroundings, planner: Planner, depth: int
) -> JobPlan:
    """The jobs of a workflow of the repository that a job calls."""
    if not uses.text.startswith("./"):
        return JobPlan(job, f"calls a workflow of another repository ({uses.text})", ())
    path = uses.text.removeprefix("./").encode()
    content = planner.tree.read(path)
    if content is None or depth >= DEEPEST:
        return JobPlan(job, f"calls a workflow that cannot be read ({uses.text})", ())
    called = read_workflow(path, content)
    if called.workflow is None:
        return JobPlan(job, str(called.problems[0]), ())
    trigger = called.workflow.trigger("workflow_call")
    reason = refuse_call(job, trigger)
    if trigger is None or reason:
        return JobPlan(job, reason, ())
    inputs = see_inputs(trigger.inputs, job.inputs, around)
    # A called workflow has an environment of its own.
    inside = with_context(with_context(around, "inputs", inputs), "env", Object())
    return JobPlan(job, "", (), tuple(_plan_jobs(called.workflow, inside, planner, depth + 1)))


def refuse_call(job: Job, trigger: Trigger | None) -> str:
    """Why GitHub would refuse a call, in its words."""
    if trigger is None:
        return "workflow is not reusable as it is missing a `on.workflow_call` trigger"
    given = {key.text.lower(): key.text for key, _ in job.inputs.pairs} if job.inputs else {}
    known = {one.name.lower() for one in trigger.inputs}
    for name, shown in given.items():
        if name not in known:
            return f"Invalid input, {shown} is not defined in the referenced workflow."
    for one in trigger.inputs:
        if one.required and one.name.lower() not in given:
            return f"Input {one.name} is required, but not provided while calling."
    return ""


def plan_cell(
    workflow: Workflow, job: Job, cell: Cell, around: Surroundings, planner: Planner
) -> CellPlan:
    """One run of a job. ``around`` is what it sees, the workflow's ``env`` included.

    Raises Misevaluated.
    """
    machine = read_machine(evaluate_known(job.runs_on, around) if job.runs_on else "")
    around = _see_machine(around, machine)
    refused = refuse_machine(machine, planner.machine)
    inside = with_env(around, evaluate_env(job.env, around))
    planned = plan_steps(job.steps, join_defaults(workflow, job), inside, planner.tree, 0)
    steps = refuse_overlaid(tuple(planned))
    other = "" if refused else describe_difference(machine, planner.machine)
    reason = refused or _refuse_job(job, around)
    return CellPlan(cell.name, reason, steps, not (refused or other), machine=other)


def join_defaults(workflow: Workflow, job: Job) -> Defaults:
    """Those of a job, and of its workflow where it says nothing."""
    return Defaults(
        job.defaults.shell or workflow.defaults.shell,
        job.defaults.directory or workflow.defaults.directory,
    )


def join_twins(
    job: Job, cells: Sequence[Cell], plans: list[CellPlan], planner: Planner
) -> tuple[CellPlan, ...]:
    """The plans, those that need not run with the name of the one that runs in their stead."""
    # One for another processor runs in its own stead only where there is none for this one.
    fitting = any(plan.fits for plan in plans)
    judged = [
        JudgedCell(
            cell,
            plan.fits or (bool(plan.machine) and not fitting),
            tuple(list_setups(plan.steps)),
            tuple(one.step.number for one in plan.steps),
        )
        for cell, plan in zip(cells, plans, strict=True)
    ]
    for place, twin in find_twins(job, judged, planner.here).items():
        plans[place] = plans[place]._replace(same_as=plans[twin].name)
    return tuple(plans)


def _see_machine(around: Surroundings, machine: Machine) -> Surroundings:
    processor = {"x64": "X64", "arm64": "ARM64"}.get(machine.processor, machine.processor)
    runner: dict[str, Value] = {"os": machine.system, "arch": processor}
    rest = dict.fromkeys(("name", "temp", "tool_cache", "workspace", "environment"), UNKNOWN)
    return with_context(around, "runner", Object({**runner, **rest}.items()))


def _refuse_job(job: Job, around: Surroundings) -> str:
    if job.container is not None and evaluate_known(job.container, around) not in ("", None):
        return "needs a container"
    if job.services is not None:
        return "needs services in containers"
    if job.environment is not None:
        return "deploys to an environment"
    return ""
