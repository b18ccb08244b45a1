"""Why nothing ran, and what to do, for people who look at an empty check."""

from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.results import JobResult
from git_retcon.heal.working_files import WorkingFiles
from git_retcon.show.style import show_path


class Emptiness(NamedTuple):
    """A reason, empty where none is known, and a hint."""

    reason: str
    hint: str


def explain_nothing(checkout: Checkout, branch: str, jobs: Sequence[JobResult]) -> Emptiness:
    """Why none of these jobs ran. ``branch`` is the one that is checked out, empty where HEAD is
    detached.
    """
    workflows = WorkingFiles(checkout.repository, checkout.git, checkout.top).list_workflows()
    if branch or jobs or not workflows:
        return Emptiness("", "'git config --add heal.step COMMAND' names a command to run here")
    name = show_path(workflows[0].rpartition(b"/")[2].rpartition(b".")[0])
    return Emptiness(
        "no branch is checked out, so no push would start a workflow",
        f"'git switch' checks a branch out; '--workflow={name}' runs one all the same",
    )
