"""``git heal workflows``: what CI would start for this checkout, and what of it would run here."""

import dataclasses
import functools
import sys
from collections.abc import Sequence
from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.git.checkout import list_differing
from git_retcon.git.graph import resolve_commit
from git_retcon.git.repository import Repository, open_repository
from git_retcon.heal.current_branch import CurrentBranch, read_current_branch
from git_retcon.heal.forecast import Place, WorkflowForecast, forecast_workflows
from git_retcon.heal.local_tools import LocalTools, read_local_machine
from git_retcon.heal.own_steps import OwnSteps, choose_steps, describe_choice
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.heal.subcommands.workflow_list import list_lines, list_members
from git_retcon.heal.workflow_choice import Choice
from git_retcon.heal.working_files import WorkingFiles
from git_retcon.options import Output
from git_retcon.run.tool_versions import ToolFinder
from git_retcon.settings import HEAL_STEP, Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import style_of, write_line


def show_workflows(choice: Choice, output: Output) -> Ending:
    """Print the workflows. A failure where GitHub refuses one of those that were chosen."""
    repository = open_repository(Path.cwd())
    remove_leftovers(repository)
    place = _find_place(repository)
    workflows = forecast_workflows(place, choice)
    own = _find_own_steps(repository, place, choice, workflows)
    if not output.quiet and not output.json:
        say_line(_describe_branch(place.branch))
    if not output.json:
        style = style_of(sys.stdout, output, repository.config.get)
        for line in list_lines(workflows, style, verbose=output.verbose):
            write_line(sys.stdout, line)
        if not output.quiet:
            _say_alternative(workflows, own)
    instead = own and {"source": own.source.decode(), "commands": own.commands}
    data = {
        **_branch_members(place), "workflows": list_members(workflows), "instead": instead
    }  # fmt: skip
    return _end_command(workflows, data)


def _find_own_steps(
    repository: Repository, place: Place, choice: Choice, workflows: Sequence[WorkflowForecast]
) -> OwnSteps | None:
    """What a check would run because no workflow does. Who chooses one wants no other commands."""
    is_answered = any(choice) or any(
        one.is_refused or any(job.runs for job in one.jobs) for one in workflows
    )
    if is_answered:
        return None
    configured = Settings.of(repository.config).all(HEAL_STEP)
    return choose_steps(configured, place.files, place.tools)


def _say_alternative(workflows: Sequence[WorkflowForecast], own: OwnSteps | None) -> None:
    if own is not None:
        commands = "; ".join(own.commands)
        say_line(f"No workflow can run here; {describe_choice(own)}: {commands}")
    elif not workflows:
        say_line("There are no workflows in .github/workflows.")


def _find_place(repository: Repository) -> Place:
    """Raises Fatal where there is no working tree."""
    top = repository.work_tree
    if top is None:
        raise Fatal(
            "there is no working tree here",
            hint="run this in a checkout ('git worktree add' makes one of a bare repository)",
        )
    git = dataclasses.replace(repository.git, work_tree=top)
    files = WorkingFiles(repository, git, top)
    tools = LocalTools(ToolFinder(without=top), files)
    head = resolve_commit(repository, "HEAD")
    branch = read_current_branch(repository, git, head, functools.partial(list_differing, git))
    return Place(files, branch, tools, read_local_machine())


def _describe_branch(branch: CurrentBranch) -> str:
    checkout = branch.checkout
    where = f"{branch.remote}/{checkout.base}" if branch.remote else checkout.base
    what = f"Branch: {checkout.branch}" if checkout.branch else "No branch is checked out"
    if not checkout.base:
        return f"{what}, default branch: not known"
    if checkout.branch == checkout.base:
        return f"{what}, the default branch"
    changed = count(len(branch.requested), "changed path") if branch.requested else "no change"
    return f"{what}, for {where} ({changed})"


def _branch_members(place: Place) -> dict[str, object]:
    checkout = place.branch.checkout
    return {
        "branch": checkout.branch or None,
        "base": checkout.base or None,
        "remote": place.branch.remote or None,
        "machine": place.machine._asdict(),
    }


def _end_command(workflows: list[WorkflowForecast], data: dict[str, object]) -> Ending:
    refused = [one for one in workflows if one.is_refused]
    if not refused:
        return Ending(data=data)
    error = f"GitHub refuses {count(len(refused), 'workflow')}"
    hint = "correct what is listed with its file, line and column"
    say("error", error, hint)
    return Ending(FAILED, data, Failure(Reason.INVALID, error, hint))
