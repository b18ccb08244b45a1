"""Commits that people put on the cleaned branch, and what becomes of them."""

from collections.abc import Collection, Iterator

from git_retcon.git.graph import Commit, read_commit, resolve_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.retcon.spec import Spec
from git_retcon.retcon.writing import Writer


def touched_again(
    repository: Repository, spec: Spec, writer: Writer, paths: Collection[bytes]
) -> Iterator[Commit]:
    """The adopted commits that changed one of these paths: they have no record of ours."""
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
