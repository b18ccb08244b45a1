"""Which workflows are meant: all of a repository, or those that somebody asked for by name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.current_branch import CurrentBranch
from git_retcon.heal.job_choice import JobChoice, find_job, find_planned
from git_retcon.heal.workflows.happenings import (
    Happening,
    NamedEvent,
    PullRequest,
    Push,
    name_event,
)
from git_retcon.heal.workflows.nodes import Node
from git_retcon.heal.workflows.reader import ReadWorkflow, read_workflow
from git_retcon.heal.workflows.triggers import decide_any, decide_start
from git_retcon.heal.workflows.workflow import Job, Workflow
from git_retcon.heal.working_files import WorkflowFiles
from git_retcon.show.counting import some_of
from git_retcon.show.suggestion import find_similar

if TYPE_CHECKING:  # a check of which all is known plans nothing
    from git_retcon.heal.workflows.workflow_plan import JobPlan

_MOST_NAMES = 8


class Choice(NamedTuple):
    """What was asked for by name; empty: all that this branch would start."""

    event: str = ""
    workflow: str = ""
    job: str = ""


class ChosenWorkflow(NamedTuple):
    """A workflow file and what starts it, the event for which it is planned first; nothing: it
    does not start. ``reason`` says why or why not; ``job`` is the one that was asked for.
    """

    path: bytes
    read: ReadWorkflow
    started: tuple[Happening, ...]
    reason: str
    job: JobChoice | None = None


# The jobs of a workflow that something starts, with their cells.
PlanJobs = Callable[[Workflow, Happening], Sequence["JobPlan"]]


def choose_workflows(
    files: WorkflowFiles,
    branch: CurrentBranch,
    choice: Choice,
    plan_jobs: PlanJobs,
    read_yaml: Callable[[bytes], Node] | None = None,
) -> list[ChosenWorkflow]:
    """The chosen workflows, in the order of their paths. What is asked for by name starts though
    the branch would not start it, unless the event is asked for too and the workflow has it not.
    ``read_yaml`` is as that of ``read_workflow``. Jobs are planned where none has the name: it may
    be that of a cell.

    Raises Fatal for a workflow, a job or an event that none has, and for one that cannot be.
    """
    happenings = _list_happenings(branch, choice.event)
    found = [
        _plan_start(read_workflow(path, files.read(path) or b"", read_yaml), path, happenings)
        for path in files.list_workflows()
    ]
    _refuse_event(found, choice.event)
    if choice.workflow:
        found = _choose_by_name(found, choice.workflow)
    if choice.job:
        found = _choose_by_job(found, choice, happenings, plan_jobs)
    if choice.workflow or choice.job:
        found = [_start_anyway(one, happenings, choice) for one in found]
    return found


def _list_happenings(branch: CurrentBranch, event: str) -> list[Happening]:
    match event:
        case "":
            return branch.list_happenings()
        case "push":
            if not branch.checkout.branch:
                hint = "'git switch' checks a branch out"
                raise Fatal("no branch is checked out that could be pushed", hint=hint)
            return [Push(f"refs/heads/{branch.checkout.branch}", branch.pushed)]
        case "pull_request":
            if not branch.checkout.base:
                hint = "'git remote set-head origin --auto' asks the remote"
                command = ["git", "remote", "set-head", "origin", "--auto"]
                said = "the remote's default branch is not known"
                raise Fatal(said, hint=hint, commands=[command])
            return [PullRequest(branch.checkout.base, branch.requested)]
    return [NamedEvent(event)]


def _refuse_event(found: Sequence[ChosenWorkflow], event: str) -> None:
    """An event that no workflow names is a slip, unless it is what any branch can do."""
    known = [each.read.workflow for each in found if each.read.workflow is not None]
    named = [trigger.event for workflow in known for trigger in workflow.triggers]
    if event and named and event not in (*named, "push", "pull_request"):
        raise _refuse_unknown("workflow that starts on", event, named)


def _plan_start(read: ReadWorkflow, path: bytes, happenings: Sequence[Happening]) -> ChosenWorkflow:
    workflow = read.workflow
    if workflow is None:
        return ChosenWorkflow(path, read, (), "GitHub refuses it")
    started = tuple(one for one in happenings if decide_start(workflow, one).starts)
    if not happenings:
        return ChosenWorkflow(path, read, (), "no branch is checked out")
    return ChosenWorkflow(path, read, started, decide_any(workflow, happenings)[1])


def _choose_by_name(found: Sequence[ChosenWorkflow], name: str) -> list[ChosenWorkflow]:
    chosen = [one for one in found if name in _list_names(one)]
    if not chosen:
        raise _refuse_unknown("workflow", name, (_show_name(one.path) for one in found))
    return chosen


def _list_names(one: ChosenWorkflow) -> Iterator[str]:
    """A workflow's path, the name of its file, also without the ending, and its own name."""
    name = _show_name(one.path)
    yield from (one.path.decode("utf-8", "surrogateescape"), name, name.rpartition(".")[0])
    if one.read.workflow is not None and one.read.workflow.name is not None:
        yield one.read.workflow.name.text


def _show_name(path: bytes) -> str:
    return path.rpartition(b"/")[2].decode("utf-8", "surrogateescape")


def _choose_by_job(
    found: Sequence[ChosenWorkflow],
    choice: Choice,
    happenings: Sequence[Happening],
    plan_jobs: PlanJobs,
) -> list[ChosenWorkflow]:
    """The workflows that have such a job: those that start by themselves, if there are any."""
    name = choice.job
    chosen = [one._replace(job=find_job(_list_jobs(one), name)) for one in found]
    if not any(one.job for one in chosen):
        plans = [_plan_jobs(one, happenings, choice.event, plan_jobs) for one in found]
        chosen = [
            one._replace(job=find_planned(its, name)) for one, its in zip(found, plans, strict=True)
        ]
    chosen = [one for one in chosen if one.job]
    if not chosen:
        raise _refuse_unknown("job", name, (job.id for one in found for job in _list_jobs(one)))
    # A job's name may be in many workflows ("test"); those that the branch starts are meant first.
    return [one for one in chosen if one.started] or chosen


def _plan_jobs(
    one: ChosenWorkflow, happenings: Sequence[Happening], event: str, plan_jobs: PlanJobs
) -> "Sequence[JobPlan]":
    workflow = one.read.workflow
    if workflow is None:
        return ()
    started = one.started or _find_cause(workflow, happenings, event)
    return plan_jobs(workflow, started[0]) if started else ()


def _list_jobs(one: ChosenWorkflow) -> Sequence[Job]:
    return one.read.workflow.jobs if one.read.workflow else ()


def _refuse_unknown(what: str, name: str, known: Iterable[str]) -> Fatal:
    every = list(dict.fromkeys(known))
    names = some_of(every, _MOST_NAMES)
    hint = f"there are: {names}" if names else "there are none in .github/workflows"
    if (similar := find_similar(name, every)) is not None:
        hint = f"did you mean '{similar}'? {hint}"
    return Fatal(f"there is no {what} '{name}'", hint=hint, reason=Reason.INVALID)


def _start_anyway(
    one: ChosenWorkflow, happenings: Sequence[Happening], choice: Choice
) -> ChosenWorkflow:
    if one.started or one.read.workflow is None:
        return one
    started = _find_cause(one.read.workflow, happenings, choice.event)
    return one._replace(started=started, reason=f"asked for by name ({one.reason})")


def _find_cause(
    workflow: Workflow, happenings: Sequence[Happening], event: str
) -> tuple[Happening, ...]:
    """What could start a workflow, were it not for its filters: else the first event it names."""
    own = tuple(one for one in happenings if workflow.trigger(name_event(one)))
    if own or event:
        return own[:1]
    return (NamedEvent(workflow.triggers[0].event),)
