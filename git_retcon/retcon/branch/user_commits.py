"""Commits that people made on the cleaned branch."""

from collections.abc import Collection, Iterator, Sequence

from git_retcon.git.graph import Commit, read_commit, resolve_commit, tree_of
from git_retcon.git.notes import Notes
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.note import NOTES_REF, parse_record
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.spec.model import Spec


def find_commits_touching(
    repository: Repository, spec: Spec, writer: Writer, paths: Collection[bytes]
) -> Iterator[Commit]:
    """The commits that changed one of these paths and have no note, so a person made them."""
    for logical in spec.commits:
        ids = [oid for each in logical.commits if (oid := resolve_commit(repository, each))]
        known = writer.records(ids)
        for oid in ids:
            commit = read_commit(repository, oid)
            if oid in known or not commit.parents:
                continue
            changes = repository.trees.changes(tree_of(repository, commit.parents[0]), commit.tree)
            if any(change.path in paths for change in changes):
                yield commit


def find_unshared_commits(
    repository: Repository, spec: Spec, branch: str, tip: str, before: Collection[str]
) -> Sequence[Commit]:
    """The commits of people that would be lost with a branch, oldest first.

    They are above ``before``, no run made them, and no other branch nor tag holds them. ``branch``
    is a full ref name; the ids of ``spec`` are full.
    """
    name = branch.removeprefix("refs/heads/")
    made = {oid for commit in spec.commits for oid in commit.commits}
    notes = Notes.read(repository, NOTES_REF)

    def is_ours(oid: str) -> bool:
        record = parse_record(notes.get(oid))
        return oid in made or (record is not None and record.branch == name)

    above = repository.git.run("rev-list", "--topo-order", "--reverse", tip, "--not", *before)
    theirs = [oid for oid in above.decode("ascii").split() if not is_ours(oid)]
    if not theirs:
        return ()
    elsewhere = ("--not", f"--exclude={name}", "--branches", "--remotes", "--tags")
    alone = set(repository.git.run("rev-list", tip, *elsewhere).decode("ascii").split())
    return [read_commit(repository, oid) for oid in theirs if oid in alone]
