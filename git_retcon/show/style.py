"""Colour where it is wanted, and text that is safe to print."""

import itertools
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, TextIO

from git_retcon.options import Output

# C0, DEL and C1 control characters, less tab and newline, and those that turn the direction of
# text: what hostile text could move the cursor, recolour the terminal or reorder a line with.
_CONTROL = frozenset(
    itertools.chain(
        range(0x09), range(0x0B, 0x20), range(0x7F, 0xA0), (0x61C, 0x200E, 0x200F),
        range(0x202A, 0x202F), range(0x2066, 0x206A),
    )
)  # fmt: skip


class Style(NamedTuple):
    """Paints for one stream, or leaves text alone."""

    on: bool

    def good(self, text: str) -> str:
        return self._paint_text("32", text)

    def bad(self, text: str) -> str:
        return self._paint_text("31", text)

    def warn(self, text: str) -> str:
        return self._paint_text("33", text)

    def title(self, text: str) -> str:
        return self._paint_text("1", text)

    def faint(self, text: str) -> str:
        return self._paint_text("2", text)

    def _paint_text(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[m" if self.on else text


def style_of(stream: TextIO, output: Output, setting: Callable[[str], str | None]) -> Style:
    """The style of a stream: ``--color`` beats NO_COLOR, which beats ``color.retcon``, which beats
    ``color.ui``. ``setting`` reads a key of git's configuration, and is asked only when it counts.
    """
    if output.color != "auto":
        return Style(output.color == "always")
    if os.environ.get("NO_COLOR"):
        return Style(False)
    configured = (setting("color.retcon") or setting("color.ui") or "auto").lower()
    if configured == "always":
        return Style(True)
    if configured in ("never", "false", "no", "off", "0"):
        return Style(False)
    return Style(os.environ.get("TERM", "dumb") != "dumb" and stream.isatty())


def printable(text: str) -> str:
    """Text with its control characters made visible, and encodable on any stream."""
    if text.isascii() and text.isprintable():
        return text
    visible = "".join(_escape_letter(each) if ord(each) in _CONTROL else each for each in text)
    return visible.encode("utf-8", "backslashreplace").decode("utf-8")


def _escape_letter(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shell_words(words: Sequence[str]) -> str:
    """A command as one line that can be pasted into a shell."""
    return " ".join(map(shell_word, words))


def shell_word(text: str) -> str:
    """Text as one word of a command that can be pasted into a shell."""
    word = shlex.quote(text)
    if printable(text) == text and "\n" not in text and "\t" not in text:
        return word
    escaped = "".join(f"\\{byte:03o}" for byte in text.encode("utf-8", "surrogateescape"))
    return f"\"$(printf '{escaped}')\""


def shorten(text: str, most: int) -> str:
    """At most so many characters of a text; a cut one ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def show_path(path: bytes) -> str:
    """A path as people read it; bytes that are not UTF-8 are escaped."""
    return (
        printable(path.decode("utf-8", "backslashreplace"))
        .replace("\n", "\\n")
        .replace("\t", "\\t")
    )


_COLUMNS = 100


def count_columns(stream: TextIO) -> int:
    """The width to wrap text to: that of the terminal, or else 100 columns."""
    try:
        # Programs such as "expect" give a terminal no size: 0 columns.
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except (ValueError, OSError):
        return _COLUMNS


def clip_text(text: str, columns: int) -> str:
    """Text of at most so many characters; what is left out is an ellipsis at the end."""
    return text if len(text) <= columns else text[: max(0, columns - 1)] + "…"


def write_line(stream: TextIO, text: str) -> None:
    """Print one line in the encoding of the stream."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def write_bytes(stream: TextIO, content: bytes) -> None:
    """Print bytes as they are, for a program; a stream of text alone gets them as text."""
    stream.flush()
    raw = getattr(stream, "buffer", None)
    if raw is None:
        stream.write(content.decode("utf-8", "surrogateescape"))
    else:
        raw.write(content)
        raw.flush()


def enable_windows_console() -> None:
    """Let an old Windows console understand colour; nothing elsewhere."""
    if sys.platform == "win32":
        import colorama

        colorama.just_fix_windows_console()
