"""The XDG folders, by the standard."""

from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.xdg import data_folder, expand_home, shared_data_folders, state_folder
from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch

FOLDERS = [(data_folder, "DATA", "share"), (state_folder, "STATE", "state")]


@pytest.mark.parametrize(("folder", "name", "default"), FOLDERS)
def test_an_absolute_value_counts_and_a_relative_one_does_not(
    folder: Callable[..., Path], name: str, default: str
) -> None:
    home = Path(f"/h/.local/{default}/git-retcon")
    assert folder({f"XDG_{name}_HOME": "/x", "HOME": "/h"}) == Path("/x/git-retcon")
    assert folder({f"XDG_{name}_HOME": "/x"}) == Path("/x/git-retcon")
    assert folder({f"XDG_{name}_HOME": "x", "HOME": "/h"}) == home
    assert folder({f"XDG_{name}_HOME": "./x", "HOME": "/h"}) == home
    assert folder({f"XDG_{name}_HOME": "~/x", "HOME": "/h"}) == home
    assert folder({f"XDG_{name}_HOME": "", "HOME": "/h"}) == home
    assert folder({"HOME": "/h"}) == home


@pytest.mark.parametrize(("folder", "name", "default"), FOLDERS)
@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "HOME is not set"),
        ({"HOME": ""}, "HOME is empty"),
        ({"HOME": "home"}, "HOME is a relative path, 'home'"),
    ],
)
def test_without_a_home_the_error_says_so(
    folder: Callable[..., Path], name: str, default: str, env: dict[str, str], said: str
) -> None:
    with pytest.raises(Fatal, match=said) as caught:
        folder(env | {f"XDG_{name}_HOME": "relative"})
    assert caught.value.hint == f"set HOME, or XDG_{name}_HOME, to an absolute path"


def test_data_of_other_programs_is_searched_in_absolute_folders_only() -> None:
    both = (Path("/usr/local/share"), Path("/usr/share"))
    assert shared_data_folders({"HOME": "/h"}) == (Path("/h/.local/share"), *both)
    assert shared_data_folders({"XDG_DATA_DIRS": ""}) == both
    found = shared_data_folders(
        {"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a:b::/c", "x": "y"}
    )
    assert found == (Path("/d"), Path("/a"), Path("/c"))


def test_a_tilde_is_the_home_folder() -> None:
    assert expand_home("~/w", {"HOME": "/h"}) == Path("/h/w")
    assert expand_home("~", {"HOME": "/h"}) == Path("/h")
    assert expand_home("/w", {}) == Path("/w")
    with pytest.raises(Fatal, match="there is no user 'no-such-user'"):
        expand_home("~no-such-user/w", {"HOME": "/h"})
    with pytest.raises(Fatal, match="HOME is empty"):
        expand_home("~/w", {"HOME": ""})


def test_a_relative_data_folder_puts_nothing_into_the_checkout(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    before = sorted(scene.repo.path.iterdir())
    retcon(repo.path, "history.toml", env={"XDG_DATA_HOME": "here", "XDG_STATE_HOME": "there"}).ok()
    assert sorted(scene.repo.path.iterdir()) == before


def test_a_run_without_a_home_says_what_to_set(repo: TestRepository) -> None:
    messy_branch(repo)
    done = retcon(repo.path, "history.toml", env={"XDG_DATA_HOME": "", "HOME": ""})
    assert done.status == 128
    assert "fatal: HOME is empty, so there is no folder for what git-retcon keeps" in done.err
    assert "hint: set HOME, or XDG_DATA_HOME, to an absolute path" in done.err
