"""Hunks are cut where the source's own commits meet, and know which of them they come from."""

from pathlib import Path

from git_retcon.git.difference import compare_trees
from git_retcon.git.refs import list_refs
from git_retcon.retcon.branch.branches import find_branches, list_source_commits
from git_retcon.retcon.branch.source_history import SourceHistory, read_source_history
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository

SPEC = Spec("feature", "main", "clean", (LogicalCommit("all"),))


def history(repo: TestRepository) -> SourceHistory:
    repository = repo.open()
    branches = find_branches(
        repository, SPEC, Path("history.toml"), frozenset(), list_refs(repository.git)
    )
    return read_source_history(repository, branches, list_source_commits(repository, branches))


def test_lines_of_two_commits_are_two_hunks_with_an_origin_each(repo: TestRepository) -> None:
    repo.commit("base", {"a": "1\n"})
    repo.git("branch", "-M", "main")
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("two", {"a": "1\nx = 2\n"})
    repo.commit("three", {"a": "1\nx = 2\ny = 3\n"})
    found = history(repo)
    whole = compare_trees(
        repo.open(), repo.tree("main"), repo.tree("feature"), granularity=found.granularity
    )
    assert [atom.added for atom in whole.atoms] == [(b"x = 2\n",), (b"y = 3\n",)]
    came = found.of(whole)
    assert [dict(came.origin[atom.id]) for atom in whole.atoms] == [{0: 1}, {1: 1}]
    assert came.subjects == ("two", "three")
