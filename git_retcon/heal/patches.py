"""A fix as a unified diff in git's own form, and back as contents.

Each file's header has the full ids of its blobs before and after: what does not have the first,
or would not become the second, is not touched.
"""

import io
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from git_retcon.files.beneath import File
from git_retcon.git.lines import split_lines
from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from unidiff.patch import Hunk, PatchedFile

_ABSENT = "0" * 40


class FileChange(NamedTuple):
    """One file going from ``old`` to ``new``; None is absence."""

    path: bytes
    old: File | None
    new: File | None

    @property
    def new_mode(self) -> bytes | None:
        """The mode of its entry in a tree, where a file gets another one; else None."""
        old, new = self.old, self.new
        # A file without permissions leaves them open: it has those that are there.
        if old is None or new is None or old.mode is None or new.mode is None:
            return None
        return new.git_mode if new.git_mode != old.git_mode else None


class WrongBase(Exception):
    """A file is not what a patch was made of; ``path`` is the first such."""

    def __init__(self, path: bytes) -> None:
        super().__init__(path)
        self.path = path


def write_patch(changes: Iterable[FileChange]) -> bytes:
    """The changes as ``git apply`` takes them."""
    return b"".join(map(_write_one, sorted(changes)))


def read_patch(patch: bytes, read: Callable[[bytes], File | None]) -> list[FileChange]:
    """The changes of a patch that ``write_patch`` made, to files as ``read`` gives them.

    Raises WrongBase where a file is not what the patch was made of.
    """
    return [_read_one(part, read) for part in _split_files(patch)]


def fit_patch(patch: bytes, read: Callable[[bytes], File | None]) -> list[FileChange]:
    """The changes of a patch that ``write_patch`` made, to files that may have changed since: each
    hunk where its lines are, if that is one place.

    Raises WrongBase where it is none, or several; and where a whole file came or went.
    """
    return [_fit_one(part, read) for part in _split_files(patch)]


def list_hunks(change: FileChange) -> list[bytes]:
    """The hunks of a change as a person reads them, each with its ``@@`` line."""
    parsed = _parse_file(_write_one(change))
    return [_encode_text(str(hunk)) for hunk in parsed] if parsed is not None else []


def take_hunks(change: FileChange, chosen: Collection[int]) -> FileChange:
    """The change with only some of its hunks, by their positions in ``list_hunks``."""
    parsed = _parse_file(_write_one(change))
    hunks = [hunk for at, hunk in enumerate(parsed or ()) if at in chosen]
    if parsed is None or len(hunks) == len(parsed):
        return change
    if change.old is None or change.new is None:
        return change._replace(new=change.old)  # of a whole file nothing stays without its parts
    content = _splice_hunks(change.old.content, hunks)
    return change._replace(new=File(content, change.new.mode))


def name_blob(content: bytes) -> str:
    """The id that git gives a content."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _write_one(change: FileChange) -> bytes:
    import pygit2

    old = change.old.content if change.old else b""
    new = change.new.content if change.new else b""
    name = change.path
    lines = [b"diff --git a/%s b/%s" % (name, name)]
    if change.old is None and change.new is not None:
        lines.append(b"new file mode %s" % change.new.git_mode)
    if change.new is None and change.old is not None:
        lines.append(b"deleted file mode %s" % change.old.git_mode)
    if change.new_mode is not None and change.old is not None:
        lines += [b"old mode %s" % change.old.git_mode, b"new mode %s" % change.new_mode]
    ids = [name_blob(file.content) if file else _ABSENT for file in (change.old, change.new)]
    lines.append(f"index {ids[0]}..{ids[1]}".encode())
    if change.new_mode is not None and ids[0] == ids[1]:
        return b"\n".join(lines) + b"\n"  # git takes no names of files where no hunk follows
    lines.append(b"--- a/%s" % name if change.old else b"--- /dev/null")
    lines.append(b"+++ b/%s" % name if change.new else b"+++ /dev/null")
    made = pygit2.Patch.create_from(old, new, flag=pygit2.enums.DiffOption.FORCE_TEXT).data or b""
    at = made.find(b"\n@@ ")
    return b"\n".join(lines) + b"\n" + (made[at + 1 :] if at >= 0 else b"")


def _split_files(patch: bytes) -> list[bytes]:
    mark = b"diff --git "
    parts = (b"\n" + patch).split(b"\n" + mark)[1:]
    return [mark + part + (b"" if part.endswith(b"\n") else b"\n") for part in parts]


def _read_one(part: bytes, read: Callable[[bytes], File | None]) -> FileChange:
    path, before, after = _read_head(part)
    old = read(path)
    if (name_blob(old.content) if old else _ABSENT) != before:
        raise WrongBase(path)
    if after == _ABSENT:
        return FileChange(path, old, None)
    parsed = _parse_file(part)
    content = _splice_hunks(old.content if old else b"", list(parsed or ()))
    if name_blob(content) != after:
        raise WrongBase(path)
    executable = b"\nnew file mode 100755\n" in part.split(b"\n@@ ", 1)[0]
    mode = old.mode if old else (0o755 if executable else None)
    return FileChange(path, old, _give_mode(part, File(content, mode)))


def _fit_one(part: bytes, read: Callable[[bytes], File | None]) -> FileChange:
    path, _, _ = _read_head(part)
    old, parsed = read(path), _parse_file(part)
    if old is None or parsed is None or b"\n--- /dev/null" in part or b"\n+++ /dev/null" in part:
        raise WrongBase(path)
    lines = list(split_lines(old.content))
    for hunk in reversed(parsed):
        before = [_encode_text(line.value) for line in hunk if line.is_context or line.is_removed]
        at = _find_block(lines, before)
        if at is None:
            raise WrongBase(path)
        lines[at : at + len(before)] = _target_lines(hunk)
    return FileChange(path, old, _give_mode(part, File(b"".join(lines), old.mode)))


def _give_mode(part: bytes, file: File) -> File:
    """A file with the mode that its part of a patch gives it."""
    head = part.split(b"\n@@ ", 1)[0].split(b"\n")
    mark = b"new mode "
    mode = next((line.removeprefix(mark) for line in head if line.startswith(mark)), None)
    return file if mode is None else file.with_git_mode(mode)


def _find_block(lines: Sequence[bytes], block: Sequence[bytes]) -> int | None:
    """Where some lines are, if that is one place; the last may lack its end."""
    wanted = [line.rstrip(b"\n") for line in block]
    have = [line.rstrip(b"\n") for line in lines]
    found = [at for at in range(len(have)) if have[at : at + len(wanted)] == wanted]
    return found[0] if block and len(found) == 1 else None


def _read_head(part: bytes) -> tuple[bytes, str, str]:
    """The path of a file's part of a patch, and the ids before and after."""
    head = part.split(b"\n@@ ", 1)[0].split(b"\n")
    ids = next(line for line in head if line.startswith(b"index "))[6:].decode("ascii")
    before, after = ids.split("..")
    half = (len(head[0]) - len(b"diff --git a/ b/")) // 2
    return head[0][len(b"diff --git a/") :][:half], before, after


def _parse_file(part: bytes) -> "PatchedFile | None":
    from unidiff.patch import PatchSet

    # Every byte stays what it is, and only "\n" ends a line, as git counts them.
    text = io.StringIO(part.decode("utf-8", "surrogateescape"), newline="\n")
    files = PatchSet(text)
    return files[0] if files else None


def _splice_hunks(old: bytes, hunks: Sequence["Hunk"]) -> bytes:
    lines = old.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    made: list[bytes] = []
    at = 0
    for hunk in hunks:
        # A hunk that removes nothing is numbered by the line before it.
        start = hunk.source_start - 1 if hunk.source_length else hunk.source_start
        made += ended[at:start]
        at = start + hunk.source_length
        made += _target_lines(hunk)
    return b"".join(made + ended[at:])


def _target_lines(hunk: "Hunk") -> list[bytes]:
    lines: list[bytes] = []
    last_is_kept = False
    for line in hunk:
        if line.line_type == "\\":  # "\ No newline at end of file" is about the line before it
            if last_is_kept and lines:
                lines[-1] = lines[-1].removesuffix(b"\n")
            continue
        last_is_kept = line.is_added or line.is_context
        if last_is_kept:
            value = _encode_text(line.value)
            lines.append(value if value.endswith(b"\n") else value + b"\n")
    return lines


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
