"""Several files are changed all or nothing, also when a step fails, and taken back whole."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.beneath import Beneath, File
from git_retcon.files.transaction import (
    Blobs,
    EditedSince,
    Journal,
    State,
    Step,
    change_files,
    find_edited,
    is_in,
    take_back,
)
from tests.files.crashing import Edit, Record, snapshot
from tests.program import CHECKOUT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src/a.txt").write_text("one\n")
    (tree / "README").write_text("hello\n")
    (tree / "README").chmod(0o600)
    (tree / "old.txt").write_text("old\n")
    (tree / "old.txt").chmod(0o751)
    return tree


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "state" / "blobs")


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "state")


def edits(tree: Path, wanted: Mapping[str, str | None]) -> list[Edit]:
    files = Beneath(tree)
    found = []
    for name, text in wanted.items():
        old = files.read(name.encode())
        mode = None if old is None else old.mode
        new = None if text is None else File(text.encode(), mode)
        found.append(Edit(name.encode(), old, new))
    return found


@pytest.fixture
def change(tree: Path, blobs: Blobs, record: Record) -> Callable[[Mapping[str, str | None]], None]:
    return lambda wanted: change_files(edits(tree, wanted), Beneath(tree), blobs, record)


@pytest.mark.slow
def test_a_fault_at_any_change_of_the_disk_leaves_all_or_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.files.crashing", str(tmp_path / "crash")],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["changes"] > 80
    assert found["undoing"] > 30
    assert found["wrong"] == []


def test_files_are_changed_made_and_removed_and_all_comes_back(
    tree: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    before = snapshot(tree)
    change({"README": "changed\n", "old.txt": None, "a/b/c": "x\n", "a/b/d": ""})
    assert (tree / "README").read_text() == "changed\n"
    assert (tree / "README").stat().st_mode & 0o777 == 0o600
    assert (tree / "a/b/c").read_text() == "x\n"
    assert not (tree / "old.txt").exists()
    phase, journal = record.read()
    assert phase == "done"
    assert journal.folders == (b"a", b"a/b")
    restored = take_back(journal, Beneath(tree), blobs)
    assert sorted(restored) == [b"README", b"a/b/c", b"a/b/d", b"old.txt"]
    assert snapshot(tree) == before
    assert take_back(journal, Beneath(tree), blobs) == []


def test_the_journal_is_kept_before_the_first_file_is_touched(
    tree: Path, blobs: Blobs, record: Record
) -> None:
    class Watched(Record):
        def begin(self, journal: Journal) -> None:
            assert snapshot(tree) == before
            assert [blobs.file(step.before) for step in journal.steps] == [
                File(b"hello\n", 0o600), None,
            ]  # fmt: skip
            assert [blobs.file(step.after) for step in journal.steps] == [
                File(b"x\n", 0o600), File(b"y\n", None),
            ]  # fmt: skip
            super().begin(journal)

        def finish(self) -> None:
            assert (tree / "n").read_text() == "y\n"
            super().finish()

    before = snapshot(tree)
    watched = Watched(record.path.parent)
    change_files(edits(tree, {"README": "x\n", "n": "y\n"}), Beneath(tree), blobs, watched)
    assert watched.read()[0] == "done"


def test_a_file_that_changed_after_it_was_read_stops_all(
    tree: Path, blobs: Blobs, record: Record
) -> None:
    wanted = edits(tree, {"n": "y\n", "README": "x\n"})
    (tree / "README").write_text("theirs\n")
    before = snapshot(tree)
    with pytest.raises(Fatal, match="nothing was changed: 'README' changed meanwhile"):
        change_files(wanted, Beneath(tree), blobs, record)
    assert snapshot(tree) == before
    assert record.read()[0] == ""


def test_a_disk_that_is_full_at_the_second_file_changes_nothing(
    tree: Path,
    record: Record,
    change: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = snapshot(tree)
    real, calls = os.replace, []

    def failing(*arguments: object, **options: object) -> None:
        if "src_dir_fd" in options:
            calls.append(arguments)
            if len(calls) == 2:
                raise OSError(28, "No space left on device")
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(Fatal, match="nothing was changed: No space left on device") as caught:
        change({"README": "x\n", "src/a.txt": "two\n", "n/m": "z\n"})
    assert caught.value.hint is not None
    assert snapshot(tree) == before
    assert record.read()[0] == "cancelled"


def test_a_record_that_cannot_be_finished_takes_all_back(
    tree: Path, blobs: Blobs, record: Record
) -> None:
    class Full(Record):
        def finish(self) -> None:
            raise Fatal("cannot write: no space left on device")

    before = snapshot(tree)
    full = Full(record.path.parent)
    with pytest.raises(Fatal, match=r"nothing was changed: .*no space left"):
        change_files(edits(tree, {"README": "x\n", "n/m": "z\n"}), Beneath(tree), blobs, full)
    assert snapshot(tree) == before
    assert full.read()[0] == "cancelled"


def test_a_link_that_appears_after_a_file_was_read_is_named_and_not_followed(
    tree: Path, tmp_path: Path, record: Record
) -> None:
    class Meddled(Blobs):
        def keep_file(self, file: File | None) -> State | None:
            if not (tree / "src").is_symlink():
                (tree / "src").rename(tmp_path / "theirs")
                (tree / "src").symlink_to(tmp_path / "theirs")
            return super().keep_file(file)

    wanted = edits(tree, {"src/a.txt": "two\n"})
    with pytest.raises(Fatal, match="nothing was changed: 'src' is a symbolic link"):
        change_files(wanted, Beneath(tree), Meddled(tmp_path / "blobs"), record)
    assert (tmp_path / "theirs/a.txt").read_text() == "one\n"
    assert record.read()[0] == ""


def test_edits_made_since_are_not_lost_unless_forced(
    tree: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    change({"README": "ours\n", "new": "ours\n"})
    (tree / "README").write_text("theirs\n")
    now = snapshot(tree)
    _, journal = record.read()
    with pytest.raises(EditedSince) as caught:
        take_back(journal, Beneath(tree), blobs)
    assert caught.value.paths == [b"README"]
    assert snapshot(tree) == now
    take_back(journal, Beneath(tree), blobs, force=True)
    assert (tree / "README").read_text() == "hello\n"
    assert not (tree / "new").exists()


def test_folders_that_hold_something_else_by_now_stay(
    tree: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    change({"made/by/us": "x\n", "gone/x": "x\n"})
    (tree / "made/theirs").write_text("y\n")
    take_back(record.read()[1], Beneath(tree), blobs)
    assert (tree / "made/theirs").read_text() == "y\n"
    assert not (tree / "made/by").exists()
    assert not (tree / "gone").exists()


def test_a_link_in_place_of_a_folder_is_not_followed(
    tree: Path, tmp_path: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    change({"made/x": "x\n"})
    (tree / "made").rename(tmp_path / "theirs")
    (tree / "made").symlink_to(tmp_path / "theirs")
    _, journal = record.read()
    with pytest.raises(EditedSince, match="made/x"):
        take_back(journal, Beneath(tree), blobs)
    with pytest.raises(Fatal, match="cannot put 'made/x' back: 'made' is a symbolic link"):
        take_back(journal, Beneath(tree), blobs, force=True)
    assert (tmp_path / "theirs/x").read_text() == "x\n"


def test_a_folder_that_went_meanwhile_is_made_again(
    tree: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    before = snapshot(tree)
    change({"src/a.txt": None})
    (tree / "src").rmdir()
    take_back(record.read()[1], Beneath(tree), blobs)
    assert snapshot(tree) == before


def test_staged_files_of_a_kill_are_removed(
    tree: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    change({"README": "ours\n", "n/m": "ours\n"})
    _, journal = record.read()
    take_back(journal, Beneath(tree), blobs)
    left = [path.name for path in tree.rglob(".git-retcon-*")]
    assert left == []
    (tree / "n").mkdir()
    for path in (b"README", b"n/m"):
        name = f".git-retcon-{hashlib.sha256(path).hexdigest()[:16]}.tmp"
        ((tree / path.decode()).parent / name).write_text("half")
    take_back(journal, Beneath(tree), blobs)
    assert not list(tree.rglob(".git-retcon-*"))
    assert not (tree / "n").exists()


def test_a_damaged_blob_is_not_written_back(
    tree: Path, tmp_path: Path, blobs: Blobs, record: Record, change: Callable[..., None]
) -> None:
    change({"README": "changed\n"})
    _, journal = record.read()
    state = journal.steps[0].before
    assert state is not None
    (tmp_path / "state/blobs" / state.blob).write_text("garbage")
    with pytest.raises(Fatal, match="is damaged"):
        take_back(journal, Beneath(tree), blobs)
    assert (tree / "README").read_text() == "changed\n"


def test_blobs_are_kept_once_and_forgotten_together(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    name = blobs.keep(b"x")
    assert blobs.keep(b"x") == name
    assert blobs.content(name) == b"x"
    assert blobs.keep_file(None) is None and blobs.file(None) is None
    blobs.forget()
    with pytest.raises(Fatal, match="cannot read"):
        blobs.content(name)
    (tmp_path / "file").write_text("")
    with pytest.raises(Fatal, match="cannot make"):
        Blobs(tmp_path / "file" / "blobs").keep(b"x")


def test_a_state_may_leave_permissions_open() -> None:
    name = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"  # of "x"
    assert is_in(State(name, None), File(b"x", 0o600))
    assert is_in(State(name, 0o600), File(b"x", 0o600))
    assert not is_in(State(name, 0o644), File(b"x", 0o600))
    assert not is_in(State(name, None), File(b"y", None))
    assert not is_in(None, File(b"x"))
    assert not is_in(State(name, None), None)
    assert is_in(None, None)


def test_what_is_neither_before_nor_after_is_somebodys_edit(tree: Path, blobs: Blobs) -> None:
    hello, other = blobs.keep_file(File(b"hello\n")), blobs.keep_file(File(b"other\n"))
    files = Beneath(tree)
    assert find_edited([Step(b"README", hello, other), Step(b"none", other, None)], files) == []
    assert find_edited([Step(b"README", other, hello)], files) == []
    assert find_edited([Step(b"README", other, None)], files) == [b"README"]
    assert find_edited([Step(b"src", other, None)], files) == [b"src"]


def test_contents_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "kept" / "blobs"
    name = Blobs(folder).keep(b"a secret")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / name).stat().st_mode & 0o777 == 0o600


def test_contents_that_nobody_needs_go_with_what_a_kill_left(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    one, two = blobs.keep(b"one"), blobs.keep(b"two")
    (tmp_path / "blobs" / f".{two}.abcdefgh.tmp").write_bytes(b"tw")
    blobs.forget_all_but([one])
    assert [path.name for path in (tmp_path / "blobs").iterdir()] == [one]
