"""What is healed, and in which order: the errors of failed steps, file by file."""

import re
from collections.abc import Iterable, Sequence

from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.engine import Item
from git_retcon.heal.found_errors import FoundError, Tree, list_errors
from git_retcon.heal.results import JobResult, StepResult, StepVerdict, Verdict
from git_retcon.lazy_named_tuple import NamedTuple

_LONG = 30.0  # seconds


class Aim(NamedTuple):
    """What is asked for; empty means all. A path names a file, or a folder for all below it;
    ``error`` is how a fingerprint begins.
    """

    paths: tuple[bytes, ...] = ()
    error: str = ""

    def means(self, error: FoundError) -> bool:
        if self.error and not error.finding.fingerprint.startswith(self.error):
            return False
        if not self.paths:
            return True
        path = error.path or b""
        return any(path == one or path.startswith(one + b"/") for one in self.paths)


class StepIdentity(NamedTuple):
    """A step of one run of a job. What people call the two says nothing here: GitHub lets several
    jobs of a workflow, and several steps of a job, have one name.
    """

    workflow: bytes
    job: str  # ``ReadyJob.key``: of its id, its cell and the jobs that call its workflow
    position: int  # among the steps of the job, from 0


class FailedJob(NamedTuple):
    """A job whose step at ``position`` failed, and what of that step is to be healed.

    ``machine`` are errors of the machine, which no change of a file answers; ``aim`` says which of
    those that a fix reveals are meant too.
    """

    seen: SeenJob
    position: int
    items: tuple[Item, ...]
    machine: tuple[FoundError, ...] = ()
    aim: Aim = Aim()

    @property
    def step(self) -> StepResult:
        return self.seen.finished.steps[self.position]

    @property
    def identity(self) -> StepIdentity:
        return StepIdentity(self.seen.ready.file, self.seen.ready.key, self.position)

    @property
    def seconds(self) -> float:
        """How long it took until the step had failed."""
        return sum(step.seconds for step in self.seen.finished.steps[: self.position + 1])


def list_failed_jobs(seen: Iterable[SeenJob], aim: Aim, tree: Tree) -> list[FailedJob]:
    """The failed jobs that name errors which are asked for, in the order of ``order_jobs``."""
    found: list[FailedJob] = []
    for job in seen:
        position = find_failed(job.finished.steps)
        if job.finished.verdict is not Verdict.FAILED or position is None:
            continue
        errors = read_step(job, job.finished.steps[position], tree)
        meant = [error for error in errors if aim.means(error)]
        machine = tuple(error for error in meant if is_of_machine(error))
        items = make_items(error for error in meant if not is_of_machine(error))
        found.append(FailedJob(job, position, items, machine, aim))
    return order_jobs(found)


def order_jobs(jobs: Iterable[FailedJob]) -> list[FailedJob]:
    """Those with the worst errors first, but those that take long behind all others: nobody waits
    ten minutes for a suite to see a format error fixed.
    """

    def rank(job: FailedJob) -> tuple[bool, int]:
        return job.seconds > _LONG, min(map(_rank_item, job.items), default=99)

    return sorted(jobs, key=rank)


def find_failed(steps: Sequence[StepResult]) -> int | None:
    """The position of the step that made a job fail."""
    return next((at for at, one in enumerate(steps) if one.verdict is StepVerdict.FAILED), None)


def read_step(job: SeenJob, step: StepResult, tree: Tree) -> list[FoundError]:
    """The errors that a step of a job named."""
    ready = job.ready
    result = JobResult(
        ready.file, ready.job.id, ready.plan.name, ready.job.line, Verdict.FAILED, steps=(step,)
    )
    return list_errors([result], tree)


def make_items(errors: Iterable[FoundError]) -> tuple[Item, ...]:
    """One item a file, by the rank of its worst error; errors without a file come last."""
    by_path: dict[bytes | None, list[FoundError]] = {}
    for error in errors:
        by_path.setdefault(error.path, []).append(error)
    items = [Item(path, tuple(sorted(each, key=_rank_error))) for path, each in by_path.items()]
    return tuple(sorted(items, key=_rank_item))


def _rank_item(item: Item) -> int:
    return 98 if item.path is None else min(map(_rank_error, item.errors))


def _rank_error(error: FoundError) -> int:
    """Compile before type-check before test before runtime before lint: a file that does not
    compile hides what the others would say.
    """
    from git_retcon.code.diagnostics.diagnostic import Category

    order = (Category.COMPILE, Category.TYPE_CHECK, Category.TEST, Category.RUNTIME, Category.LINT)
    category = error.finding.diagnostic.category
    return order.index(category) if category in order else len(order)


def is_of_machine(error: FoundError) -> bool:
    """Whether an error is the machine's or the network's, which no change of a file answers."""
    from git_retcon.code.diagnostics.diagnostic import Category

    return error.finding.diagnostic.category is Category.INFRASTRUCTURE


def names_file(item: Item, path: bytes) -> bool:
    """Whether the errors of an item are in a file, or speak of it by its whole path."""
    if item.path == path or any(error.path == path for error in item.errors):
        return True
    name = re.compile(rf"(?<![\w.-]){re.escape(path.decode('utf-8', 'replace'))}(?![\w/-])")
    for error in item.errors:
        said = error.finding.diagnostic
        wanted = [one.decode("utf-8", "replace") for one in said.wants_file]
        if any(name.search(text) for text in (said.message, *said.stack, *wanted)):
            return True
    return False
