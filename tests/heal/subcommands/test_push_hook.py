"""``git heal install-hook``: where the hook is written, and whose hooks are left alone."""

import json
import os
from pathlib import Path

from tests.program import heal_here
from tests.repository import TestRepository, new_repository


def new_project(path: Path) -> TestRepository:
    repository = new_repository(path, "-b", "main")
    repository.commit("one", {"a": "a"})
    return repository


def test_it_is_installed_once_and_removed_again(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    hook = repository.path / ".git/hooks/pre-push"
    for _ in range(2):
        done = heal_here(repository.path, "install-hook").ok()
        assert (done.out, done.err) == (
            f"{hook}\n",
            f"each push from here is checked by '{hook}'\n",
        )
        assert os.access(hook, os.X_OK)
    data = json.loads(heal_here(repository.path, "install-hook", "--uninstall", "--json").ok().out)
    assert (data["hook"], data["installed"], hook.exists()) == (str(hook), False, False)
    done = heal_here(repository.path, "install-hook", "--uninstall").ok()
    assert done.err == f"there is no hook '{hook}'\n"


def test_another_hook_stays_and_the_hint_says_how_to_call_ours(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
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


def test_the_folder_of_hooks_that_git_is_configured_for_is_taken(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    repository.git("config", "core.hooksPath", "tools/hooks")
    (repository.path / "sub").mkdir()
    heal_here(repository.path / "sub", "install-hook").ok()
    assert (repository.path / "tools/hooks/pre-push").exists()


def test_hooks_that_other_repositories_share_stay_as_they_are(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    repository.git("config", "core.hooksPath", str(tmp_path / "everybody"))
    done = heal_here(repository.path, "install-hook")
    assert (done.status, (tmp_path / "everybody").exists()) == (1, False)
    assert "(core.hooksPath), which is none of this repository's folders" in done.err


def test_a_linked_worktree_has_the_hook_of_its_repository(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    heal_here(tmp_path / "other", "install-hook").ok()
    assert (repository.path / ".git/hooks/pre-push").exists()
