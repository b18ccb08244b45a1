"""The fixes so far: what they make of the files of the state, and the way back."""

from typing import Any, cast

from git_retcon.files.beneath import File
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.patches import FileChange

A, B = File(b"a\n", 0o755), File(b"b\n", 0o644)


class Folder:
    """A worktree's files, in memory; ``base`` are those of the state."""

    def __init__(self, **base: File) -> None:
        self.base = {name.encode(): file for name, file in base.items()}
        self.files: dict[bytes, File | None] = dict(self.base)

    def read_base(self, path: bytes) -> File | None:
        return self.base.get(path)

    def write(self, path: bytes, file: File | None) -> None:
        self.files[path] = file


def open_draft(folder: Folder) -> Draft:
    return Draft(cast("Any", folder))


def test_a_change_is_in_the_worktree_and_keeps_the_mode() -> None:
    folder = Folder(a=A)
    draft = open_draft(folder)
    draft.write(b"a", b"new\n")
    draft.write(b"c", b"c\n")
    assert draft.changes == [
        FileChange(b"a", A, File(b"new\n", 0o755)), FileChange(b"c", None, File(b"c\n", 0o644)),
    ]  # fmt: skip
    assert folder.files[b"a"] == draft.read(b"a") == File(b"new\n", 0o755)


def test_what_is_as_it_was_is_no_change() -> None:
    draft = open_draft(Folder(a=A))
    draft.write(b"a", b"new\n")
    draft.write(b"a", b"a\n")
    draft.write(b"c", None)
    assert draft.changes == []


def test_the_way_back_is_to_the_files_that_were_kept_and_no_others() -> None:
    folder = Folder(a=A, b=B)
    draft = open_draft(folder)
    draft.write(b"a", b"1\n")
    kept = draft.keep()
    draft.write(b"a", b"2\n")
    draft.write(b"b", None)
    draft.write(b"c", b"c\n")
    assert draft.list_since(kept) == [b"a", b"b", b"c"]
    draft.go_back(kept, [b"a", b"c"])
    assert draft.list_since(kept) == [b"b"]
    assert folder.files == {b"a": File(b"1\n", 0o755), b"b": None, b"c": None}


def test_all_can_be_written_again() -> None:
    folder = Folder(a=A)
    draft = open_draft(folder)
    draft.write(b"a", b"1\n")
    folder.files[b"a"] = A
    draft.write_all()
    assert folder.files[b"a"] == File(b"1\n", 0o755)
