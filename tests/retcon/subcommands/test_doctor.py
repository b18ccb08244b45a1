"""What the doctor finds in repositories."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import retcon
from tests.repository import TestRepository


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


@pytest.mark.parametrize(
    "script",
    [
        "bash-completion/completions/git-retcon",
        "zsh/site-functions/_git-retcon",
        "fish/vendor_completions.d/git-retcon.fish",
    ],
)
def test_a_completion_of_any_shell_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / script).parent.mkdir(parents=True)
    (tmp_path / script).touch()
    assert f"  ok  completion: {tmp_path / script}\n" in retcon(tmp_path, "doctor").out
