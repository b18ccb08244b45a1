"""What decides what git executes is put back after a command; what else changed is left."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.run.git_files import GitWatch, Restored
from tests.repository import TestRepository, new_repository

Deed = Callable[[Path], object]


@pytest.fixture
def watched(repo: TestRepository, sealed: Path) -> Iterator[GitWatch]:
    git = repo.path / ".git"
    repo.commit("begin", {"a": "1\n"})
    (git / "hooks").mkdir(exist_ok=True)
    (git / "hooks/pre-push").write_text("theirs\n")
    (git / "hooks/off").write_text("theirs\n")
    (git / "info").mkdir(exist_ok=True)
    (git / "info/exclude").write_text("mine\n")
    (git / "remotes").mkdir()
    (git / "branches").mkdir(exist_ok=True)
    (git / "modules/deep/sub/hooks").mkdir(parents=True)
    (git / "modules/deep/sub/HEAD").write_text("ref: refs/heads/main\n")
    (git / "modules/deep/sub/config").write_text("[core]\n\tbare = false\n")
    repo.git("worktree", "add", "-q", "../other")
    watch = GitWatch(repo.open(), repo.path, os.environ)
    yield watch
    watch.close()


def everything(git: Path) -> dict[str, bytes | str]:
    found: dict[str, bytes | str] = {}
    for path in sorted(git.rglob("*")):
        name = str(path.relative_to(git))
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes() + oct(path.stat().st_mode).encode()
    return found


def plant(name: str, text: str = "evil\n") -> Deed:
    def do(git: Path) -> None:
        path = git / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return do


def swap_for_link(name: str) -> Deed:
    def do(git: Path) -> None:
        (git / name).rename(git / "was")
        (git / name).symlink_to("/tmp")
        shutil.rmtree(git / "was") if (git / "was").is_dir() else (git / "was").unlink()

    return do


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


DEEDS: dict[str, Deed] = {
    ".git/config": lambda git: append(git / "config", "[core]\n\tfsmonitor = evil\n"),
    ".git/config.worktree": plant("config.worktree", "[core]\n\tworktree = /\n"),
    ".git/commondir": plant("commondir"),
    ".git/hooks/post-commit": plant("hooks/post-commit"),
    ".git/hooks/pre-push": plant("hooks/pre-push"),
    ".git/hooks/off": lambda git: (git / "hooks/off").chmod(0o755),
    ".git/info/attributes": plant("info/attributes", "* filter=evil\n"),
    ".git/info/exclude": plant("info/exclude"),
    ".git/remotes/evil": plant("remotes/evil", "URL: https://evil.example\n"),
    ".git/branches/evil": plant("branches/evil", "https://evil.example\n"),
    ".git/objects/info/alternates": plant("objects/info/alternates"),
    ".git/worktrees/other/gitdir": plant("worktrees/other/gitdir"),
    ".git/worktrees/other/commondir": plant("worktrees/other/commondir"),
    ".git/modules/deep/sub/config": plant("modules/deep/sub/config", "[alias]\n\tst = !evil\n"),
    ".git/modules/deep/sub/hooks/post-checkout": plant("modules/deep/sub/hooks/post-checkout"),
}


@pytest.mark.parametrize("name", DEEDS)
def test_it_is_put_back_and_named_and_kept(
    name: str, repo: TestRepository, watched: GitWatch
) -> None:
    git = repo.path / ".git"
    before = everything(git)
    DEEDS[name](git)
    found = watched.restore()
    assert found.names == [name]
    assert everything(git) == before
    assert found.kept is not None
    kept = found.kept / name
    assert kept.exists() and (b"evil" in kept.read_bytes() or "off" in name or "worktree" in name)


@pytest.mark.parametrize("name", ["hooks", "info", "modules", "worktrees/other"])
def test_a_link_in_the_place_of_a_folder_is_taken_away(
    name: str, repo: TestRepository, watched: GitWatch
) -> None:
    git = repo.path / ".git"
    before = everything(git)
    shutil.copytree(git / name, repo.path / "copy", symlinks=True)
    swap_for_link(name)(git)
    found = watched.restore()
    assert f".git/{name}" in found.names
    after = everything(git)
    assert {n: after[n] for n in after if n in before} == after
    assert not (git / name).is_symlink()
    if name in ("hooks", "info"):
        assert after == before


def test_refs_the_index_and_harmless_settings_are_left_and_reported(
    repo: TestRepository, watched: GitWatch
) -> None:
    repo.commit("from another terminal", {"a": "2\n"})
    repo.git("branch", "new")
    repo.git("config", "user.nickname", "x")
    before = everything(repo.path / ".git")
    assert watched.restore() == Restored([], None, ["user.nickname in .git/config"])
    assert everything(repo.path / ".git") == before


def test_of_a_configuration_only_what_executes_is_put_back(
    repo: TestRepository, watched: GitWatch
) -> None:
    repo.git("config", "user.nickname", "x")
    repo.git("config", "core.hooksPath", "evil")
    found = watched.restore()
    assert found.names == [".git/config"] and found.left == ["user.nickname in .git/config"]
    assert repo.git("config", "user.nickname") == "x"
    assert "hookspath" not in repo.git("config", "--list").lower()
    assert found.kept is not None and "evil" in (found.kept / ".git/config").read_text()


@pytest.mark.parametrize("where", ["was", "sub/was"])
def test_the_folder_itself_is_moved_back(
    where: str, repo: TestRepository, watched: GitWatch
) -> None:
    before = everything(repo.path / ".git")
    (repo.path / "sub").mkdir()
    (repo.path / ".git").rename(repo.path / where)
    new_repository(repo.path / "fake")
    (repo.path / "fake/.git").rename(repo.path / ".git")
    assert watched.restore().names == [".git"]
    assert everything(repo.path / ".git") == before


@pytest.mark.parametrize("is_folder", [False, True])
def test_the_file_of_a_linked_worktree_and_the_shared_settings_are_put_back(
    repo: TestRepository, sealed: Path, *, is_folder: bool
) -> None:
    repo.commit("begin", {"a": "1\n"})
    repo.git("worktree", "add", "-q", "../linked")
    there = TestRepository(repo.path.parent / "linked")
    before = (everything(repo.path / ".git"), (there.path / ".git").read_bytes())
    watch = GitWatch(there.open(), there.path, os.environ)
    (there.path / ".git").unlink()
    if is_folder:
        shutil.copytree(repo.path / ".git", there.path / ".git")
    else:
        (there.path / ".git").write_text("gitdir: /tmp/evil\n")
    append(repo.path / ".git/config", "[core]\n\tfsmonitor = evil\n")
    plant("hooks/post-commit")(repo.path / ".git")
    plant("worktrees/linked/commondir")(repo.path / ".git")
    restored = watch.restore()
    watch.close()
    names = {".git", ".git/config", ".git/hooks/post-commit"}
    assert names < set(restored.names)
    assert (everything(repo.path / ".git"), (there.path / ".git").read_bytes()) == before


def test_a_symbolic_link_to_it_is_put_back(tmp_path: Path, sealed: Path) -> None:
    repo = new_repository(tmp_path / "repo")
    repo.commit("begin", {"a": "1\n"})
    (repo.path / ".git").rename(tmp_path / "elsewhere")
    (repo.path / ".git").symlink_to("../elsewhere")
    watch = GitWatch(repo.open(), repo.path, os.environ)
    (repo.path / ".git").unlink()
    (repo.path / ".git").mkdir()
    assert watch.restore().names == [".git"]
    assert (repo.path / ".git").readlink() == Path("../elsewhere")
    watch.close()


def test_one_that_is_gone_for_good_is_an_error(repo: TestRepository, watched: GitWatch) -> None:
    shutil.rmtree(repo.path / ".git")
    with pytest.raises(Fatal, match=r"'\.git' was removed"):
        watched.restore()
