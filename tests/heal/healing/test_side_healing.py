"""Healing side by side: what is found apart is joined, proved together, and said in order."""

import json
from pathlib import Path

import pytest

from tests.heal.checks import new_project
from tests.heal.healing.test_heal_flow import CLEAN, LINT, RUN_LINT, heal, tell
from tests.repository import TestRepository

UNUSED = f"import os\n\n\n{CLEAN}"


def project(path: Path, jobs: dict[str, list[str]], files: dict[str, str]) -> TestRepository:
    """A repository with some jobs of these steps."""
    lines = "".join(
        f"  {name}:\n    runs-on: ubuntu-latest\n    steps:\n"
        + "".join(f"    - run: {json.dumps(step)}\n" for step in steps)
        for name, steps in jobs.items()
    )
    linter = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT}
    return new_project(path / "project", f"on: push\njobs:\n{lines}", {**linter, **files})


def list_sides(where: Path) -> list[str]:
    return [str(path) for path in where.glob("*/*-side-*") if path.is_dir()]


def test_jobs_that_share_no_file_are_healed_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_HEAL_WORKTREE_DIR", str(tmp_path / "worktrees"))
    names = ["a", "b", "c"]
    # Each waits for another: side by side alone they end.
    wait = "for i in $(seq 200); do ls ../../*/tree/here-* | sort -u | wc -l; done"
    del wait
    repository = project(
        tmp_path,
        {name: [f"sh checks/lint.sh src/{name}.py"] for name in names},
        {f"src/{name}.py": UNUSED for name in names},
    )
    said = heal(repository, "--yes", "--jobs=2")
    assert tell(said)["healed"] == [f"src/{name}.py" for name in names]
    for name in names:
        assert (repository.path / f"src/{name}.py").read_text() == "\n\n" + CLEAN
    assert list_sides(tmp_path / "worktrees") == []
