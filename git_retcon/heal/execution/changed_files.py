"""What actions say of the files that an event changed, computed from what git has here."""

from collections.abc import Iterator, Mapping

from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.other_checkouts import find_remote_commit
from git_retcon.heal.execution.step_ending import Ending
from git_retcon.heal.execution.workspace_files import WorkspaceFiles
from git_retcon.heal.results import StepVerdict
from git_retcon.heal.workflows.changed_paths import (
    CannotTell,
    Change,
    filter_changes,
    list_changes,
)
from git_retcon.heal.workflows.comparisons import PATHS_FILTER
from git_retcon.heal.workflows.steps import Compare
from git_retcon.run.worktree import Worktree

_DIFF = ("diff", "--name-status", "-z", "--no-ext-diff", "--no-relative", "--ignore-submodules=all")


def describe_changes(
    wanted: Compare,
    inputs: Mapping[str, str],
    session: JobSession,
    worktree: Worktree,
    lacks: str,
) -> Ending:
    """The outputs of such an action. ``lacks`` says why it finds no repository, if so. Raises
    GitError.
    """
    # A pull request's files are told by GitHub, which needs no checkout.
    if lacks and not (wanted.forked and wanted.action == PATHS_FILTER):
        return Ending(StepVerdict.FAILED, f"there is no repository{lacks}")
    since = find_remote_commit(worktree, wanted.since)
    if since is None:
        return _skip(f"the commit of '{wanted.since}' is not here")
    changes = _read_changes(wanted, since, session.base["GITHUB_SHA"], worktree)
    shown = f"since {shorten_id(since)}"
    if not changes:
        # No event changes nothing: it would say what no run on GitHub does.
        return _skip(f"nothing differs {shown}")
    try:
        outputs = _tell(wanted.action, inputs, changes, WorkspaceFiles(session.workspace))
    except CannotTell as reason:
        return _skip(f"{wanted.action}: {reason}")
    count = len(changes)
    files = f"{count} file{'' if count == 1 else 's'}"
    return Ending(StepVerdict.SATISFIED, f"{files} changed {shown}", dict(outputs))


def _tell(
    action: str, inputs: Mapping[str, str], changes: list[Change], files: WorkspaceFiles
) -> dict[str, str]:
    if action != PATHS_FILTER:
        return list_changes(inputs, changes)

    def read_file(path: str) -> str | None:
        content = files.read(path.encode())
        return None if content is None else content.decode("utf-8", "replace")

    return filter_changes(inputs, changes, read_file)


def _read_changes(wanted: Compare, since: str, head: str, worktree: Worktree) -> list[Change]:
    # A renamed file is one added and one deleted to the one, and a kind of its own to the other.
    renames = "--no-renames" if wanted.action == PATHS_FILTER else "--find-renames"
    span = f"{since}...{head}" if wanted.forked else f"{since}..{head}"
    listed = worktree.git.run(*_DIFF, renames, span, "--")
    return list(_read_listed(listed.decode("utf-8", "replace").split("\0")))


def _read_listed(fields: list[str]) -> Iterator[Change]:
    rest = iter(fields)
    for status in rest:
        if status:
            path = next(rest)
            # The old name comes first.
            yield Change(status[0], next(rest) if status[0] in "RC" else path)


def _skip(reason: str) -> Ending:
    return Ending(StepVerdict.SKIPPED, reason, outputs=None)
