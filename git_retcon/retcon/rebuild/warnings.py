"""Warnings printed before a run starts. None stops it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.git.checkout import path_in_tree
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.notes import Notes
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.note import NOTES_REF, parse_record
from git_retcon.retcon.events import Warned
from git_retcon.retcon.rebuild.uncommitted import find_uncommitted
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.show.counting import some_of
from git_retcon.show.style import shell_word, show_path

if TYPE_CHECKING:
    from git_retcon.retcon.branch.working_source import WorkingSource

_MOST_NAMED = 3


def find_warnings(
    repository: Repository, specfile: SpecFile, spec: Spec, branches: Branches, notes: Notes
) -> Iterator[Warned]:
    """The warnings about a spec, whose ids are full, and what is recorded in it."""
    yield from map(Warned, specfile.unknown_keys())
    yield from _spec_in_source(repository, specfile.path, spec, branches)
    uncommitted = find_uncommitted(repository, specfile)
    if uncommitted is not None:
        yield uncommitted
    if branches.working is not None:
        yield from warn_of_left_out(branches.working)
        yield from _changed_state(repository, spec, branches, notes)
    yield from _lost_notes(repository, spec, notes)


def _spec_in_source(
    repository: Repository, path: Path, spec: Spec, branches: Branches
) -> Iterator[Warned]:
    """The spec was committed on the source, as ``git add .`` does."""
    name = path_in_tree(repository, path)
    if name is None:
        return
    before, now = (
        repository.trees.find(commit.tree, name) for commit in (branches.base, branches.source)
    )
    if now is not None and now != before:
        shown = shell_word(os.fsdecode(name))
        yield Warned(
            f"'{path}' is itself among the changes of '{spec.source}', and is rebuilt with them",
            f"to leave it out: 'git rm --cached {shown}' and a commit on '{spec.source}'; its name "
            "in .git/info/exclude keeps it from 'git add .'",
        )


def warn_of_left_out(working: "WorkingSource") -> Iterator[Warned]:
    """Untracked files that hold secrets are in no commit unless the user adds them; changes of
    tracked specifications never are."""
    if working.specs:
        named = some_of([show_path(each) for each in working.specs], _MOST_NAMED)
        yield Warned(
            f"uncommitted changes of specifications are not included: {named}",
            "'git commit' those that are part of the work first",
        )
    if working.secrets:
        named = some_of([show_path(each) for each in working.secrets], _MOST_NAMED)
        yield Warned(
            f"untracked files that hold secrets are not included: {named}",
            "'git add' those that are meant to be committed",
        )


def _changed_state(
    repository: Repository, spec: Spec, branches: Branches, notes: Notes
) -> Iterator[Warned]:
    """The working state is another one than commits on the branch were made of."""
    # Late: few runs read a worktree.
    from git_retcon.retcon.branch.working_source import is_same_state

    made = reversed([oid for commit in spec.commits for oid in commit.commits])
    records = (parse_record(notes.get(oid)) for oid in made if is_commit(repository, oid))
    last = next((record for record in records if record is not None), None)
    # After ``adopt`` the source is the result, and nothing of it has changed.
    is_adopted = branches.source_tip == branches.tip
    if last is None or is_adopted or is_same_state(repository, last.source, branches.source):
        return
    named = _name_changes(repository, last.source, branches.source.tree)
    yield Warned(
        f"the working state of '{spec.source}' has changed since the last run{named}",
        "commits that are still to be built take what is new, and what none takes stays "
        "uncommitted; --restart plans all of it again",
    )


def _name_changes(repository: Repository, before: str, tree: str) -> str:
    if not is_commit(repository, before):  # it was removed: nothing refers to it
        return ""
    changes = repository.trees.changes(read_commit(repository, before).tree, tree)
    named = some_of([show_path(change.path) for change in changes], _MOST_NAMED)
    return f": {named}" if named else ""


def _lost_notes(repository: Repository, spec: Spec, notes: Notes) -> Iterator[Warned]:
    """An edit of the spec is seen by the notes; where all are gone, by the messages at most."""
    built = [
        (index, commit, [oid for oid in commit.commits if is_commit(repository, oid)])
        for index, commit in enumerate(spec.commits)
        if commit.status is Status.COMPLETE
    ]
    here = [oid for _, _, oids in built for oid in oids]
    if not here or any(parse_record(notes.get(oid)) for oid in here):
        return
    message = f"the notes on the rebuilt commits are gone ({NOTES_REF}): "
    for index, commit, oids in built:
        if oids and not any(_has_message(repository, oid, commit) for oid in oids):
            subject = read_commit(repository, oids[0]).subject
            message += f"commit {index + 1} stays '{subject}', which is not what the spec says"
            break
    else:
        message += "edits of hints and files in the spec are not noticed any more"
    yield Warned(
        message,
        "'git fetch' them from where they were pushed, or --restart to build everything again",
    )


def _has_message(repository: Repository, oid: str, commit: LogicalCommit) -> bool:
    """Whether a commit has the message that the spec gives (more authors may be named below)."""
    return f"{read_commit(repository, oid).message}\n".startswith(
        commit.message.rstrip("\n") + "\n"
    )
