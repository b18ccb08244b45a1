"""What is shown of the user's HOME is a list; everything else is unseen."""

import os
import subprocess
from pathlib import Path

import pytest

from git_retcon.run.sandbox.confinement import confine_to, confine_to_worktree
from git_retcon.run.sandbox.landlock_rules import others
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository


def make(*places: Path) -> None:
    for place in places:
        place.mkdir(parents=True, exist_ok=True)


def test_tools_and_caches_of_home_are_shown_and_credentials_are_not(
    sealed: Path, tmp_path: Path
) -> None:
    make(*(sealed / name for name in (".cargo/bin", ".cargo/registry", ".nvm", ".m2/repository")))
    make(sealed / ".ssh", sealed / ".aws", sealed / ".config/gh", tmp_path / "tree")
    view = confine_to(tmp_path / "tree", {"HOME": str(sealed), "PATH": "/usr/bin"})
    assert sealed in view.hidden
    assert {sealed / ".cargo/bin", sealed / ".nvm"} <= set(view.shown)
    assert {sealed / ".cargo/registry", sealed / ".m2/repository"} <= set(view.caches)
    for secret in (".ssh", ".aws", ".config", ".cargo/credentials.toml", ".m2/settings.xml"):
        path = sealed / secret
        assert not any(path.is_relative_to(place) for place in (*view.shown, *view.caches))


@pytest.mark.parametrize("entry", ["{home}", "{home}/..", "/", "{home}/link", "{home}/bin/..", ""])
def test_no_entry_of_path_shows_the_whole_home(sealed: Path, tmp_path: Path, entry: str) -> None:
    make(tmp_path / "tree", sealed / "bin")
    (sealed / "link").symlink_to(sealed)
    view = confine_to(
        tmp_path / "tree", {"HOME": str(sealed), "PATH": f"{entry.format(home=sealed)}:/usr/bin"}
    )
    for place in (*view.shown, *view.caches):
        assert not sealed.is_relative_to(os.path.realpath(place))


def test_directories_on_path_are_shown_with_what_they_stand_in(
    sealed: Path, tmp_path: Path
) -> None:
    environment, prefix, plain = sealed / "venv", sealed / "node-20", sealed / "scripts"
    make(tmp_path / "tree", environment / "bin", prefix / "bin", prefix / "lib", plain)
    base = sealed / "python-3.12"
    make(base / "bin", base / "lib")
    (environment / "pyvenv.cfg").write_text(f"home = {base}/bin\nversion = 3.12\n")
    path = os.pathsep.join(map(str, (environment / "bin", prefix / "bin", plain)))
    view = confine_to(tmp_path / "tree", {"HOME": str(sealed), "PATH": path})
    assert {environment, base, prefix, plain} <= set(view.shown)


def test_variables_that_move_a_toolchain_are_followed(sealed: Path, tmp_path: Path) -> None:
    moved = sealed / "tools/cargo"
    make(tmp_path / "tree", moved / "bin", moved / "registry")
    view = confine_to(tmp_path / "tree", {"HOME": str(sealed), "CARGO_HOME": str(moved)})
    assert moved / "bin" in view.shown
    assert moved / "registry" in view.caches
    assert moved not in (*view.shown, *view.caches)


def test_a_worktree_hides_the_users_checkout_and_other_worktrees(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        view = confine_to_worktree(worktree, os.environ)
        assert {repo.path, repo.path / ".git", tmp_path / "worktrees"} <= set(view.hidden)
        assert repo.path / ".git/objects" in view.shown
        assert view.writable == worktree.tree
        assert set(view.protected) == {worktree.tree / ".git", worktree.git_dir}


def test_landlock_is_given_everything_but_the_hidden(tmp_path: Path) -> None:
    top = tmp_path / "top"
    make(top / "a/secret/deep", top / "a/open/deep", top / "b", top / "c")
    (top / "a/file").write_text("")
    (top / "link").symlink_to(top / "a/secret")
    hidden = frozenset({str(top / "a/secret"), str(top / "c")})
    assert set(others(str(top), hidden)) == {
        str(top / "a/open"),
        str(top / "a/file"),
        str(top / "b"),
    }
    assert list(others(str(top / "b"), hidden)) == [str(top / "b")]
    assert list(others(str(top / "c"), hidden)) == []


def test_a_home_behind_a_link_is_hidden_where_it_really_is(tmp_path: Path) -> None:
    make(tmp_path / "real/.cargo/bin", tmp_path / "tree")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    view = confine_to(tmp_path / "tree", {"HOME": str(tmp_path / "link")})
    assert tmp_path / "real" in view.hidden
    assert {tmp_path / "real/.cargo/bin", tmp_path / "link/.cargo/bin"} <= set(view.shown)


def test_folders_above_what_is_protected_are_pinned(tmp_path: Path, sealed: Path) -> None:
    tree = tmp_path / "tree"
    make(tmp_path / "git")
    for name in (".git/hooks", "docs/a/b", "web"):
        (tree / name).mkdir(parents=True)
    for name in ("docs/a/b/spec.md", "web/.npmrc", "top"):
        (tree / name).write_text("x")
    view = confine_to(
        tree,
        {"HOME": str(sealed)},
        protected=[tree / "docs/a/b/spec.md", tree / ".git/hooks", tree / "top", tmp_path / "git"],
        veiled=[tree / "web/.npmrc"],
    )
    # The tree itself cannot be renamed anyway, and what is below a protected folder neither.
    assert view.pinned == (tree / "docs", tree / "docs/a", tree / "docs/a/b", tree / "web")


def test_a_folder_above_a_protected_file_cannot_be_renamed(
    tmp_path: Path, sealed: Path, strong_sandbox: Sandbox
) -> None:
    tree = tmp_path / "tree"
    (tree / "docs/a").mkdir(parents=True)
    (tree / "docs/a/spec.md").write_text("the specification")
    view = confine_to(tree, os.environ, protected=[tree / "docs/a/spec.md"])
    command = (
        "mv docs d; mkdir -p docs/a; echo evil >docs/a/spec.md; mv docs/a docs/b; echo x >docs/n"
    )
    subprocess.run([*strong_sandbox.prefix(view), "sh", "-c", command], cwd=tree, check=True)
    assert (tree / "docs/a/spec.md").read_text() == "the specification"
    assert (tree / "docs/n").read_text() == "x\n"
