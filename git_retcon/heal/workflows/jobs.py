"""Jobs that need each other: their order, and what the results of some mean for the others.

Pure functions: who runs the steps hands in the results.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from git_retcon.heal.workflows.contexts import Misevaluated, with_context
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.templates import holds, read_condition
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Object,
    Value,
    make_open_object,
    to_text,
)
from git_retcon.heal.workflows.workflow import Job, rank_jobs
from git_retcon.lazy_named_tuple import NamedTuple

Result = Literal["success", "failure", "cancelled", "skipped"]


class JobResult(NamedTuple):
    """How a job ended. A failure that ``continue-on-error`` forgives is a success here.

    Outputs may be unknown, one by one, or all of them (None). ``sure``: CI would say the same, as
    far as anybody here can tell; else it is what jobs behind it need in order to run.
    """

    result: Result
    outputs: tuple[tuple[str, Value], ...] | None = ()
    sure: bool = True


def order_jobs(jobs: Sequence[Job]) -> list[tuple[Job, ...]]:
    """The jobs in rows: those of a row need only jobs of rows before it, each as early as it can.

    Jobs that can never run are left out (``reader`` refuses workflows with such).
    """
    ranks = rank_jobs(jobs)
    rows: dict[int, list[Job]] = {}
    for job in jobs:
        if job.id in ranks:
            rows.setdefault(ranks[job.id], []).append(job)
    return [tuple(rows[rank]) for rank in sorted(rows)]


def find_ancestors(job: Job, jobs: Sequence[Job]) -> list[str]:
    """All jobs that a job needs, directly or through others."""
    by_id = {one.id: one for one in jobs}
    found: dict[str, None] = {}
    left = [need.text for need in job.needs]
    while left:
        name = left.pop()
        if name not in found and name in by_id:
            found[name] = None
            left += [need.text for need in by_id[name].needs]
    return list(found)


def see_needs(
    around: Surroundings, job: Job, jobs: Sequence[Job], results: Mapping[str, JobResult]
) -> Surroundings:
    """What a job's expressions see of the jobs before it: ``needs``, and how they went.

    ``success()`` asks for all ancestors, so that a job stays skipped behind a skipped one.
    """
    needed = [(name, results[name]) for name in (need.text for need in job.needs)]
    needs = Object((name, _describe_result(result)) for name, result in needed)
    ancestors = [results[name].result for name in find_ancestors(job, jobs) if name in results]

    def select_results(arguments: Sequence[Value]) -> list[Result]:
        names = [to_text(name) for name in arguments]
        return [results[name].result for name in names if name in results] or ancestors

    return with_context(around, "needs", needs)._replace(
        functions={
            **around.functions,
            "always": lambda arguments: True,
            "cancelled": lambda arguments: "cancelled" in ancestors,
            "failure": lambda arguments: "failure" in select_results(arguments),
            "success": lambda arguments: set(select_results(arguments)) <= {"success"},
        }
    )


def _describe_result(result: JobResult) -> Object:
    outputs: Value = UNKNOWN if result.outputs is None else Object(result.outputs)
    described: dict[str, Value] = {"result": result.result, "outputs": outputs}
    # What asks for all of it (``toJSON(needs)``) judges it, and must not judge a guess.
    return Object(described.items()) if result.sure else make_open_object(described.items())


def job_runs(job: Job, around: Surroundings) -> bool:
    """Whether a job's condition holds; ``around`` is what it sees of its needs.

    Raises Misevaluated, or NotKnown.
    """
    text = job.condition.text if job.condition else ""
    try:
        return holds(read_condition(text), around)
    except ExpressionError as error:
        assert job.condition is not None, "success() does not fail"
        raise Misevaluated(str(error), job.condition) from None


def conclude_job(outcome: Result, continue_on_error: bool) -> Result:
    """What others see of a job, or of a step, that ended so."""
    return "success" if outcome == "failure" and continue_on_error else outcome


def join_results(cells: Iterable[JobResult]) -> JobResult:
    """The result of a job from those of its cells. Of outputs with one name the last one that is
    not empty counts.
    """
    results = list(cells)
    found = {one.result for one in results}
    order: tuple[Result, ...] = ("failure", "cancelled", "success")
    joined: Result = next((result for result in order if result in found), "skipped")
    sure = all(one.sure for one in results)
    if any(one.outputs is None for one in results):
        return JobResult(joined, None, sure)
    outputs: dict[str, Value] = {}
    for one in results:
        given = one.outputs or ()
        outputs |= {name: value for name, value in given if value != "" or name not in outputs}
    return JobResult(joined, tuple(outputs.items()), sure)
