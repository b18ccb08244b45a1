"""Colour where it is wanted, and text that is safe to print."""

import enum
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

# C0, DEL and C1 control characters, less tab and newline, and those that turn the direction of
# text: what hostile text could move the cursor, recolour the terminal or reorder a line with.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class When(enum.Enum):
    """``--color=``."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Style:
    """Paints for one stream, or leaves text alone."""

    on: bool

    def good(self, text: str) -> str:
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        return self._paint("31", text)

    def warn(self, text: str) -> str:
        return self._paint("33", text)

    def title(self, text: str) -> str:
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        return self._paint("2", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[m" if self.on else text


def style_for(stream: TextIO, when: When, configured: str | None, env: Mapping[str, str]) -> Style:
    """The style of a stream.

    ``configured`` is ``color.retcon`` or ``color.ui``; NO_COLOR and TERM=dumb switch colour off
    unless ``--color=always`` asked for it.
    """
    if when is not When.AUTO:
        return Style(when is When.ALWAYS)
    if configured in ("always",):
        return Style(True)
    if configured in ("never", "false", "no", "off", "0"):
        return Style(False)
    if env.get("NO_COLOR") or env.get("TERM", "dumb") == "dumb":
        return Style(False)
    return Style(stream.isatty())


def printable(text: str) -> str:
    """Text with its control characters made visible, and encodable on any stream."""
    visible = _CONTROL.sub(_escaped, text)
    return visible.encode("utf-8", "backslashreplace").decode("utf-8")


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shell_word(text: str) -> str:
    """Text as one word of a command that can be pasted into a shell."""
    word = shlex.quote(text)
    if printable(text) == text and "\n" not in text and "\t" not in text:
        return word
    escaped = "".join(f"\\{byte:03o}" for byte in text.encode("utf-8", "surrogateescape"))
    return f"\"$(printf '{escaped}')\""


def show_path(path: bytes) -> str:
    """A path as people read it; bytes that are not UTF-8 are escaped."""
    return (
        printable(path.decode("utf-8", "backslashreplace"))
        .replace("\n", "\\n")
        .replace("\t", "\\t")
    )


def write_line(stream: TextIO, text: str) -> None:
    """Print one line, whatever encoding the stream has."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def enable_windows_console() -> None:
    """Let an old Windows console understand colour; nothing elsewhere."""
    if sys.platform == "win32":
        import colorama

        colorama.just_fix_windows_console()
