"""How much of what CI would run can run here, told from the files alone.

Of each clone's default branch (bare clones too), every workflow that a push to it or a pull
request to it starts. A job is whole if each of its cells runs here, or does the same as one that
does, with no step skipped; the machine is taken to have every tool. Submodules count where the
clone has them, or where it is taken to.
"""

import collections
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.git.repository import open_repository
from git_retcon.heal.submodules import has_clones
from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.happenings import Checkout, Happening, PullRequest, Push
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import skipped_reasons
from git_retcon.heal.workflows.triggers import decide_any
from git_retcon.heal.workflows.workflow_plan import FALSE_CONDITION, JobPlan, Planner, plan_workflow

FOLDER = ".github/workflows/"
# What `git heal check` is never to do: no better one would run these jobs whole.
_NEVER = (
    "needs Windows", "needs macOS", "needs a container", "needs containers", "needs services",
    "publishes or deploys", "deploys to an environment", "needs GitHub", "talks to GitHub",
    "moves refs", "a local action by docker",
)  # fmt: skip
# GitHub skips a job whose condition is false, and those that need it: no event starts them.
_BEHIND_FALSE = re.compile(rf"{FALSE_CONDITION}|needs '.*', which does not run")


class AnyTool:
    """A machine that has every tool, in one version."""

    def find_tool(self, request: ToolRequest) -> FoundTool:
        return FoundTool(request.tool, exact=False)


class HeadTree:
    """The files of a clone's HEAD."""

    def __init__(self, clone: Path, *, has_submodules: bool = False) -> None:
        self.clone = clone
        self._has_submodules = has_submodules

    def read(self, path: bytes) -> bytes | None:
        done = self._git("show", b"HEAD:" + path)
        return done.stdout if done.returncode == 0 else None

    def has_submodules(self) -> bool:
        return self._has_submodules or has_clones(open_repository(self.clone), self.read)

    def workflows(self) -> list[bytes]:
        names = self._git("ls-tree", "-z", "--name-only", "HEAD", FOLDER).stdout.split(b"\0")
        return [name for name in names if name.endswith((b".yml", b".yaml"))]

    def branch(self) -> str:
        name = self._git("symbolic-ref", "--short", "HEAD").stdout.decode().strip()
        return name.removeprefix("origin/") or "main"

    def commit(self) -> str:
        return self._git("rev-parse", "HEAD").stdout.decode().strip()

    def _git(self, *arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
        command = ["git", "-C", str(self.clone), *arguments]
        return subprocess.run(command, capture_output=True, check=False)


def name_clone(clone: Path) -> str:
    """``owner/name`` of a folder ``owner+name`` or ``owner+name/repo``."""
    return (clone.parent if clone.name == "repo" else clone).name.replace("+", "/")


class PlannedJob(NamedTuple):
    """A job that an event starts, and everything that keeps it from running whole."""

    repository: str
    workflow: str
    job: str
    runs: bool  # it has a `run` step
    reasons: tuple[str, ...]

    @property
    def may_be_whole(self) -> bool:
        """Whether nothing keeps it from running whole but what might be done here one day."""
        return not any(reason.startswith(_NEVER) for reason in self.reasons)


class Survey(NamedTuple):
    """What was read. ``refused`` are workflows that GitHub would refuse."""

    repositories: int
    workflows: int
    refused: int
    jobs: tuple[PlannedJob, ...]

    def count_reasons(self) -> list[tuple[str, int]]:
        """Why jobs are not whole, the most frequent first; each once for a job."""
        counts: collections.Counter[str] = collections.Counter()
        for job in self.jobs:
            counts.update({reason.partition(" (")[0] for reason in job.reasons})
        return counts.most_common()


def survey(clones: Sequence[Path], *, has_submodules: bool = False) -> Survey:
    """Plan every job of the clones' default branches."""
    total = Survey(0, 0, 0, ())
    for clone in clones:
        one = _survey_one(HeadTree(clone, has_submodules=has_submodules))
        total = Survey(
            total.repositories + bool(one.workflows),
            total.workflows + one.workflows,
            total.refused + one.refused,
            total.jobs + one.jobs,
        )
    return total


def _survey_one(tree: HeadTree) -> Survey:
    checkout = Checkout(name_clone(tree.clone), tree.branch(), tree.branch(), "0" * 40, "1" * 40)
    planner = Planner(tree, AnyTool(), Machine("Linux", "x64"))
    happenings: list[Happening] = [
        PullRequest(checkout.base, None),
        Push(f"refs/heads/{checkout.branch}", None, "2" * 40),
    ]
    paths, refused = tree.workflows(), 0
    jobs: list[PlannedJob] = []
    for path in paths:
        workflow = read_workflow(path, tree.read(path) or b"").workflow
        refused += workflow is None
        happening = decide_any(workflow, happenings)[0] if workflow else None
        if workflow is None or happening is None:
            continue
        for plan in _list_leaves(plan_workflow(workflow, happening, checkout, planner)):
            if not _BEHIND_FALSE.fullmatch(plan.reason):
                runs = any(step.run for step in plan.job.steps)
                reasons = tuple(dict.fromkeys(_find_reasons(plan)))
                name = path.decode("utf-8", "replace")
                jobs.append(PlannedJob(checkout.repository, name, plan.job.id, runs, reasons))
    return Survey(1, len(paths), refused, tuple(jobs))


def _list_leaves(plans: Sequence[JobPlan]) -> Iterator[JobPlan]:
    """The jobs themselves, those of called workflows in place of the call."""
    for plan in plans:
        yield from _list_leaves(plan.called) if plan.called else [plan]


def _find_reasons(plan: JobPlan) -> Iterator[str]:
    """Everything that keeps a job from running whole; nothing if it does."""
    if plan.reason:
        yield plan.reason
    for cell in plan.cells:
        if not cell.same_as:
            yield from [cell.reason] if cell.reason else skipped_reasons(cell.steps)
