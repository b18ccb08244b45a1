"""Show the difference an answer would make, as ``git diff`` prints and ``git apply`` reads it."""

import difflib
import stat
from collections.abc import Iterator, Sequence

from git_retcon.code_commit.verification import Change
from git_retcon.files.beneath import File
from git_retcon.show.style import Style, printable, show_path

_NO_NEWLINE = b"\\ No newline at end of file"


def show_difference(changes: Sequence[Change], style: Style) -> Iterator[str]:
    """The lines to print, path by path."""
    for change in sorted(changes, key=lambda change: change.path):
        name = show_path(change.path)
        old = change.old.content if change.old else b""
        new = change.new.content if change.new else b""
        yield style.title(f"diff --git a/{name} b/{name}")
        if change.old is None:
            yield style.title("new file mode 100644")
        if change.new is None:
            yield style.title(f"deleted file mode {_mode(change.old)}")
        if b"\0" in old or b"\0" in new:
            yield "Binary files differ"
            continue
        before = b"/dev/null" if change.old is None else f"a/{name}".encode()
        after = b"/dev/null" if change.new is None else f"b/{name}".encode()
        for line in difflib.diff_bytes(
            difflib.unified_diff, _lines(old), _lines(new), before, after, lineterm=b"\n"
        ):
            yield from _show_line(line, style)


def _mode(file: File | None) -> str:
    return "100755" if file and file.mode and file.mode & stat.S_IXUSR else "100644"


def _lines(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _show_line(line: bytes, style: Style) -> Iterator[str]:
    text = printable(line.removesuffix(b"\n").decode("utf-8", "backslashreplace"))
    if line.startswith((b"---", b"+++")):
        yield style.title(text)
    elif line.startswith(b"+"):
        yield style.good(text)
    elif line.startswith(b"-"):
        yield style.bad(text)
    else:
        yield style.faint(text) if line.startswith(b"@@") else text
    if not line.endswith(b"\n"):
        yield _NO_NEWLINE.decode()
