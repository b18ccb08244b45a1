"""Real repositories with workflows, as a clone of somebody's remote."""

import textwrap
from pathlib import Path

from tests.repository import TestRepository, new_repository

FOLDER = ".github/workflows/"
# Before the steps of a job that reads files; the second, of a workflow whose one job is `ci`.
STEPS = """\
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
"""
CI = f"on: push\njobs:\n  ci:\n{STEPS}"


def new_remote(path: Path, files: dict[str, str], branch: str = "main") -> TestRepository:
    """A repository whose default branch has these files in one commit; texts are dedented."""
    remote = new_repository(path, "-b", branch)
    remote.commit("begin", {name: textwrap.dedent(text) for name, text in files.items()})
    return remote


def clone(remote: TestRepository, path: Path) -> TestRepository:
    """A clone, on the remote's default branch."""
    remote.git("clone", "-q", str(remote.path), str(path))
    return TestRepository(path)


def new_clone(top: Path, **workflows: str) -> TestRepository:
    """A clone, on a new branch `topic`, of a remote with these workflows, by their short names."""
    files = {f"{FOLDER}{name}.yml": text for name, text in workflows.items()}
    repository = clone(new_remote(top / "remote", {"a.txt": "a\n", **files}), top / "clone")
    repository.git("switch", "-qc", "topic")
    return repository
