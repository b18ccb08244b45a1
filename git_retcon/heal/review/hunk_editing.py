"""A hunk of a fix in the user's editor, as ``e`` of ``git add -p`` opens it."""

from collections.abc import Sequence

from git_retcon.files.beneath import File
from git_retcon.git.lines import split_lines
from git_retcon.heal.patches import FileChange, list_hunks
from git_retcon.run.editor import edit_text

# Editors drop the space of a line that is empty otherwise.
_SIGNS = (b" ", b"+", b"-", b"\\", b"\n")
_GUIDE = b"""\
# Lines that begin with '#' are removed. To leave out a '-' line, make its '-' a ' ';
# to leave out a '+' line, delete it. Other lines must stay as they are.
# An empty file leaves the hunk out.
"""


class BadEdit(Exception):
    """The editor left nothing that can be applied; its text says why."""


def edit_hunk(change: FileChange, at: int) -> bytes:
    """One hunk of a change as its user edited it, with its ``@@`` line; empty where it is left out.
    Raises BadEdit where the editor failed, or the hunk does not fit the file.
    """
    hunk = list_hunks(change)[at]
    edited = edit_text(hunk + _GUIDE, "hunk.diff")
    if edited is None:
        raise BadEdit("the editor failed")
    body = [line for line in split_lines(edited) if not line.startswith((b"#", b"@@"))]
    if not body:
        return b""
    header = hunk.partition(b"\n")[0] + b"\n"
    if replace_hunk(_read_old(change), header, body) is None:
        raise BadEdit("the edited hunk does not fit the file")
    return header + b"".join(body)


def join_hunks(change: FileChange, hunks: Sequence[bytes]) -> FileChange:
    """The change with these hunks, in their order, in place of its own; each fits the file."""
    content = _read_old(change)
    # From the last to the first: the lines before a hunk are then where its header says.
    for hunk in reversed(hunks):
        header, *body = split_lines(hunk)
        made = replace_hunk(content, header, body)
        assert made is not None, "each was asked whether it fits"
        content = made
    mode = change.new.mode if change.new else None
    return change._replace(new=File(content, mode))


def replace_hunk(old: bytes, header: bytes, body: Sequence[bytes]) -> bytes | None:
    """A content with the lines of one hunk in place of its own; None where these do not fit.

    ``header`` is the ``@@`` line, which says where; its counts may be wrong by now.
    """
    first = header.split(b" ")[1].removeprefix(b"-").partition(b",")
    # A line without a sign is of neither side: nothing would hold it to be a mistake.
    if not all(line.startswith(_SIGNS) for line in body):
        return None
    start = int(first[0]) - (0 if first[2] == b"0" else 1)
    kept = _take_side(body, b"-")
    made = _take_side(body, b"+")
    lines = list(split_lines(old))
    there = lines[start : start + len(kept)]
    if not body or [line.rstrip(b"\n") for line in there] != [line.rstrip(b"\n") for line in kept]:
        return None
    return b"".join([*lines[:start], *made, *lines[start + len(kept) :]])


def _read_old(change: FileChange) -> bytes:
    return change.old.content if change.old else b""


def _take_side(body: Sequence[bytes], sign: bytes) -> list[bytes]:
    """The lines of the file before (``-``) or after (``+``)."""
    found: list[bytes] = []
    is_last_ours = False
    for line in body:
        if line.startswith(b"\\"):  # "\ No newline at end of file" is about the line before it
            if is_last_ours:
                found[-1] = found[-1].removesuffix(b"\n")
            continue
        is_last_ours = line[:1] in (b" ", b"\n", sign)
        if is_last_ours:
            found.append(_strip_sign(line))
    return found


def _strip_sign(line: bytes) -> bytes:
    # Editors drop the space of a line that is empty otherwise.
    return line if line == b"\n" else line[1:]
