"""Which specifications a command line means."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.allium import spec_files
from git_retcon.allium.spec_files import (
    SpecSet,
    read_named,
    read_revision,
    read_working_tree,
)
from git_retcon.errors import Fatal
from tests.allium.specs import SOUND
from tests.repository import TestRepository


def paths(found: SpecSet) -> list[bytes]:
    return [file.path for file in found.files]


def test_tracked_and_new_files_count_and_ignored_and_removed_ones_do_not(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("first", {"b/kept.allium": SOUND, "gone.allium": SOUND, ".gitignore": "/build\n"})
    repo.write({"gone.allium": None, "a new.allium": SOUND, "build/x.allium": SOUND, "x.txt": ""})
    repo.write({"folder.allium/readme.txt": "", b"\xff.allium": SOUND})
    monkeypatch.chdir(repo.path / "b")
    found = read_working_tree()
    assert paths(found) == [b"a new.allium", b"b/kept.allium", b"\xff.allium"]
    assert found.skipped == []
    assert [file.place for file in found.files][1] == repo.path / "b/kept.allium"


def test_a_file_in_conflict_counts_once(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("base", {"a.allium": "one\n"})
    repo.git("switch", "-q", "-c", "other")
    repo.commit("other", {"a.allium": "two\n"})
    repo.git("switch", "-q", "main")
    repo.commit("main", {"a.allium": "three\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "other")
    monkeypatch.chdir(repo.path)
    assert paths(read_working_tree()) == [b"a.allium"]


def test_a_commit_holds_what_its_tree_holds(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("first", {"b/c.allium": SOUND, "b.allium": SOUND, "x.txt": ""})
    repo.write({"new.allium": SOUND})
    monkeypatch.chdir(repo.path)
    found = read_revision("HEAD")
    assert paths(found) == [b"b.allium", b"b/c.allium"]
    assert {(file.data, file.place) for file in found.files} == {(SOUND.encode(), None)}


def test_a_bare_repository_has_commits_and_no_working_tree(
    repo: TestRepository,
    make_repo: Callable[..., TestRepository],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo.commit("first", {"a.allium": SOUND})
    bare = make_repo("bare", "--bare")
    repo.git("push", "-q", str(bare.path), "HEAD:main")
    monkeypatch.chdir(bare.path)
    assert paths(read_revision("main")) == [b"a.allium"]
    with pytest.raises(Fatal, match="this repository has no working tree"):
        read_working_tree()


def test_outside_of_a_repository_only_names_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.allium").write_text(SOUND)
    monkeypatch.chdir(tmp_path)
    assert [paths(found) for found in read_named(["a.allium"])] == [[b"a.allium"]]
    for read in (read_working_tree, lambda: read_revision("HEAD")):
        with pytest.raises(Fatal, match="not a git repository"):
            read()


def test_a_name_counts_once_with_any_suffix_and_through_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text(SOUND)
    (tmp_path / "link").symlink_to("a.txt")
    monkeypatch.chdir(tmp_path)
    found = read_named(["a.txt", "./a.txt", "link"])
    assert [paths(each) for each in found] == [[b"a.txt"], [b"link"]]


def test_a_name_that_leads_up_from_a_link_is_read_as_the_system_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far/sub").mkdir(parents=True)
    (tmp_path / "far/a.allium").write_text("far")
    (tmp_path / "a.allium").write_text("near")
    (tmp_path / "link").symlink_to("far/sub")
    monkeypatch.chdir(tmp_path)
    (found,) = read_named(["link/../a.allium"])
    assert [(file.path, file.data) for file in found.files] == [(b"link/../a.allium", b"far")]
    assert paths(read_named(["far/../a.allium"])[0]) == [b"a.allium"]


def test_a_folder_is_one_set_without_links_and_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("spec/b.allium", "spec/a/c.allium", "spec/.git/d.allium", "spec/e.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SOUND)
    (tmp_path / "spec/loop").symlink_to(tmp_path / "spec")
    (tmp_path / "spec/link.allium").symlink_to("b.allium")
    os.mkfifo(tmp_path / "spec/pipe.allium")
    monkeypatch.chdir(tmp_path)
    (found,) = read_named(["spec/"])
    assert paths(found) == [b"spec/a/c.allium", b"spec/b.allium"]
    assert found.skipped == [
        (b"spec/link.allium", "it is a symbolic link"),
        (b"spec/pipe.allium", "it is no regular file"),
    ]
    monkeypatch.chdir(tmp_path / "spec")
    assert paths(read_named(["."])[0]) == [b"a/c.allium", b"b.allium"]


def test_paths_below_the_root_of_the_system_have_one_slash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.allium").write_text(SOUND)
    there = os.fsencode(tmp_path / "a.allium")
    monkeypatch.setattr(spec_files, "_list_folder", lambda folder: [there.removeprefix(b"/")])
    assert [paths(found) for found in read_named(["/"])] == [[there]]


def test_a_name_of_nothing_is_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Fatal, match=r"^cannot read 'no\\nwhere': no such file or directory$"):
        read_named(["no\nwhere"])
    with pytest.raises(Fatal, match=r"^cannot read ''"):
        read_named([""])
