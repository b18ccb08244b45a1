"""What the doctor finds in repositories."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import retcon
from tests.repository import TestRepository


@pytest.mark.slow
def test_a_repository_that_no_run_can_read_is_bad(
    make_repo: Callable[..., TestRepository],
) -> None:
    repo = make_repo("sha256", "--object-format=sha256")
    done = retcon(repo.path, "doctor")
    assert done.status == 1
    assert " bad  repository: this repository names objects by sha256" in done.out


def test_no_home_to_keep_anything_in_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    done = retcon(tmp_path, "doctor")
    assert done.status == 1
    assert " bad  folders: HOME is empty" in done.out


def test_outside_of_a_repository_nothing_is_wrong_with_one(tmp_path: Path) -> None:
    done = retcon(tmp_path, "doctor")
    assert done.status == 0
    assert "note  repository: not a git repository" in done.out


@pytest.mark.slow
def test_completions_of_every_command_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    scripts = [
        "bash-completion/completions/git-retcon",
        "zsh/site-functions/_git-code-commit",
        "fish/vendor_completions.d/git-allium.fish",
        "bash-completion/completions/git-heal",
    ]
    for script in scripts:
        assert "note  completion: not installed for any shell: " in retcon(tmp_path, "doctor").out
        (tmp_path / script).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / script).touch()
    done = retcon(tmp_path, "doctor")
    assert "  ok  completion: of git-retcon, git-heal, git-allium and git-code-commit\n" in done.out
    (tmp_path / scripts[2]).unlink()
    said = retcon(tmp_path, "doctor").out
    assert "note  completion: not installed for any shell: git-allium\n" in said
    assert "      'git allium completion bash' (or zsh, fish) prints it, with how to" in said


def test_pages_of_every_command_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    man = tmp_path / "man"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    man.write_text('#!/bin/sh\n[ "$1" = -w ] && case $2 in git-heal|git-allium) exit 16;; esac\n')
    man.chmod(0o755)
    said = retcon(tmp_path, "doctor").out
    assert (
        "note  manual pages: 'man' does not find git-heal(1) and git-allium(1), so "
        "'git heal --help' fails\n      add them to MANPATH: export MANPATH="
    ) in said
    man.write_text("#!/bin/sh\n")
    said = retcon(tmp_path, "doctor").out
    assert "  ok  manual pages: of git-retcon, git-heal, git-allium and git-code-commit\n" in said
