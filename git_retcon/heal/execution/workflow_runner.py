"""The jobs of a workflow in an order in which they can run, with what each needs of the others."""

from collections.abc import Callable, Sequence
from typing import Protocol

from git_retcon.heal.execution.ready_job import FinishedJob, ReadyJob, make_slug
from git_retcon.heal.forecast import refuse_cell
from git_retcon.heal.job_choice import JobChoice
from git_retcon.heal.local_tools import ToolsHere
from git_retcon.heal.results import Annotation, JobResult, StepResult, StepVerdict, Verdict
from git_retcon.heal.stored_verdicts import make_digest
from git_retcon.heal.workflows import jobs as needed
from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    Variables,
    evaluate_env,
    evaluate_node,
    with_context,
    with_env,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import NotKnown, Object, Value, is_true
from git_retcon.heal.workflows.jobs import (
    conclude_job,
    find_ancestors,
    job_runs,
    join_results,
    order_jobs,
    see_needs,
)
from git_retcon.heal.workflows.matrix import Cell, Strategy, expand_job, see_cell
from git_retcon.heal.workflows.nodes import as_mapping
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.step_plans import DEEPEST, evaluate_known, see_inputs
from git_retcon.heal.workflows.workflow import Job, Workflow
from git_retcon.heal.workflows.workflow_plan import (
    FALSE_CONDITION,
    CellPlan,
    Planner,
    join_defaults,
    join_twins,
    plan_cell,
    refuse_call,
)
from git_retcon.lazy_named_tuple import NamedTuple

# A job that does not run here is taken to have gone well, so that those behind it can run; what
# it hands on is not known.
_NOT_RUN_HERE = needed.JobResult("success", None, sure=False)


class RunJob(Protocol):
    """Runs the steps of a job, or finds what they did before in the same state; ``cached``."""

    def __call__(self, ready: ReadyJob) -> tuple[FinishedJob, bool]: ...


class JobContext(NamedTuple):
    """What running jobs depends on besides their workflow."""

    planner: Planner
    tools: ToolsHere
    run_job: RunJob
    tell: Callable[[JobResult], None]


class _Part(NamedTuple):
    """How one job ended: for the jobs behind it, and for people."""

    result: needed.JobResult
    jobs: tuple[JobResult, ...]


def run_workflow(
    workflow: Workflow, around: Surroundings, context: JobContext, only: JobChoice | None = None
) -> list[JobResult]:
    """Run all jobs of a workflow that was started; ``around`` is what they see of that.

    With ``only`` that one and what it needs.
    """
    return _Runner(workflow, around, context, (), only=only).run()


class _Runner:
    """One workflow, started or called."""

    def __init__(
        self,
        workflow: Workflow,
        around: Surroundings,
        context: JobContext,
        callers: tuple[str, ...],
        place: tuple[str, ...] = (),
        started: bytes = b"",
        only: JobChoice | None = None,
    ) -> None:
        """``callers`` are the names of the jobs that call it, ``place`` tells apart those that
        share a name, ``started`` is the file of the first caller.
        """
        self._only = only
        self._workflow = workflow
        self._started = started or workflow.file
        self._around = around
        self._context = context
        self._callers = callers
        self._place = place
        self._results: dict[str, needed.JobResult] = {}

    def run(self) -> list[JobResult]:
        jobs: list[JobResult] = []
        wanted = self._choose_jobs()
        for job in (job for row in order_jobs(self._workflow.jobs) for job in row):
            if job.id in wanted:
                part = self._run_one(job)
                self._results[job.id] = part.result
                jobs += part.jobs
        return jobs

    def _choose_jobs(self) -> set[str]:
        """The ids of the jobs that are run."""
        wanted = self._workflow.job(self._only.id) if self._only else None
        if wanted is None:
            return {job.id for job in self._workflow.jobs}
        return {wanted.id, *find_ancestors(wanted, self._workflow.jobs)}

    def _find_choice(self, job: Job) -> JobChoice:
        """What of a job is asked for."""
        return self._only if self._only and self._only.id == job.id else JobChoice(job.id)

    def read_outputs(self) -> needed.JobResult:
        """The result of the whole, and what a called workflow hands to its caller."""
        joined = join_results(self._results.values())
        jobs = Object((name, _describe_result(one)) for name, one in self._results.items())
        around = with_context(self._around, "jobs", jobs)
        outputs: list[tuple[str, Value]] = []
        for key, node in self._workflow.outputs.pairs if self._workflow.outputs else ():
            fields = as_mapping(node)
            value = fields.get("value") if fields else None
            outputs.append((key.text, evaluate_known(value, around) if value else ""))
        return needed.JobResult(joined.result, tuple(outputs), joined.sure)

    def _run_one(self, job: Job) -> _Part:
        around = see_needs(self._around, job, self._workflow.jobs, self._results)
        try:
            env = evaluate_env(self._workflow.env, around)
            around = with_env(around, env)
            unknown = _find_unknown(job, around)
            if not unknown and not job_runs(job, around):
                return self._skip_job(job, self._explain_skip(job))
            strategy = expand_job(job, around)
            if job.uses is not None:
                return self._call_workflow(job, strategy, around)
            return self._run_cells(job, strategy, around, env, unknown)
        except NotKnown as error:
            return self._leave_out_job(job, f"depends on what is not known here ({error})")
        except Misevaluated as error:
            return self._fail_job(job, error)

    def _explain_skip(self, job: Job) -> str:
        """Why GitHub would skip a job."""
        for name in (need.text for need in job.needs):
            if self._results[name].result in ("failure", "cancelled"):
                return f"needs '{name}', which failed"
        for name in (need.text for need in job.needs):
            if self._results[name].result == "skipped":
                return f"needs '{name}', which does not run"
        return FALSE_CONDITION

    def _skip_job(self, job: Job, reason: str) -> _Part:
        result = self._tell_result(job, job.id, Verdict.NOT_RUN, reason)
        return _Part(needed.JobResult("skipped"), (result,))

    def _leave_out_job(self, job: Job, reason: str) -> _Part:
        return _Part(_NOT_RUN_HERE, (self._tell_result(job, job.id, Verdict.NOT_RUN, reason),))

    def _fail_job(self, job: Job, error: Misevaluated) -> _Part:
        """What GitHub cannot read of a job fails it there before any step."""
        reason = f"line {error.line}: {error}"
        file = self._workflow.file.decode("utf-8", "surrogateescape")
        said = Annotation("error", str(error), file=file, line=error.line, column=error.column)
        step = StepResult(1, "read", error.line, StepVerdict.FAILED, reason, annotations=(said,))
        result = self._tell_result(job, job.id, Verdict.FAILED, reason, (step,))
        return _Part(needed.JobResult("failure"), (result,))

    def _run_cells(
        self,
        job: Job,
        strategy: Strategy,
        around: Surroundings,
        env: Variables,
        unknown: str,
    ) -> _Part:
        planner = self._context.planner
        name = self._find_choice(job).cell
        cells = [cell for cell in strategy.cells if name in ("", cell.name)]
        views = [see_cell(around, strategy, cell) for cell in cells]
        plans = [
            plan_cell(self._workflow, job, cell, view, planner)
            for cell, view in zip(cells, views, strict=True)
        ]
        joined = join_twins(job, cells, plans, planner)
        results: list[needed.JobResult] = []
        jobs: list[JobResult] = []
        for cell, view, plan in zip(cells, views, joined, strict=True):
            # Cells run one after another here, so the first failure cancels all behind it.
            cancels = strategy.fail_fast and any(one.result == "failure" for one in results)
            if cancels and not refuse_cell(plan, self._context.tools):
                jobs.append(self._tell_result(job, cell.name, Verdict.NOT_RUN, _CANCELLED))
                results.append(needed.JobResult("cancelled"))
                continue
            part = self._run_cell(job, cell, plan, view, env, unknown)
            results.append(part.result)
            jobs += part.jobs
        # Cells that did not run say nothing; only where none ran, nobody knows the outputs.
        ran = [one for one in results if one is not _NOT_RUN_HERE]
        left_out = any(
            one is _NOT_RUN_HERE and not plan.same_as
            for one, plan in zip(results, joined, strict=True)
        )
        whole = join_results(ran) if ran else _NOT_RUN_HERE
        return _Part(whole._replace(sure=whole.sure and not left_out), tuple(jobs))

    def _run_cell(
        self,
        job: Job,
        cell: Cell,
        plan: CellPlan,
        around: Surroundings,
        env: Variables,
        unknown: str,
    ) -> _Part:
        reason = refuse_cell(plan, self._context.tools)
        if reason:
            result = self._tell_result(job, cell.name, Verdict.NOT_RUN, reason)
            return _Part(_NOT_RUN_HERE, (result,))
        ready = self._make_ready(job, cell, plan, around, env)
        finished, cached = self._context.run_job(ready)
        if finished.verdict is Verdict.NOT_RUN:
            result = self._tell_result(job, cell.name, Verdict.NOT_RUN, finished.reason)
            return _Part(_NOT_RUN_HERE, (result,))
        outcome: needed.Result = "failure" if finished.verdict is Verdict.FAILED else "success"
        concluded = conclude_job(outcome, _is_forgiven(job, around))
        sure = finished.verdict is not Verdict.INCOMPLETE and not unknown
        if concluded != outcome:
            finished = finished._replace(
                verdict=Verdict.INCOMPLETE,
                reason=f"failed, and continue-on-error lets that be: {finished.reason}",
            )
        if unknown and finished.verdict is Verdict.PASSED:
            note = f"whether CI runs it is not known here: {unknown}"
            reason = "; ".join(filter(None, (finished.reason, note)))
            finished = finished._replace(reason=reason)
        result = self._tell_finished(job, cell, finished, cached)
        return _Part(needed.JobResult(concluded, finished.outputs, sure), (result,))

    def _make_ready(
        self, job: Job, cell: Cell, plan: CellPlan, around: Surroundings, env: Variables
    ) -> ReadyJob:
        workflow = self._workflow
        name = workflow.name.text if workflow.name else workflow.file.decode("utf-8", "replace")
        # The name is for people; the digest tells apart what has the same letters in it.
        digest = make_digest([workflow.file, *self._place, *_place_cell(job, cell)])
        key = f"{make_slug(cell.name)}-{digest[:8]}"
        defaults = join_defaults(workflow, job)
        return ReadyJob(self._started, workflow.file, name, job, plan, defaults, around, env, key)

    def _call_workflow(self, job: Job, strategy: Strategy, around: Surroundings) -> _Part:
        """Run the workflow of the repository that a job calls, once for each cell."""
        called = self._read_called(job)
        if isinstance(called, str):
            return self._leave_out_job(job, called)
        trigger = called.trigger("workflow_call")
        reason = refuse_call(job, trigger)
        if trigger is None or reason:
            return self._leave_out_job(job, reason)
        results: list[needed.JobResult] = []
        jobs: list[JobResult] = []
        for cell in strategy.cells:
            view = see_cell(around, strategy, cell)
            inputs = see_inputs(trigger.inputs, job.inputs, view)
            # GitHub hands a called workflow its inputs, never its caller's ``env``.
            inside = with_context(with_context(self._around, "inputs", inputs), "env", Object())
            inner = _Runner(
                called, inside, self._context, (*self._callers, cell.name),
                (*self._place, *_place_cell(job, cell)), self._started,
                self._find_choice(job).inner,
            )  # fmt: skip
            jobs += inner.run()
            results.append(inner.read_outputs())
        return _Part(join_results(results), tuple(jobs))

    def _read_called(self, job: Job) -> Workflow | str:
        assert job.uses is not None, "asked only of a job that calls"
        if not job.uses.text.startswith("./"):
            return f"calls a workflow of another repository ({job.uses.text})"
        path = job.uses.text.removeprefix("./").encode()
        content = self._context.planner.tree.read(path)
        if content is None or len(self._callers) >= DEEPEST:
            return f"calls a workflow that cannot be read ({job.uses.text})"
        read = read_workflow(path, content)
        return read.workflow or str(read.problems[0])

    def _tell_finished(
        self, job: Job, cell: Cell, finished: FinishedJob, cached: bool
    ) -> JobResult:
        result = JobResult(
            self._workflow.file, job.id, cell.name, job.line, finished.verdict, finished.reason,
            finished.steps, finished.tools, finished.seconds, cached, self._callers,
        )  # fmt: skip
        self._context.tell(result)
        return result

    def _tell_result(
        self,
        job: Job,
        name: str,
        verdict: Verdict,
        reason: str,
        steps: tuple[StepResult, ...] = (),
    ) -> JobResult:
        result = JobResult(
            self._workflow.file, job.id, name, job.line, verdict, reason, steps,
            callers=self._callers,
        )  # fmt: skip
        self._context.tell(result)
        return result


def _place_cell(job: Job, cell: Cell) -> tuple[str, ...]:
    return job.id, cell.name, str(cell.number)


_CANCELLED = "another cell failed (fail-fast)"


def _find_unknown(job: Job, around: Surroundings) -> str:
    """What the condition of a job depends on and nobody here knows, such as an output of a job
    that does not run here. Such a job is run: CI may run it too.
    """
    try:
        job_runs(job, around)
    except NotKnown as error:
        return str(error)
    return ""


def _is_forgiven(job: Job, around: Surroundings) -> bool:
    if job.continue_on_error is None:
        return False
    try:
        return is_true(evaluate_node(job.continue_on_error, around))
    except NotKnown:
        return False


def _describe_result(result: needed.JobResult) -> Value:
    outputs: Sequence[tuple[str, Value]] = result.outputs or ()
    described: dict[str, Value] = {"result": result.result, "outputs": Object(outputs)}
    return Object(described.items())
