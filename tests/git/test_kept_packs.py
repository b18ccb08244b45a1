"""A pack that no ref needs yet outlives git's tidying, and one of a killed run leaves no trace."""

import fcntl
from pathlib import Path

import pytest

from git_retcon.git.kept_packs import keep_pack, release_dead_packs
from git_retcon.git.pack_file import write_pack
from tests.git.test_pack_file import make_blob
from tests.repository import TestRepository

TIDYING = (["repack", "-a", "-d"], ["gc", "--prune=now"])


def list_names(folder: Path) -> list[str]:
    return sorted(path.suffix for path in folder.iterdir())


@pytest.mark.parametrize("tidying", TIDYING)
def test_git_drops_it_only_once_it_is_released(repo: TestRepository, tidying: list[str]) -> None:
    repo.commit("a", {"a": "a"})
    folder = repo.path / ".git/objects/pack"
    kept = write_pack(folder, [make_blob(b"new")])
    repo.git(*tidying, "-q")
    assert repo.show(make_blob(b"new").oid.hex()) == b"new"
    kept.release()
    repo.git(*tidying, "-q")
    assert not kept.path.exists()
    assert ".keep" not in list_names(folder)


def test_what_is_left_of_the_dead_goes_and_what_the_living_keep_stays(tmp_path: Path) -> None:
    for name in ("whole", "half", "empty", "person"):
        (tmp_path / f"pack-{name}.pack").write_bytes(b"")
        (tmp_path / f"pack-{name}.keep").write_bytes(b"git-retcon\n")
    (tmp_path / "pack-whole.idx").write_bytes(b"")
    (tmp_path / "pack-empty.keep").write_bytes(b"")  # of ``touch``
    (tmp_path / "pack-person.keep").write_bytes(b"mine")
    alive = keep_pack(tmp_path / "pack-alive.pack")
    alive.path.write_bytes(b"")
    release_dead_packs(tmp_path)
    left = sorted(path.name for path in tmp_path.glob("pack-*"))
    assert left == [
        "pack-alive.keep", "pack-alive.pack", "pack-empty.keep", "pack-empty.pack",
        "pack-person.keep", "pack-person.pack", "pack-whole.idx", "pack-whole.pack",
    ]  # fmt: skip
    alive.release()
    assert not (tmp_path / "pack-alive.keep").exists()


@pytest.mark.parametrize("text", [b"mine", b""])
def test_a_person_who_keeps_a_pack_goes_on_keeping_it_and_nobody_waits(
    tmp_path: Path, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", pytest.fail)
    (tmp_path / "pack-a.keep").write_bytes(text)
    with (tmp_path / "pack-a.keep").open() as mine:
        fcntl.flock(mine, fcntl.LOCK_EX)
        keep_pack(tmp_path / "pack-a.pack").release()
    assert (tmp_path / "pack-a.keep").read_bytes() == text


def test_of_two_who_write_the_same_pack_the_first_keeps_it(tmp_path: Path) -> None:
    first, second = (keep_pack(tmp_path / "pack-a.pack") for _ in range(2))
    second.release()
    assert (tmp_path / "pack-a.keep").exists()
    first.release()
    assert [*tmp_path.glob("pack-*")] == []


def test_a_place_without_packs_has_none_of_the_dead(tmp_path: Path) -> None:
    release_dead_packs(tmp_path / "none")
    assert not (tmp_path / "none").exists()
