"""A workflow, its jobs and steps, as the file has them.

What may hold an expression stays a node: its value depends on the cell and on the run.
"""

from collections.abc import Sequence

from git_retcon.heal.workflows.nodes import Mapping, Node, Scalar
from git_retcon.lazy_named_tuple import NamedTuple

_LONGEST_NAME = 80


class Filters(NamedTuple):
    """Patterns of one kind of name: what is wanted, or else what is ignored."""

    wanted: tuple[Scalar, ...] = ()
    ignored: tuple[Scalar, ...] = ()


class Trigger(NamedTuple):
    """One event of ``on``. No ``types`` are GitHub's default ones; ``inputs`` are those of a call
    or of a dispatch.
    """

    event: str
    branches: Filters
    tags: Filters
    paths: Filters
    types: tuple[str, ...]
    inputs: "tuple[Input, ...]"
    node: Node


class Defaults(NamedTuple):
    """What steps with ``run`` take where they say nothing."""

    shell: Scalar | None = None
    directory: Scalar | None = None


class Step(NamedTuple):
    """One step; ``number`` counts from 1. ``special`` is the key of one that neither runs nor uses
    anything (``wait``, ``parallel`` and their like).
    """

    number: int
    id: str
    name: Scalar | None
    condition: Scalar | None
    run: Scalar | None
    uses: Scalar | None
    inputs: Mapping | None
    env: Mapping | Scalar | None
    shell: Scalar | None
    directory: Scalar | None
    continue_on_error: Scalar | None
    timeout: Scalar | None
    special: str
    line: int
    column: int


class Job(NamedTuple):
    """One job: steps on a runner, or the call of another workflow (``uses``).

    ``has_files``: its steps find the files of the repository without a checkout.
    """

    id: str
    name: Scalar | None
    needs: tuple[Scalar, ...]
    condition: Scalar | None
    strategy: Node | None
    concurrency: Node | None
    runs_on: Node | None
    env: Mapping | Scalar | None
    defaults: Defaults
    outputs: Mapping | None
    environment: Node | None
    container: Node | None
    services: Node | None
    continue_on_error: Scalar | None
    timeout: Scalar | None
    steps: tuple[Step, ...]
    uses: Scalar | None
    inputs: Mapping | None
    secrets: Node | None
    line: int
    column: int
    has_files: bool = False


class Input(NamedTuple):
    """An input of a workflow or an action. ``type`` is one of GitHub's words."""

    name: str
    type: str
    required: bool
    default: Node | None
    node: Node


class Workflow(NamedTuple):
    """One file of ``.github/workflows``; ``outputs`` are what it hands to a caller."""

    file: bytes
    name: Scalar | None
    triggers: tuple[Trigger, ...]
    env: Mapping | Scalar | None
    defaults: Defaults
    concurrency: Node | None
    jobs: tuple[Job, ...]
    outputs: Mapping | None

    def trigger(self, event: str) -> Trigger | None:
        return next((trigger for trigger in self.triggers if trigger.event == event), None)

    def job(self, name: str) -> Job | None:
        return next((job for job in self.jobs if job.id == name), None)


class Action(NamedTuple):
    """An ``action.yml``. Only a composite one has steps; ``using`` says what the others are."""

    file: bytes
    name: str
    using: str
    inputs: tuple[Input, ...]
    outputs: Mapping | None
    steps: tuple[Step, ...]


def rank_jobs(jobs: Sequence[Job]) -> dict[str, int]:
    """How many jobs must run, one after another, before each. Jobs that can never run, because of
    a cycle or of a job that is not there, have no rank.
    """
    followers: dict[str, list[Job]] = {}
    for job in jobs:
        for name in {need.text for need in job.needs}:
            followers.setdefault(name, []).append(job)
    unmet = {job.id: len({need.text for need in job.needs}) for job in jobs}
    ready = [job for job in jobs if not job.needs]
    ranks: dict[str, int] = {}
    for job in ready:  # which grows on the way
        ranks[job.id] = max((ranks[need.text] + 1 for need in job.needs), default=0)
        for follower in followers.get(job.id, ()):
            unmet[follower.id] -= 1
            if not unmet[follower.id]:
                ready.append(follower)
    return ranks


def name_step(step: Step) -> str:
    """The name as the workflow has it, else what the step does."""
    if step.name is not None and step.name.text:
        return step.name.text[:_LONGEST_NAME]
    if step.uses is not None:
        return step.uses.text[:_LONGEST_NAME]
    text = step.run.text.strip() if step.run else step.special
    return text.partition("\n")[0][:_LONGEST_NAME]
