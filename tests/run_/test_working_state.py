"""The tree of a working state is that of its files, and reading it leaves no trace."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.git.process import GitError
from git_retcon.git.trees import Entry
from git_retcon.run.working_state import make_run_id, open_state
from tests.repository import TestRepository, new_repository


def read(repository: TestRepository) -> str:
    """The tree of the state."""
    opened = repository.open()
    done = opened.git.try_run("rev-parse", "-q", "--verify", "HEAD")
    with open_state(opened, repository.path, done.stdout.decode().strip()) as state:
        return state.tree


def tree_of_files(repository: TestRepository, tmp_path: Path) -> str:
    """The tree that git makes of the same files where no index hides anything."""
    env = {**os.environ, "GIT_INDEX_FILE": str(tmp_path / "fresh-index")}
    fresh = TestRepository(repository.path)
    previous = os.environ.copy()
    os.environ.update(env)
    try:
        fresh.git("add", "-A")
        return fresh.git("write-tree")
    finally:
        os.environ.clear()
        os.environ.update(previous)


def take_stock(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file below a folder with its content's digest and its time."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_run_id_is_made_of_both_ids_and_nothing_else() -> None:
    tree, commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "1" * 40
    assert make_run_id(tree, commit) == "ba297b75c5ad3159"
    assert make_run_id(tree, "") == "abe5b4848301d438"


@pytest.fixture
def repository(tmp_path: Path) -> TestRepository:
    made = new_repository(tmp_path / "project")
    files = {"a": "a\n", "b": "b\n", "c": "c\n", "sub/d": "d\n", ".gitignore": "ignored\n"}
    made.commit("begin", files)
    return made


def test_a_clean_state_has_the_tree_of_its_commit(repository: TestRepository) -> None:
    repository.write({"ignored": "x"})
    assert read(repository) == repository.tree("HEAD")


def test_all_files_count_but_ignored_ones(repository: TestRepository, tmp_path: Path) -> None:
    repository.write({"a": "changed\n", "b": None, "new é": "new\n", "ignored": "x"})
    repository.write({"sub/d": None})
    (repository.path / "sub").rmdir()
    repository.write({"sub": "a file now\n", "staged": "s\n"})
    (repository.path / "link").symlink_to("a")
    (repository.path / "c").chmod(0o755)
    repository.git("add", "staged")
    repository.write({"staged": "s and more\n"})
    assert read(repository) == tree_of_files(repository, tmp_path)


def test_no_flag_of_the_index_hides_a_change(repository: TestRepository, tmp_path: Path) -> None:
    repository.git("update-index", "--assume-unchanged", "a", "b")
    repository.git("update-index", "--skip-worktree", "c", "sub/d")
    repository.write({"a": "changed\n", "b": None, "c": "changed\n", "sub/d": None})
    assert repository.git("status", "--porcelain") == ""
    assert read(repository) == tree_of_files(repository, tmp_path)


def test_what_a_sparse_checkout_leaves_out_is_still_there(repository: TestRepository) -> None:
    repository.git("sparse-checkout", "set", "--no-cone", "/a")
    assert not (repository.path / "b").exists()
    assert read(repository) == repository.tree("HEAD")


def test_a_change_as_fast_as_git_itself_is_seen(repository: TestRepository) -> None:
    """The same size within the time of the index: git compares the contents then."""
    for number in range(20):
        repository.write({"a": f"{number:02}\n"})
        repository.git("add", "a")
        repository.write({"a": f"{number + 1:02}\n"})
        assert read(repository) != repository.git("write-tree")


def test_files_in_conflict_count_as_they_are(repository: TestRepository, tmp_path: Path) -> None:
    repository.git("switch", "-qc", "other")
    repository.commit("theirs", {"a": "theirs\n"})
    repository.git("switch", "-q", "-")
    repository.commit("ours", {"a": "ours\n"})
    with pytest.raises(AssertionError):
        repository.git("merge", "other")
    assert read(repository) == tree_of_files(repository, tmp_path)


def test_a_repository_within_is_no_part_of_it(repository: TestRepository) -> None:
    new_repository(repository.path / "inner").commit("inner", {"x": "x"})
    assert read(repository) == repository.tree("HEAD")


def test_a_file_that_is_only_intended_to_be_added_is_there_as_it_is_or_not_at_all(
    repository: TestRepository, tmp_path: Path
) -> None:
    clean = read(repository)
    repository.write({"new": "new\n"})
    repository.git("add", "-N", "new")
    assert read(repository) == tree_of_files(repository, tmp_path)
    with open_state(repository.open(), repository.path, "", lambda path: path == b"new") as state:
        assert state.tree == clean
    repository.git("update-index", "--skip-worktree", "new")
    with open_state(repository.open(), repository.path, "", reveals=False) as state:
        assert state.tree == clean


def test_an_index_that_only_git_reads_is_left_to_git(
    repository: TestRepository, tmp_path: Path
) -> None:
    repository.git("update-index", "--split-index")
    repository.write({"a": "other\n"})
    assert read(repository) == tree_of_files(repository, tmp_path)


def test_before_the_first_commit_there_is_a_state_too(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.write({"a": "a\n"})
    assert read(repository) == tree_of_files(repository, tmp_path)


def test_reading_leaves_everything_as_it_is(repository: TestRepository) -> None:
    repository.write({"a": "stashed\n"})
    repository.git("stash")
    repository.git("update-index", "--assume-unchanged", "b")
    repository.write({"a": "changed\n", "b": "changed\n", "new": "new\n"})
    before = take_stock(repository.path)
    read(repository)
    assert take_stock(repository.path) == before


def test_a_file_that_cannot_be_read_is_said(repository: TestRepository) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    repository.write({"secret": "x"})
    (repository.path / "secret").chmod(0)
    with pytest.raises(GitError, match="secret"):
        read(repository)


def test_an_untracked_file_that_holds_a_secret_is_left_out(repository: TestRepository) -> None:
    before = read(repository)
    repository.write({"sub/.env": "KEY=1\n", ".npmrc": "//r.example/:_authToken=x\n"})
    assert read(repository) == before
    opened = repository.open()
    with open_state(opened, repository.path, "") as state:
        assert state.secrets == (b".npmrc", b"sub/.env")
        assert not {b".npmrc", b"sub/.env"} & state.paths
    repository.write({".npmrc": "save-exact=true\n"})
    repository.git("add", "sub/.env")
    with open_state(opened, repository.path, "") as state:
        assert state.secrets == ()
        assert {b".npmrc", b"sub/.env"} <= state.paths


def has_become(repository: TestRepository, fix: Callable[[], object]) -> bool:
    """Whether the files are seen to be the state with ``a.py`` fixed, after something was done."""
    fixed = repository.git("hash-object", "-w", "--stdin", stdin=b"fixed\n")
    opened = repository.open()
    with open_state(opened, repository.path, repository.git("rev-parse", "HEAD")) as state:
        entries = {b"a.py": Entry(b"100644", fixed), b"old.py": None}
        assert not state.has_become(entries)
        (repository.path / "a.py").write_text("fixed\n")
        (repository.path / "old.py").unlink()
        fix()
        return state.has_become(entries)


@pytest.fixture
def changing(tmp_path: Path) -> TestRepository:
    """A repository with an uncommitted change, an untracked file, and secrets that are left out."""
    files = {"a.py": "wrong\n", "b.py": "kept\n", "old.py": "x\n", ".gitignore": "*.log\n"}
    repository = new_repository(tmp_path / "changing")
    repository.commit("Begin", files)
    (repository.path / "b.py").write_text("mine\n")
    (repository.path / "new.py").write_text("untracked\n")
    (repository.path / ".env").write_text("API_KEY=abcdefghijklmnop0123\n")
    return repository


def test_a_state_has_become_another_where_only_that_was_changed(changing: TestRepository) -> None:
    assert has_become(changing, lambda: (changing.path / "a.log").write_text("ignored\n"))


@pytest.mark.parametrize(
    "change",
    [
        lambda top: (top / "a.py").write_text("fixes\n"),
        lambda top: (top / "b.py").write_text("MINE\n"),  # of the same size, in the same second
        lambda top: (top / "new.py").write_text("Untracked\n"),
        lambda top: (top / "newer.py").write_text("x\n"),
        lambda top: (top / "new.py").unlink(),
        lambda top: (top / "b.py").chmod(0o755),
        lambda top: (top / "old.py").write_text("x\n"),
        lambda top: ((top / "b.py").unlink(), (top / "b.py").symlink_to("a.py")),
    ],
)
def test_a_state_has_not_become_another_where_anything_else_changed(
    changing: TestRepository, change: Callable[[Path], object]
) -> None:
    stock = take_stock(changing.path / ".git")
    assert not has_become(changing, lambda: change(changing.path))
    index = {name: one for name, one in take_stock(changing.path / ".git").items() if name in stock}
    assert index == stock, "the user's own index and refs stay as they are"
