"""Where hooks of ours are written, and whose hooks are left alone: with that of git heal."""

import os
from pathlib import Path

import pytest

from tests.program import heal_here
from tests.repository import TestRepository, new_repository


@pytest.fixture
def repository(tmp_path: Path) -> TestRepository:
    found = new_repository(tmp_path / "project", "-b", "main")
    found.commit("one", {"a": "a"})
    return found


def test_another_hook_stays_and_is_told_how_to_call_ours(repository: TestRepository) -> None:
    hook = repository.path / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    for make in (lambda: hook.write_text("#!/bin/sh\nmine\n"), lambda: hook.symlink_to("nowhere")):
        make()
        done = heal_here(repository.path, "install-hook")
        assert done.status == 1
        assert done.err.splitlines() == [
            f"error: there is a hook already: '{hook}'",
            "hint: call git heal from it, before anything else reads its input:",
            'hint: git heal pre-push "$@" || exit 1',
        ]
        removal = heal_here(repository.path, "install-hook", "--uninstall")
        assert (removal.status, "was not made by git heal" in removal.err) == (1, True)
        assert os.path.lexists(hook)
        hook.unlink()


def test_the_folder_that_git_is_told_to_look_in_is_taken(repository: TestRepository) -> None:
    repository.git("config", "core.hooksPath", "tools/hooks")
    (repository.path / "sub").mkdir()
    heal_here(repository.path / "sub", "install-hook").ok()
    assert (repository.path / "tools/hooks/pre-push").exists()


def test_hooks_that_other_repositories_share_stay_as_they_are(
    repository: TestRepository, tmp_path: Path
) -> None:
    repository.git("config", "core.hooksPath", str(tmp_path / "everybody"))
    done = heal_here(repository.path, "install-hook")
    assert (done.status, (tmp_path / "everybody").exists()) == (1, False)
    assert "(core.hooksPath), which is none of this repository's folders" in done.err


def test_a_linked_worktree_has_the_hook_of_its_repository(
    repository: TestRepository, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    heal_here(tmp_path / "other", "install-hook").ok()
    assert (repository.path / ".git/hooks/pre-push").exists()
