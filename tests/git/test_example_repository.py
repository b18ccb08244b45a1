"""Repositories of demonstrations are the same everywhere."""

from pathlib import Path

from git_retcon.git.example_repository import ExampleCommit, build_history
from tests.repository import TestRepository

HISTORY = (
    ExampleCommit("main", "Begin", {"a": "1\n", "run.sh": "#!/bin/sh\n"}),
    ExampleCommit("side", "Beside", {"b": "2\n"}),
    ExampleCommit("main", "Go on", {"a": None}),
    ExampleCommit("main", "Join", {}, merges="side"),
)


def test_a_history_has_its_branches_merges_and_ids(tmp_path: Path) -> None:
    ids = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        build_history(tmp_path / name, HISTORY)
        repository = TestRepository(tmp_path / name)
        ids.append(repository.rev("main"))
        listed = repository.git("ls-tree", "--format=%(objectmode) %(path)", "main")
        assert listed.splitlines() == ["100755 run.sh"]
        assert repository.git("log", "--format=%s", "main^2").splitlines() == ["Beside", "Begin"]
    assert ids[0] == ids[1]
