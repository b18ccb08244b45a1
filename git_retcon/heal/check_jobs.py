"""The jobs of a check that have to run, of all workflows that start."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal
from git_retcon.heal.check_events import JobBegan, StepBegan, StepEnded, StepPrinted, Warned
from git_retcon.heal.check_recorder import CheckRecorder
from git_retcon.heal.check_situation import CheckRequest, Situation, Tell, make_redact, tell_job
from git_retcon.heal.execution.ready_job import (
    FinishedJob,
    ReadyJob,
    Workbench,
    lacks_something,
)
from git_retcon.heal.execution.step_scope import to_plain
from git_retcon.heal.execution.workflow_runner import JobContext, run_workflow
from git_retcon.heal.job_choice import find_job, is_called
from git_retcon.heal.lazy_bench import BenchNeeds, LazyBench
from git_retcon.heal.local_tools import LocalTools, read_local_machine
from git_retcon.heal.named_commands import Listed, list_commands
from git_retcon.heal.results import Annotation, JobResult, StepResult, StepVerdict, Verdict
from git_retcon.heal.stored_verdicts import StoredVerdict, make_digest
from git_retcon.heal.system_packages import find_packages
from git_retcon.heal.workflow_choice import Choice, ChosenWorkflow, choose_workflows
from git_retcon.heal.workflows.checkouts import asks_network, list_taken_refs
from git_retcon.heal.workflows.expressions.values import Object
from git_retcon.heal.workflows.happenings import Happening, Push, name_event
from git_retcon.heal.workflows.reader import ReadWorkflow
from git_retcon.heal.workflows.step_plans import list_packages
from git_retcon.heal.workflows.workflow import Workflow
from git_retcon.heal.workflows.workflow_plan import (
    JobPlan,
    Planner,
    begin_run,
    plan_workflow,
)
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.trust import Trust
from git_retcon.settings import HEAL_STEP, HEAL_TRUSTED, Settings

_WORKFLOWS = ".github/workflows"

if TYPE_CHECKING:
    from git_retcon.heal.execution.step_runner import Progress
    from git_retcon.heal.own_steps import OwnSteps


def run_jobs(
    situation: Situation,
    request: CheckRequest,
    tell: Tell,
    recorder: CheckRecorder | None = None,
) -> "Jobs":
    """Run them, one after another; those of which the verdict is known are not run again.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    try:
        check = _Check(situation, request, tell, recorder)
    except Fatal:
        is_job = request.job and not (request.event or request.workflow)
        own = _run_own_steps(situation, request, tell, recorder) if is_job else None
        if own is None:
            raise
        return own
    with check.bench:
        jobs = [*check.run()]
    # Who names a workflow wants that one; other commands would be no answer.
    named = request.event or request.workflow or request.job
    if not named and all(job.verdict is Verdict.NOT_RUN for job in jobs):
        own = _run_own_steps(situation, request, tell, recorder)
        if own is not None:
            return own._replace(ended=(*jobs, *own.ended), is_settled=check.is_settled)
    return Jobs(tuple(jobs), check.is_settled, tuple(check.seen), check.needs)


def remember_trust(situation: Situation, request: CheckRequest, tell: Tell) -> None:
    """Keep the answer of ``--trust`` also where the verdicts are known and nothing runs."""
    try:
        needs = _Check(situation, request, tell, None).needs
    except Fatal:  # what a request cannot mean is said where it is run
        return
    commands = needs.commands().commands
    if commands:
        needs.trust.require(needs.place, commands)


class SeenJob(NamedTuple):
    """A run of a job whose steps ran, now or before in the same state."""

    ready: ReadyJob
    finished: FinishedJob


class Jobs(NamedTuple):
    """Jobs that ended. ``is_settled``: the same check of the same state would find the same.

    ``seen`` are those of them whose steps ran, and ``needs`` is what running them again takes.
    """

    ended: tuple[JobResult, ...]
    is_settled: bool
    seen: tuple[SeenJob, ...]
    needs: BenchNeeds


def _run_own_steps(
    situation: Situation, request: CheckRequest, tell: Tell, recorder: CheckRecorder | None
) -> "Jobs | None":
    """The commands that are run where no workflow can; None where none is the wanted job."""
    # Late, here and below: most repositories have workflows.
    from git_retcon.heal.own_steps import choose_steps, describe_choice, make_workflow

    files = situation.files
    settings = Settings.of(situation.checkout.repository.config)
    tools = LocalTools(situation.tools, files)
    steps = choose_steps(settings.all(HEAL_STEP), files, tools)
    if steps is None:
        return None
    wanted = [
        command
        for command, job in zip(steps.commands, make_workflow(steps).jobs, strict=True)
        if not request.job or is_called(job, request.job)
    ]
    if not wanted:
        return None
    commands = "; ".join(wanted)
    tell(Warned(f"no workflow can run here; {describe_choice(steps)}: {commands}"))
    check = _Check(situation, request, tell, recorder, steps)
    with check.bench:
        ended = tuple(check.run())
    return Jobs(ended, check.is_settled, tuple(check.seen), check.needs)


class _Check:
    """One check of one state."""

    def __init__(
        self,
        situation: Situation,
        request: CheckRequest,
        tell: Tell,
        recorder: CheckRecorder | None,
        own: "OwnSteps | None" = None,
    ) -> None:
        self._situation = situation
        self._request = request
        self._tell = tell
        self._recorder = recorder
        self._files = situation.files
        self._tools = LocalTools(situation.tools, self._files)
        self._own = own
        self.is_settled = True
        self._mentioned: set[bytes] = set()
        choice = Choice(request.event, request.workflow, request.job)
        self._chosen = (
            [_choose_own(own, situation, request.job)]
            if own
            else choose_workflows(
                self._files,
                situation.branch,
                choice,
                self._plan_jobs,
                situation.workflows.read_yaml,
            )
        )
        self.seen: list[SeenJob] = []
        self.needs = self._list_needs()
        self.bench = LazyBench(self.needs)

    def _list_needs(self) -> BenchNeeds:
        def warn(message: str) -> None:
            self._tell(Warned(message))

        situation = self._situation
        repository = situation.checkout.repository
        return BenchNeeds(
            repository=repository,
            base=situation.base,
            state=situation.state,
            include=situation.included.copy_to,
            tools=self._tools,
            caller=situation.caller,
            secrets=situation.secrets,
            redact=lambda: make_redact(situation.secrets),
            trust=Trust(
                HEAL_TRUSTED, repository, self._request.trust, warn, is_ours=self._request.is_ours
            ),
            place=self._own.source.decode() if self._own else _WORKFLOWS,
            commands=self._list_commands,
            warn=warn,
        )

    def _list_commands(self) -> Listed:
        if self._own is not None and self._own.is_users:
            return Listed((), {})  # the user's own configuration names them
        started = (one.read.workflow for one in self._chosen if one.started)
        return list_commands((one for one in started if one is not None), self._files)

    def run(self) -> Iterator[JobResult]:
        """The jobs of all workflows that start, in the order in which they ran."""
        for one in self._chosen:
            if one.read.workflow is None:
                refused = _describe_refusal(one)
                self._tell_job(refused)
                yield refused
            elif one.started and self._request.runner == "act" and self._own is None:
                yield from self._run_by_act(one)
            elif one.started:
                yield from self._run_workflow(one)

    def _mention_concurrency(self, file: bytes) -> None:
        """Say once of a workflow whose jobs do run that this has no meaning here."""
        for one in self._chosen:
            workflow = one.read.workflow if one.path == file else None
            asks = workflow and (workflow.concurrency or any(j.concurrency for j in workflow.jobs))
            if asks and file not in self._mentioned:
                self._mentioned.add(file)
                name = file.decode("utf-8", "replace")
                message = f"'concurrency' of {name} is ignored: jobs run one after another"
                self._tell(Warned(message))

    def _run_workflow(self, one: ChosenWorkflow) -> Sequence[JobResult]:
        workflow, event = one.read.workflow, one.started[0]
        assert workflow is not None, "asked only of a workflow that starts"
        content = self._files.read(one.path) or b""
        commands = self._own.commands if self._own else ()
        keys: list[str | bytes] = [*self._situation.key, content, name_event(event), *commands]

        def run_one(ready: ReadyJob) -> tuple[FinishedJob, bool]:
            ready = ready._replace(ended=frozenset(each.ready.key for each in self.seen))
            finished, cached = self._run_job(ready, keys)
            self.seen.append(SeenJob(ready, finished))
            return finished, cached

        context = JobContext(self._make_planner(), self._tools, run_one, self._tell_job)
        around = begin_run(workflow, event, self._situation.branch.checkout)
        return run_workflow(workflow, around, context, one.job)

    def _plan_jobs(self, workflow: Workflow, event: Happening) -> list[JobPlan]:
        checkout = self._situation.branch.checkout
        return plan_workflow(workflow, event, checkout, self._make_planner())

    def _make_planner(self) -> Planner:
        return Planner(self._files, self._tools, read_local_machine())

    def _run_by_act(self, one: ChosenWorkflow) -> Iterator[JobResult]:
        """The same by act, which runs jobs side by side: they are reported when all have ended."""
        from git_retcon.heal.act_runner import ActRequest, find_whole_job, run_act

        workflow, event = one.read.workflow, name_event(one.started[0])
        assert workflow is not None, "asked only of a workflow that starts"
        self.is_settled = False  # its images may be others the next time
        request = ActRequest(workflow, event, find_whole_job(one.job))
        for job in run_act(request, self.bench.get(), lambda line: self._tell(StepPrinted(line))):
            self._tell(JobBegan(job.file.decode("utf-8", "replace"), job.name))
            if self._recorder is not None:
                self._recorder.begin_job(job.file, job.job, job.name)
            for step in job.steps:
                if self._recorder is not None:
                    self._recorder.end_step(step, 0)
                self._tell(StepEnded(step.name, step.line, step.verdict, step.reason, step.seconds))
            self._tell_job(job)
            yield job

    def _run_job(self, ready: ReadyJob, keys: Sequence[str | bytes]) -> tuple[FinishedJob, bool]:
        key = make_digest([*keys, ready.key, *_describe_inputs(ready), *self._see_outside(ready)])
        found = None if self._request.force else self._situation.verdicts.find(key)
        if found is None:
            # Another check may have run the job while this one waited for the worktree.
            bench = self.bench.get()
            found = None if self._request.force else self._situation.verdicts.find(key)
            if found is None:
                self._mention_concurrency(ready.file)
                file = ready.file.decode("utf-8", "replace")
                self._tell(JobBegan(file, ready.plan.name))
                if self._recorder is not None:
                    self._recorder.begin_job(ready.file, ready.job.id, ready.plan.name)
                return self._run_and_keep(ready, key, bench), False
        return FinishedJob(*found), True

    def _see_outside(self, ready: ReadyJob) -> list[str]:
        """What a job brings that is not in the state: other commits, and what changes by itself."""
        steps = ready.plan.steps
        seen = self._situation.refs.describe(list_taken_refs(steps))
        if asks_network(steps):
            # Only the job's own key has the day, so the whole check is not answered at once.
            self.is_settled = False
            seen.append(_name_day())
        if names := list_packages(steps):
            # Only the job's own key has them: others may be installed at any time.
            self.is_settled = False
            seen += map(" ".join, find_packages(names).items())
        return seen

    def _run_and_keep(self, ready: ReadyJob, key: str, bench: Workbench) -> FinishedJob:
        from git_retcon.heal.execution.job_runner import run_job
        from git_retcon.heal.execution.tool_setup import NoVirtualEnvironment

        try:
            finished = run_job(ready, bench, self._make_progress())
        except NoVirtualEnvironment as error:
            # A missing module of Python may be installed before the next check.
            self.is_settled = False
            reason = f"Python cannot make a virtual environment ({error})"
            return FinishedJob(Verdict.NOT_RUN, reason, (), (), 0.0, ())
        if lacks_something(finished):
            self.is_settled = False
        else:
            self._situation.verdicts.keep(key, StoredVerdict(*finished))
        return finished

    def _make_progress(self) -> "Progress":
        from git_retcon.heal.execution.step_runner import Progress

        def end(step: StepResult, within: Sequence[str]) -> None:
            if self._recorder is not None:
                self._recorder.end_step(step, len(within))
            name = " / ".join((*within, step.name))
            self._tell(StepEnded(name, step.line, step.verdict, step.reason, step.seconds))

        return Progress(
            lambda name: self._tell(StepBegan(name)),
            lambda line: self._tell(StepPrinted(line)),
            end,
        )

    def _tell_job(self, job: JobResult) -> None:
        if self._recorder is not None:
            self._recorder.end_job(job)
        tell_job(job, self._tell)


def _describe_refusal(one: ChosenWorkflow) -> JobResult:
    """A file that GitHub refuses fails there at every push, also one that would not start it."""
    annotations = tuple(
        Annotation(
            "error",
            problem.message,
            file=problem.file.decode("utf-8", "surrogateescape"),
            line=problem.line,
            column=problem.column,
        )
        for problem in one.read.problems
        if problem.severity == "error"
    )
    reason = "GitHub refuses the workflow"
    first = annotations[0].line if annotations else 1
    step = StepResult(1, "read", first, StepVerdict.FAILED, reason, annotations=annotations)
    name = one.path.rpartition(b"/")[2].decode("utf-8", "replace")
    return JobResult(one.path, "", name, first, Verdict.FAILED, reason, (step,))


def _choose_own(own: "OwnSteps", situation: Situation, job: str) -> ChosenWorkflow:
    push = Push(f"refs/heads/{situation.branch.checkout.branch}", None)
    from git_retcon.heal.own_steps import make_workflow

    workflow = make_workflow(own)
    wanted = find_job(workflow.jobs, job)
    return ChosenWorkflow(own.source, ReadWorkflow(workflow, ()), (push,), "", wanted)


def _name_day() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _describe_inputs(ready: ReadyJob) -> list[str]:
    """What a job sees of its cell and of the jobs before it."""
    contexts = ready.around.contexts
    names = ("inputs", "matrix", "needs")
    seen = [json.dumps(to_plain(contexts.get(name))) for name in names]
    needs = contexts.get("needs")
    unsure = [
        name
        for name, need in (needs if isinstance(needs, Object) else ())
        if isinstance(need, Object) and need.rest is not None
    ]
    return [*seen, *unsure]
