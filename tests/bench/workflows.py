"""How much of what CI would run can run here, told from the files alone.

    python -m tests.bench.workflows CLONE...

Of each clone's default branch (bare clones too), every workflow that a push to it or a pull
request to it starts. A job is whole if each of its cells runs here, or does the same as one that
does, with no step skipped.
"""

import collections
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.github_context import Checkout
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.plan import (
    JobPlan,
    Planner,
    plan_workflow,
    skipped_reasons,
)
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.triggers import Happening, PullRequest, Push, decide_any

FOLDER = ".github/workflows/"


class AnyTool:
    """A machine that has every tool, in one version."""

    def find_tool(self, request: ToolRequest) -> FoundTool:
        return FoundTool(request.tool, exact=False)


class HeadTree:
    """The files of a clone's HEAD."""

    def __init__(self, clone: Path) -> None:
        self.clone = clone

    def read(self, path: bytes) -> bytes | None:
        done = self._git("show", b"HEAD:" + path)
        return done.stdout if done.returncode == 0 else None

    def workflows(self) -> list[bytes]:
        names = self._git("ls-tree", "-z", "--name-only", "HEAD", FOLDER).stdout.split(b"\0")
        return [name for name in names if name.endswith((b".yml", b".yaml"))]

    def branch(self) -> str:
        name = self._git("symbolic-ref", "--short", "HEAD").stdout.decode().strip()
        return name.removeprefix("origin/") or "main"

    def _git(self, *arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
        command = ["git", "-C", str(self.clone), *arguments]
        return subprocess.run(command, capture_output=True, check=False)


def leaf_jobs(plans: list[JobPlan]) -> Iterator[JobPlan]:
    """The jobs themselves, those of called workflows in place of the call."""
    for plan in plans:
        yield from leaf_jobs(list(plan.called)) if plan.called else [plan]


def why_not_whole(plan: JobPlan) -> list[str]:
    """Everything that keeps a job from running whole; nothing if it does."""
    if plan.reason:
        return [plan.reason]
    reasons: list[str] = []
    for cell in plan.cells:
        if not cell.same_as:
            reasons += [cell.reason] if cell.reason else skipped_reasons(cell.steps)
    return reasons


def main(clones: list[str]) -> None:
    counts: collections.Counter[str] = collections.Counter()
    why: collections.Counter[str] = collections.Counter()
    details = "-v" in clones
    for clone in (Path(name) for name in clones if name != "-v"):
        tree = HeadTree(clone)
        owner = (clone.parent if clone.name == "repo" else clone).name.replace("+", "/")
        checkout = Checkout(owner, tree.branch(), tree.branch(), "0" * 40)
        planner = Planner(tree, AnyTool(), Machine("Linux", "x64"))
        happenings: list[Happening] = [
            PullRequest(checkout.base, None),
            Push(f"refs/heads/{checkout.branch}", None),
        ]
        counts["repositories"] += bool(tree.workflows())
        for path in tree.workflows():
            counts["workflows"] += 1
            read = read_workflow(path, tree.read(path) or b"")
            if read.workflow is None:
                counts["refused"] += 1
                print(owner, *read.problems, sep="\n  ")
                continue
            happening, _ = decide_any(read.workflow, happenings)
            if happening is None:
                continue
            counts["started workflows"] += 1
            plans = plan_workflow(read.workflow, happening, checkout, planner)
            for job in leaf_jobs(plans):
                if job.reason == "its condition is false":
                    counts["jobs with a false condition"] += 1
                    continue
                counts["jobs"] += 1
                reasons = why_not_whole(job)
                counts["whole jobs"] += not reasons
                runs = any(step.run for step in job.job.steps)
                counts["jobs with a `run` step"] += runs
                counts["whole jobs with a `run` step"] += runs and not reasons
                why.update({reason.partition(" (")[0] for reason in reasons})
                if details and reasons:
                    print(owner, path.decode(), job.job.id, sorted(set(reasons)))
    for name, count in counts.items():
        print(f"{count:6}  {name}")
    for jobs in ("jobs", "jobs with a `run` step"):
        print(f"{counts['whole ' + jobs] / max(counts[jobs], 1):6.1%}  of the {jobs} are whole")
    print("why the others are not (a job may have several reasons):")
    for reason, count in why.most_common():
        print(f"{count:6}  {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
