"""Show the difference an answer would make, as ``git diff`` prints and ``git apply`` reads it."""

import difflib
from collections.abc import Iterator, Sequence

from git_retcon.code_commit.verification import Change
from git_retcon.show.style import Style, printable

_NO_NEWLINE = b"\\ No newline at end of file\n"


def show_difference(changes: Sequence[Change], style: Style) -> Iterator[str]:
    """The lines for people, path by path: what a terminal would obey is made visible."""
    for line in _format_difference(changes):
        text = printable(line.strip(b"\n").decode("utf-8", "backslashreplace"))
        if line.startswith((b"diff ", b"new file ", b"deleted file ", b"---", b"+++")):
            yield style.title(text)
        elif line.startswith(b"+"):
            yield style.good(text)
        elif line.startswith(b"-"):
            yield style.bad(text)
        else:
            yield style.faint(text) if line.startswith(b"@@") else text


def make_patch(changes: Sequence[Change]) -> bytes:
    """The same for programs, every byte as it is."""
    return b"".join(_format_difference(changes))


def _format_difference(changes: Sequence[Change]) -> Iterator[bytes]:
    """The lines of the patch, each with its newline."""
    for change in sorted(changes, key=lambda change: change.path):
        before, after = _quote_path(b"a/" + change.path), _quote_path(b"b/" + change.path)
        old = change.old.content if change.old else b""
        new = change.new.content if change.new else b""
        yield b"diff --git %s %s\n" % (before, after)
        if change.old is None:
            yield b"new file mode 100644\n"
        if change.new is None and change.old is not None:
            yield b"deleted file mode %s\n" % change.old.git_mode
        # As git does; an answer in text can replace a binary file, but its lines say nothing.
        if b"\0" in old or b"\0" in new:
            yield b"Binary files differ\n"
            continue
        names = (
            b"/dev/null" if change.old is None else before,
            b"/dev/null" if change.new is None else after,
        )
        lines = difflib.diff_bytes(
            difflib.unified_diff, _split_lines(old), _split_lines(new), *names, lineterm=b"\n"
        )
        for line in lines:
            yield line
            if not line.endswith(b"\n"):
                yield b"\n" + _NO_NEWLINE


def _quote_path(path: bytes) -> bytes:
    """A path as git writes it in a difference: in quotation marks where a byte needs them."""
    if all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in path):
        return path
    escaped = b"".join(
        bytes([byte]) if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte
        for byte in path
    )
    return b'"' + escaped + b'"'


def _split_lines(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
