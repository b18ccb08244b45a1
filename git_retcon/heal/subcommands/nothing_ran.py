"""Why nothing ran, and what to do, for people who look at an empty check."""

from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.local_tools import LocalTools
from git_retcon.heal.own_steps import describe_missing, list_missing
from git_retcon.heal.results import JobResult
from git_retcon.heal.working_files import WorkingFiles
from git_retcon.run.tool_versions import ToolFinder
from git_retcon.show.style import show_path


class Emptiness(NamedTuple):
    """A reason, empty where none is known, and a hint."""

    reason: str
    hint: str


def explain_nothing(checkout: Checkout, branch: str, jobs: Sequence[JobResult]) -> Emptiness:
    """Why none of these jobs ran. ``branch`` is the one that is checked out, empty where HEAD is
    detached.
    """
    files = WorkingFiles(checkout.repository, checkout.git, checkout.top)
    workflows = files.list_workflows()
    if branch or jobs or not workflows:
        missing = list_missing(files, LocalTools(ToolFinder(without=checkout.top), files))
        hint = "'git config --add heal.step COMMAND' names a command to run here"
        return Emptiness(describe_missing(missing), hint)
    name = show_path(workflows[0].rpartition(b"/")[2].rpartition(b".")[0])
    return Emptiness(
        "no branch is checked out, so no push would start a workflow",
        f"'git switch' checks a branch out; '--workflow={name}' runs one all the same",
    )
