"""``git heal install-hook``: the hook is there, and goes again."""

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
