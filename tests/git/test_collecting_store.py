"""libgit2 sees what a collecting store has as it sees what is on the disk."""

from pathlib import Path

import pygit2
import pytest
from pygit2.enums import ObjectType

from git_retcon.git import collecting_store
from git_retcon.git.collecting_store import CollectingStore
from tests.repository import TestRepository


@pytest.fixture
def objects(repo: TestRepository) -> pygit2.Repository:
    repo.commit("on disk")
    return pygit2.Repository(repo.path)


@pytest.fixture
def store(repo: TestRepository, objects: pygit2.Repository) -> CollectingStore:
    store = CollectingStore(repo.path / ".git/objects")
    objects.odb.add_backend(store, 10)
    store.is_open = True
    return store


def is_on_disk(repo: TestRepository, oid: object) -> bool:
    return repo.open().git.try_run("cat-file", "-e", str(oid)).returncode == 0


def test_what_is_written_is_read_by_whole_and_short_ids_and_is_in_no_file(
    repo: TestRepository, objects: pygit2.Repository, store: CollectingStore
) -> None:
    oid = objects.create_blob(b"one")
    assert objects.odb.read(oid) == (ObjectType.BLOB, b"one")
    assert objects.odb.read_header(oid) == (ObjectType.BLOB, 3)
    assert objects[str(oid)].id == objects[str(oid)[:12]].id == oid
    assert oid in objects
    assert store.get(str(oid)) == b"one"
    assert not is_on_disk(repo, oid)


def test_what_is_on_the_disk_is_read_as_before(
    repo: TestRepository, objects: pygit2.Repository, store: CollectingStore
) -> None:
    head = repo.rev("HEAD")
    assert objects[head].id == objects[head[:12]].id
    assert store.get(head) is None
    with pytest.raises(KeyError):
        objects.odb.read("1" * 40)


def test_histories_are_compared_across_memory_and_disk(
    repo: TestRepository, objects: pygit2.Repository, store: CollectingStore
) -> None:
    head = repo.rev("HEAD")
    person = pygit2.Signature("A", "a@b", 1)
    one, other = (
        objects.create_commit(None, person, person, text, repo.tree("HEAD"), [head])
        for text in ("one", "other")
    )
    assert store.get(str(one))
    assert str(objects.merge_base(one, other)) == head
    assert objects.descendant_of(one, head)
    assert objects.ahead_behind(one, other) == (1, 1)


def test_a_closed_store_and_large_files_go_to_the_disk_at_once(
    repo: TestRepository,
    objects: pygit2.Repository,
    store: CollectingStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collecting_store, "_LARGEST", 3)
    assert is_on_disk(repo, objects.create_blob(b"four"))
    small = objects.create_blob(b"two")
    assert not is_on_disk(repo, small)
    store.is_open = False
    assert is_on_disk(repo, objects.create_blob(b"new"))
    store.write_files()
    assert is_on_disk(repo, small)


def test_an_id_that_begins_two_objects_names_none(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    store = CollectingStore(tmp_path / "objects")
    store.objects = {pygit2.Oid(hex=f"ab{last:038x}"): (3, b"") for last in (1, 2)}
    with pytest.raises(KeyError):
        store.exists_prefix_cb("ab")
    assert str(store.exists_prefix_cb(f"ab{1:038x}")) == f"ab{1:038x}"
