"""One job of a workflow, asked for by any of the names that people see."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from git_retcon.heal.workflows.workflow import Job
from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:  # a check of which all is known plans nothing
    from git_retcon.heal.workflows.workflow_plan import JobPlan


class JobChoice(NamedTuple):
    """A job by its id: all of it, the cells of a name, or a job of the workflow that it calls."""

    id: str
    cell: str = ""
    inner: "JobChoice | None" = None


def is_called(job: Job, name: str) -> bool:
    """Whether a job has this id, or this name."""
    return name == job.id or (job.name is not None and job.name.text == name)


def find_job(jobs: Iterable[Job], name: str) -> JobChoice | None:
    """The job that has this id, or this name."""
    return next((JobChoice(job.id) for job in jobs if is_called(job, name)), None)


def find_planned(plans: "Sequence[JobPlan]", name: str) -> JobChoice | None:
    """The same, or the cells of this name, or ``caller / job`` by a name of each."""
    if found := find_job((plan.job for plan in plans), name):
        return found
    for plan in plans:
        if any(cell.name == name for cell in plan.cells):
            return JobChoice(plan.job.id, cell=name)
        above = f"{plan.job.id} / "
        if name.startswith(above) and (inner := find_planned(plan.called, name[len(above) :])):
            return JobChoice(plan.job.id, inner=inner)
    return None
