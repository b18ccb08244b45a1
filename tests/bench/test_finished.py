"""The benchmark of finished branches: what it makes of a branch, and what it counts."""

import random

from tests.bench.finished import advance_files, compare_commits
from tests.repository import TestRepository


def test_files_advance_apart_from_each_other_to_the_same_end(repo: TestRepository) -> None:
    base = repo.commit("Start", {"a": "0\n", "gone": "x\n"})
    oids = [
        repo.commit("One", {"a": "1\n", "b": "1\n"}),
        repo.commit("Two", {"a": "2\n", "c/d": "2\n", "gone": None}),
        repo.commit("Three", {"a": "3\n", "b": "3\n"}),
    ]
    tip = advance_files(repo.path, base, oids, random.Random(7))
    assert repo.git("rev-parse", f"{tip}^{{tree}}") == repo.git("rev-parse", f"{oids[-1]}^{{tree}}")
    wips = repo.git("rev-list", "--reverse", f"{base}..{tip}").split()
    assert {repo.git("show", "-s", "--format=%s", oid) for oid in wips} == {"wip"}
    states = [repo.git("show", f"{oid}:a") for oid in wips]
    assert states == sorted(states)
    trees = {repo.git("rev-parse", f"{oid}^{{tree}}") for oid in oids[:-1]}
    assert trees.isdisjoint(repo.git("rev-parse", f"{oid}^{{tree}}") for oid in wips)


def test_missing_and_strange_hunks_count_and_commits_without_hunks_do_not() -> None:
    authors = {"a": 0, "b": 0, "c": 1, "d": 3}
    held = {"a": 0, "b": 1, "c": 1, "d": 0}
    found = list(compare_commits(authors, held, 4))
    assert found == [(0, 2, 1), (1, 1, 1), (3, 1, 0)]
