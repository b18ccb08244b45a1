"""Configuration counts where the command is given: in a repository, and outside of one."""

import contextlib
from pathlib import Path

import pytest

from git_retcon.git.current_config import CurrentConfig
from tests.repository import TestRepository


def setting(where: Path, key: str) -> str | None:
    with contextlib.chdir(where):
        return CurrentConfig().get(key)


def test_a_repository_beats_its_user_and_a_folder_outside_has_the_users(
    repo: TestRepository, sealed: Path, tmp_path: Path
) -> None:
    with (sealed / ".gitconfig").open("a") as file:
        file.write("[color]\n\tui = user\n\tretcon = user\n")
    repo.git("config", "color.ui", "here")
    assert setting(repo.path, "color.ui") == "here"
    assert setting(repo.path, "color.retcon") == "user"
    assert setting(tmp_path, "color.ui") == "user"
    assert setting(tmp_path, "color.nosuch") is None


def test_what_was_given_to_git_on_the_command_line_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'color.ui'='always'")
    assert setting(tmp_path, "color.ui") == "always"


def test_configuration_that_git_cannot_read_is_none(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("[color\n")
    assert setting(tmp_path, "color.ui") is None


def test_it_is_read_once_and_only_when_asked(tmp_path: Path, sealed: Path) -> None:
    with contextlib.chdir(tmp_path):
        config = CurrentConfig()
        (sealed / ".gitconfig").write_text("[color]\n\tui = always\n")
        assert config.get("color.ui") == "always"
        (sealed / ".gitconfig").unlink()
        assert config.get("color.ui") == "always"
