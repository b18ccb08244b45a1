"""Temporary files of an apply that was killed do not stay until somebody heals again."""

import json
from pathlib import Path

import pytest

from git_retcon.files import transaction
from git_retcon.files.beneath import File
from git_retcon.heal.patches import FileChange
from git_retcon.heal.review.applied_changes import hold_applied_changes
from tests.program import heal_here
from tests.repository import new_repository


@pytest.mark.parametrize("command", ["workflows", "log", "clean"])
def test_any_subcommand_removes_them_and_says_so(command: str, tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {"sub/a.py": "old\n"})
    changes = [FileChange(b"sub/a.py", File(b"old\n", 0o644), File(b"new\n", 0o644))]
    with hold_applied_changes(repository.open(), repository.path) as applied:
        applied.apply([1], changes)
    staged = repository.path / "sub" / transaction._staged_name(b"sub/a.py").decode()
    staged.write_text("half")
    assert "temporary" not in heal_here(repository.path, command).err
    assert staged.exists()  # nothing was killed, as far as the journal says: it is somebody's
    journal = repository.path / ".git/heal/applied/1.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "phase": "begun"}))
    with hold_applied_changes(repository.open(), repository.path):
        assert "temporary" not in heal_here(repository.path, command).err  # it runs still
    said = heal_here(repository.path, command).err.splitlines()
    assert said[:2] == [
        "warning: a killed 'git heal' left temporary files beside yours; removed: "
        f"sub/{staged.name}",
        "hint: the next 'git heal' takes back what it left half applied",
    ]
    assert [path.name for path in (repository.path / "sub").iterdir()] == ["a.py"]
    assert "temporary" not in heal_here(repository.path, command).err
