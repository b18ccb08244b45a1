"""The files of a worktree: for digests, and for local actions."""

import hashlib
from pathlib import Path

from git_retcon.heal.execution.workspace_files import WorkspaceFiles


def test_files_are_listed_without_those_of_git(tmp_path: Path) -> None:
    top = tmp_path / "top"
    for name in ("a", "sub/b", ".git/config", "sub/.git/config"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(name)
    (top / "dangling").symlink_to("nowhere")
    files = WorkspaceFiles(top)
    assert sorted(files.list_files()) == [b"a", b"sub/b"]
    assert files.digest_file(b"sub/b") == hashlib.sha256(b"sub/b").digest()
    assert files.read(b"../x") is None


def test_an_action_is_read_or_what_is_wrong_is_said(tmp_path: Path) -> None:
    files = WorkspaceFiles(tmp_path)
    assert files.read_action(b"none") == "there is no action in none"
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/action.yml").write_text("name: [")
    assert "bad/action.yml:2:1: error" in str(files.read_action(b"bad"))
    (tmp_path / "action.yaml").write_text("name: x\nruns: {using: node20, main: x.js}\n")
    action = files.read_action(b"")
    assert not isinstance(action, str)
    assert action.using == "node20"
