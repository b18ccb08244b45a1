"""What is collected is on the disk before a ref names it: much as a pack, little as files."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git import new_objects
from git_retcon.git.commits import write_unsigned
from git_retcon.git.graph import read_commit
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.repository import Repository
from git_retcon.git.trees import read_object
from tests.repository import TestRepository


def make_blobs(opened: Repository, number: int) -> list[str]:
    return [str(opened.objects.create_blob(b"%d\n" % each)) for each in range(number)]


def list_packs(repo: TestRepository) -> list[Path]:
    return sorted((repo.path / ".git/objects/pack").glob("*.pack"))


def list_files(repo: TestRepository) -> set[Path]:
    return {*(repo.path / ".git/objects").glob("[0-9a-f][0-9a-f]/*")}


@pytest.mark.parametrize(("number", "packs"), [(99, 0), (100, 1)])
def test_few_become_files_and_many_a_pack(repo: TestRepository, number: int, packs: int) -> None:
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        blobs = make_blobs(opened, number)
        assert list_files(repo) == set()
    assert len(list_packs(repo)) == packs
    assert len(list_files(repo)) == (0 if packs else number)
    repo.git("fsck", "--strict")
    assert [repo.show(blob) for blob in blobs] == [b"%d\n" % each for each in range(number)]
    assert read_object(opened.objects.odb, blobs[0]) == b"0\n"


def test_a_ref_moves_only_to_what_is_on_the_disk(repo: TestRepository) -> None:
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        blobs = make_blobs(opened, 120)
        assert opened.new_objects.holds(blobs[0])
        update_refs(opened, [RefUpdate("refs/keep/one", NOTHING, blobs[7])], "test")
        assert repo.show("refs/keep/one") == b"7\n"
        assert not opened.new_objects.holds(blobs[0])
        assert read_object(opened.objects.odb, blobs[0]) == b"0\n"
        later = str(opened.objects.create_blob(b"later"))
        assert opened.new_objects.holds(later)
    assert repo.show(later) == b"later"


def test_what_an_error_cuts_short_is_not_written(repo: TestRepository) -> None:
    opened = repo.open()

    def fail() -> None:
        with opened.new_objects.collect(opened.objects.odb):
            make_blobs(opened, 120)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()
    assert list_packs(repo) == []
    assert list_files(repo) == set()
    # Outside of the block everything is a file at once again.
    assert repo.show(str(opened.objects.create_blob(b"0\n"))) == b"0\n"


def test_a_store_that_cannot_be_written_to_is_said_and_loses_nothing(repo: TestRepository) -> None:
    folder = repo.path / ".git/objects/pack"
    folder.rmdir()
    folder.write_bytes(b"")
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        blobs = make_blobs(opened, 120)
        with pytest.raises(Fatal, match="cannot write a pack in"):
            opened.new_objects.save()
        assert read_object(opened.objects.odb, blobs[0]) == b"0\n"
        folder.unlink()
    assert repo.show(blobs[0]) == b"0\n"


def test_much_that_is_collected_asks_to_be_saved(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_objects, "_MOST_KEPT", 100)
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        opened.objects.create_blob(b"x" * 100)
        asked = [opened.new_objects.is_full]
        opened.objects.create_blob(b"y")
        asked.append(opened.new_objects.is_full)
        opened.new_objects.save()
        asked.append(opened.new_objects.is_full)
    assert asked == [False, True, False]


def test_a_walk_begins_at_what_is_on_the_disk(repo: TestRepository) -> None:
    base, tree = repo.commit("base"), repo.tree("HEAD")
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        one, other = (write_unsigned(opened, tree, [base], text) for text in ("one", "other"))
        top = write_unsigned(opened, tree, [one, other], "top")
        assert opened.new_objects.list_saved([top]) == [base]
        assert opened.new_objects.list_saved([base, top]) == [base]
        opened.new_objects.save()
        assert opened.new_objects.list_saved([top, one]) == sorted([one, top])
        later = write_unsigned(opened, tree, [top], "later")
        assert opened.new_objects.list_saved([later]) == [top]
        assert read_commit(opened, top).parents == (one, other)


def test_packs_are_kept_until_the_end_and_those_of_the_dead_go(repo: TestRepository) -> None:
    folder = repo.path / ".git/objects/pack"
    for suffix in ("pack", "keep"):
        (folder / f"pack-{'1' * 40}.{suffix}").write_bytes(b"git-retcon\n")
    opened = repo.open()
    with opened.new_objects.collect(opened.objects.odb):
        assert [*folder.iterdir()] == []
        make_blobs(opened, 120)
        opened.new_objects.save()
        assert len([*folder.glob("*.keep")]) == 1
    assert sorted(path.suffix for path in folder.iterdir()) == [".idx", ".pack"]


@pytest.mark.parametrize("is_collected", [False, True])
def test_a_commit_that_is_added_is_the_one_that_git_writes(
    repo: TestRepository, *, is_collected: bool
) -> None:
    head = repo.commit("Add a file", {"a.txt": "1\n"})
    opened = repo.open()
    content = repo.git("cat-file", "commit", head).encode() + b"\n"
    other = content.replace(b"Add a file", b"Add it again")
    block = opened.new_objects.collect(opened.objects.odb) if is_collected else nullcontext()
    with block:
        oid = opened.new_objects.add_commit(opened.objects.odb, other)
        assert read_commit(opened, oid).subject == "Add it again"
        assert opened.new_objects.holds(oid) == is_collected
        assert opened.new_objects.add_commit(opened.objects.odb, content) == head
    assert repo.git("hash-object", "-t", "commit", "--stdin", stdin=other) == oid
    assert repo.git("show", "-s", "--format=%s", oid) == "Add it again"
    repo.git("fsck", "--strict")
