"""What git says of the paths of a working tree, in any case and spelling of them."""

from pathlib import Path

import pytest

from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Fatal
from git_retcon.git.repository import open_repository
from tests.code_commit.hostile import more_hostile_project
from tests.code_commit.project import checkout_of
from tests.repository import TestRepository, new_repository


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return checkout_of(more_hostile_project(tmp_path))


def test_ignored_is_what_any_file_of_git_names_in_any_case(checkout: Checkout) -> None:
    ignored = [b"ignored/x", b"IGNORED/x", b"a.secret", b"tracked.secret", b"local", b"docs/a.log"]
    assert checkout.find_ignored([*ignored, b"src/a.txt", b"docs/keep.log"]) == set(ignored)


def test_what_is_at_or_beneath_a_submodule_is_in_it(checkout: Checkout) -> None:
    paths = [b"module", b"module/file", b"MODULE/file", b"modules", b"src/module"]
    assert checkout.find_in_submodules(paths) == {b"module", b"module/file", b"MODULE/file"}


def test_files_whose_changes_git_hides_are_known(checkout: Checkout) -> None:
    paths = [b"hidden", b"Hidden", b"skipped", b"README"]
    assert checkout.find_unwatched(paths) == {b"hidden", b"Hidden", b"skipped"}


def test_changes_are_those_not_committed_untracked_files_among_them(
    project: TestRepository,
) -> None:
    assert checkout_of(project).list_changed() == ()
    project.write({"README": "mine\n", "new": "new\n", "ignored/x": "x\n"})
    assert set(checkout_of(project).list_changed()) == {b"README", b"new"}
    assert b"new" not in checkout_of(project).list_tracked()
    assert checkout_of(project).list_tracked(b"src") == (b"src/a.txt",)


def test_a_bare_repository_has_no_working_tree(tmp_path: Path) -> None:
    bare = new_repository(tmp_path / "bare", "--bare")
    with pytest.raises(Fatal, match="this needs a working tree"):
        open_checkout(open_repository(bare.path))
