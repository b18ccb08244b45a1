"""What a tree shares with the world outside by hard links is found, and not changed inside."""

import os
from pathlib import Path

import pytest

from git_retcon.run.sandbox import hard_links
from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.hard_links import find_hard_links
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.shell_command import run_command


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two packages of a store outside, one of them with a file of its own; and two names for one
    file that both lie inside.
    """
    top, store = tmp_path / "tree", tmp_path / "store"
    store.mkdir()
    for name in ("whole/a", "whole/deep/b", "mixed/c"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (store / Path(name).name).write_text("of the store\n")
        os.link(store / Path(name).name, top / name)
    (top / "whole/link").symlink_to("a")
    (top / "mixed/own").write_text("own\n")
    os.link(top / "mixed/own", top / "again")
    (top / ".git").mkdir()
    os.link(store / "a", top / ".git/a")
    return top


def find_names(top: Path) -> set[str]:
    return {str(path.relative_to(top)) for path in find_hard_links(top)}


def test_files_with_a_name_outside_are_found(tree: Path) -> None:
    assert find_names(tree) == {"whole/a", "whole/deep/b", "mixed/c"}


def test_many_are_found_by_the_folders_that_hold_nothing_else(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hard_links, "_MOST_SINGLE", 2)
    assert find_names(tree) == {"whole", "mixed/c"}


def test_inside_they_are_read_and_not_changed(tree: Path, strong_sandbox: Sandbox) -> None:
    command = (
        "cat whole/a mixed/own; for f in whole/a whole/deep/b mixed/c mixed/own; do echo x >>$f;"
        " done; ln whole/a here; echo x >>here; mv whole was; echo x >>was/a; touch whole/new"
    )
    prefix = strong_sandbox.prefix(confine_to(tree, os.environ))
    done = run_command(command, cwd=tree, env=os.environ, prefix=prefix)
    assert done.output.startswith(b"of the store\nown\n")
    store = tree.parent / "store"
    assert {path.read_text() for path in store.iterdir()} == {"of the store\n"}
    assert (tree / "mixed/own").read_text() == "own\nx\n"
    assert (tree / "whole/new").exists()
