"""Warnings printed before a run starts. None stops it."""

import os
from collections.abc import Iterator
from pathlib import Path

from git_retcon.git.checkout import bind_checkout, list_changed
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.notes import Notes
from git_retcon.git.refs import find_checkout_of
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.note import NOTES_REF, parse_record
from git_retcon.retcon.events import Warned
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.show.counting import some_of
from git_retcon.show.style import shell_word, show_path

_MOST_NAMED = 3  # paths of uncommitted changes


def find_warnings(
    repository: Repository, specfile: SpecFile, spec: Spec, branches: Branches, notes: Notes
) -> Iterator[Warned]:
    """The warnings about a spec, whose ids are full, and what is recorded in it."""
    yield from map(Warned, specfile.unknown_keys())
    yield from _spec_in_source(repository, specfile.path, spec, branches)
    yield from _uncommitted_changes(repository, specfile.path, spec)
    yield from _lost_notes(repository, spec, notes)


def _spec_in_source(
    repository: Repository, path: Path, spec: Spec, branches: Branches
) -> Iterator[Warned]:
    """The spec was committed on the source, as ``git add .`` does."""
    name = _path_in_tree(repository, path)
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


def _uncommitted_changes(repository: Repository, path: Path, spec: Spec) -> Iterator[Warned]:
    """The source is checked out, with changes that it does not hold yet."""
    branch = spec.source.removeprefix("refs/heads/")
    where = find_checkout_of(repository, f"refs/heads/{branch}")
    if where is None or not (where / ".git").exists():
        return
    there = repository if where == repository.work_tree else open_repository(where)
    own = _path_in_tree(there, path)
    changed = [each for each in list_changed(bind_checkout(there)) if each != own]
    if changed:
        named = some_of([show_path(each) for each in changed], _MOST_NAMED)
        yield Warned(
            f"uncommitted changes of '{spec.source}' are not included: {named}",
            "commit them, and run the same command again",
        )


def _path_in_tree(repository: Repository, path: Path) -> bytes | None:
    if repository.work_tree is None:
        return None
    place = Path(os.path.realpath(path.parent)) / path.name
    top = Path(os.path.realpath(repository.work_tree))
    return os.fsencode(place.relative_to(top)) if place.is_relative_to(top) else None


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
