"""What of the repository's workflows would run on this machine, and why the rest would not."""

import enum
from collections.abc import Iterator, Sequence

from git_retcon.heal.current_branch import CurrentBranch
from git_retcon.heal.job_choice import JobChoice
from git_retcon.heal.local_tools import Match, ToolsHere
from git_retcon.heal.system_packages import refuse_packages
from git_retcon.heal.workflow_choice import (
    Choice,
    ChosenWorkflow,
    PlanJobs,
    choose_workflows,
)
from git_retcon.heal.workflows.faults import Problem
from git_retcon.heal.workflows.happenings import Happening, name_event
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import StepPlan, list_setups, list_tools, skipped_reasons
from git_retcon.heal.workflows.steps import Equivalent, Run, Setup
from git_retcon.heal.workflows.workflow import Workflow
from git_retcon.heal.workflows.workflow_plan import CellPlan, JobPlan, Planner, plan_workflow
from git_retcon.heal.working_files import WorkflowFiles
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.counting import some_of


class Outlook(enum.Enum):
    """How much of a job would run here."""

    RUNS = "runs"
    INCOMPLETE = "incomplete"
    NOT_RUN = "not run"


class SkippedStep(NamedTuple):
    """A step of a job that would be skipped. Steps of actions have the line of their use."""

    line: int
    reason: str


class CellForecast(NamedTuple):
    """One run of a job. ``reason`` says why nothing of it would run; ``same_as`` names the cell
    that does the same here.
    """

    name: str
    outlook: Outlook
    reason: str
    same_as: str
    tools: tuple[Match, ...]
    skipped: tuple[SkippedStep, ...]
    steps: int  # how many, the skipped ones among them
    machine: str = ""  # how this one differs from the wanted one, if it does


class JobForecast(NamedTuple):
    """A job of a file with its cells, or with the jobs of the workflow that it calls. ``reason``
    says why there are none; ``unmet`` are the jobs it needs of which nothing would run here.
    """

    id: str
    file: bytes
    line: int
    reason: str
    unmet: tuple[str, ...]
    cells: tuple[CellForecast, ...]
    called: "tuple[JobForecast, ...]"

    @property
    def runs(self) -> bool:
        """Whether anything of it would run here."""
        own = any(cell.outlook is not Outlook.NOT_RUN for cell in self.cells)
        return own or any(one.runs for one in self.called)


class WorkflowForecast(NamedTuple):
    """A workflow file. ``events`` are those that start it, of which the first is the one that jobs
    are planned for; with none, nothing of it runs. ``reason`` says why or why not.
    """

    file: bytes
    name: str
    events: tuple[str, ...]
    reason: str
    problems: tuple[Problem, ...]
    jobs: tuple[JobForecast, ...]

    @property
    def is_refused(self) -> bool:
        """Whether GitHub would read nothing of the file."""
        return any(problem.severity == "error" for problem in self.problems)


class Place(NamedTuple):
    """Where workflows are read and would run."""

    files: WorkflowFiles
    branch: CurrentBranch
    tools: ToolsHere
    machine: Machine


def forecast_workflows(place: Place, choice: Choice) -> list[WorkflowForecast]:
    """All chosen workflows, in the order of their paths.

    Raises Fatal for a workflow or a job that is not there, and for an event that cannot be.
    """
    planner = Planner(place.files, place.tools, place.machine)
    checkout = place.branch.checkout

    def plan_jobs(workflow: Workflow, event: Happening) -> list[JobPlan]:
        return plan_workflow(workflow, event, checkout, planner)

    chosen = choose_workflows(place.files, place.branch, choice, plan_jobs)
    return [_forecast_workflow(one, place.tools, plan_jobs) for one in chosen]


def _forecast_workflow(
    one: ChosenWorkflow, tools: ToolsHere, plan_jobs: PlanJobs
) -> WorkflowForecast:
    workflow, problems = one.read
    name = workflow.name.text if workflow and workflow.name else ""
    jobs: tuple[JobForecast, ...] = ()
    if workflow is not None and one.started:
        jobs = _forecast_jobs(plan_jobs(workflow, one.started[0]), one.path, tools)
        jobs = _choose_jobs(jobs, one.job) if one.job else jobs
    events = tuple(map(name_event, one.started))
    return WorkflowForecast(one.path, name, events, one.reason, problems, jobs)


def _choose_jobs(jobs: Sequence[JobForecast], choice: JobChoice) -> tuple[JobForecast, ...]:
    """The chosen one, with its chosen cells or jobs."""
    (job,) = (one for one in jobs if one.id == choice.id)
    if choice.cell:
        job = job._replace(cells=tuple(one for one in job.cells if one.name == choice.cell))
    if choice.inner:
        job = job._replace(called=_choose_jobs(job.called, choice.inner))
    return (job,)


def _forecast_jobs(
    plans: Sequence[JobPlan], file: bytes, tools: ToolsHere
) -> tuple[JobForecast, ...]:
    """Jobs in an order in which they can run."""
    found: dict[str, JobForecast] = {}
    for plan in plans:
        needs = (need.text for need in plan.job.needs)
        unmet = tuple(name for name in dict.fromkeys(needs) if not found[name].runs)
        found[plan.job.id] = _forecast_job(plan, file, unmet, tools)
    return tuple(found.values())


def _forecast_job(
    plan: JobPlan, file: bytes, unmet: tuple[str, ...], tools: ToolsHere
) -> JobForecast:
    cells = tuple(_forecast_cell(cell, tools) for cell in plan.cells)
    inner = plan.job.uses.text.removeprefix("./").encode() if plan.job.uses else b""
    called = _forecast_jobs(plan.called, inner, tools)
    return JobForecast(plan.job.id, file, plan.job.line, plan.reason, unmet, cells, called)


def _forecast_cell(cell: CellPlan, tools: ToolsHere) -> CellForecast:
    setups = list_setups(cell.steps)
    asked = map(tools.match, dict.fromkeys(list_tools(cell.steps)))
    # A tool that one step alone wants is told by that step where it is not here.
    matches = tuple(one for one in asked if one.tool is not None or one.request in setups)
    skipped = tuple(_list_skipped(cell.steps, tools))
    reason = refuse_cell(cell, tools)
    if reason:
        outlook, skipped = Outlook.NOT_RUN, ()
    else:
        outlook = Outlook.INCOMPLETE if skipped else Outlook.RUNS
    total = len(cell.steps)
    return CellForecast(
        cell.name, outlook, reason, cell.same_as, matches, skipped, total, cell.machine
    )


def refuse_cell(cell: CellPlan, tools: ToolsHere) -> str:
    """Why nothing of a cell runs here; empty if something does."""
    if cell.same_as:
        return f"same tools as {cell.same_as}"
    return cell.reason or _find_missing(cell, tools) or _find_nothing_left(cell, tools)


def _find_missing(cell: CellPlan, tools: ToolsHere) -> str:
    """The first tool that is set up and not here: without it, steps would fail for no fault."""
    return next(_list_lacks(list_setups(cell.steps), tools), "")


def _list_lacks(requests: Sequence[ToolRequest], tools: ToolsHere) -> Iterator[str]:
    for match in map(tools.match, requests):
        if match.tool is None:
            wanted = f" (wanted {match.wanted})" if match.wanted else ""
            yield f"{match.request.tool} is not here{wanted}"


def _find_nothing_left(cell: CellPlan, tools: ToolsHere) -> str:
    skipped = tuple(_list_skipped(cell.steps, tools))
    if not skipped or any(_runs_anything(one, tools) for one in cell.steps):
        return ""
    reasons = some_of(dict.fromkeys(one.reason for one in skipped), 2)
    return f"nothing is left to run: {reasons}"


def _runs_anything(plan: StepPlan, tools: ToolsHere) -> bool:
    if isinstance(plan.kind, Run):
        return not find_lack(plan.kind, tools)
    if isinstance(plan.kind, Equivalent) and any(_list_lacks(list_tools(plan.inner), tools)):
        return False
    return any(_runs_anything(one, tools) for one in plan.inner)


def _list_skipped(steps: Sequence[StepPlan], tools: ToolsHere) -> Iterator[SkippedStep]:
    for plan in steps:
        reasons = [*skipped_reasons((plan,)), *_list_missing_programs(plan, tools)]
        for reason in dict.fromkeys(reasons):
            yield SkippedStep(plan.step.line, reason)


def _list_missing_programs(plan: StepPlan, tools: ToolsHere) -> Iterator[str]:
    if isinstance(plan.kind, Run | Setup) and (lack := find_lack(plan.kind, tools)):
        yield lack
    if isinstance(plan.kind, Equivalent):
        yield from _list_lacks(list_tools(plan.inner), tools)
    for one in plan.inner:
        yield from _list_missing_programs(one, tools)


def find_lack(kind: Run | Setup, tools: ToolsHere) -> str:
    """What is not here that would read a script, or that it would install; else empty."""
    program = kind.shell.program if isinstance(kind, Run) else "/"
    if "/" not in program and tools.match(ToolRequest(program, "")).tool is None:
        return f"its shell is not here ({program})"
    return refuse_packages(kind.packages)
