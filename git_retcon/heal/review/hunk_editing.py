"""A hunk of a fix in the user's editor, as ``e`` of ``git add -p`` opens it."""

import os
import subprocess
import tempfile
from pathlib import Path

from git_retcon.files.beneath import File
from git_retcon.git.lines import split_lines
from git_retcon.git.process import repository_environment, run_git
from git_retcon.heal.patches import FileChange, list_hunks

_GUIDE = b"""\
# Lines that begin with '#' are removed. To leave out a '-' line, make its '-' a ' ';
# to leave out a '+' line, delete it. Other lines must stay as they are.
# An empty file leaves the hunk out.
"""


def edit_hunk(change: FileChange, at: int) -> FileChange | None:
    """The change with only this hunk, as its user edited it; None where it does not fit."""
    if change.old is None or change.new is None:
        return None
    hunk = list_hunks(change)[at]
    edited = _open_editor(hunk + _GUIDE)
    body = [line for line in split_lines(edited) if not line.startswith((b"#", b"@@"))]
    header = hunk.partition(b"\n")[0]
    content = replace_hunk(change.old.content, header, body)
    return None if content is None else change._replace(new=File(content, change.new.mode))


def replace_hunk(old: bytes, header: bytes, body: list[bytes]) -> bytes | None:
    """A content with the lines of one hunk in place of its own; None where these do not fit.

    ``header`` is the ``@@`` line, which says where; its counts may be wrong by now.
    """
    first = header.split(b" ")[1].removeprefix(b"-").partition(b",")
    start = int(first[0]) - (0 if first[2] == b"0" else 1)
    kept = [_strip_line_end(line) for line in body if line[:1] in (b" ", b"-", b"\n")]
    made = [_strip_line_end(line) for line in body if line[:1] in (b" ", b"+", b"\n")]
    lines = list(split_lines(old))
    there = lines[start : start + len(kept)]
    if not body or [line.rstrip(b"\n") for line in there] != [line.rstrip(b"\n") for line in kept]:
        return None
    return b"".join([*lines[:start], *made, *lines[start + len(kept) :]])


def _strip_line_end(line: bytes) -> bytes:
    # Editors drop the space of a line that is empty otherwise.
    return line if line == b"\n" else line[1:]


def _open_editor(content: bytes) -> bytes:
    said = run_git(["var", "GIT_EDITOR"], env=repository_environment())
    editor = said.stdout.decode("utf-8", "surrogateescape").strip() or "vi"
    with tempfile.TemporaryDirectory(prefix="git-heal-") as folder:
        path = Path(folder, "hunk.diff")
        path.write_bytes(content)
        # The editor is the user's own shell command, as git runs it.
        done = subprocess.run(["sh", "-c", f'{editor} "$@"', editor, os.fspath(path)], check=False)
        return path.read_bytes() if done.returncode == 0 else b""
