"""Files as rows of text without their line ends, written back with those that the file has."""

from collections.abc import Sequence


def read_text(content: bytes) -> str:
    """The text of a file with plain line ends."""
    return content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def read_rows(content: bytes) -> list[str]:
    return read_text(content).split("\n")


def write_rows(rows: Sequence[str], like: bytes) -> bytes | None:
    """The rows with the line ends of a file; None where that mixes two sorts."""
    returns = like.count(b"\r\n")
    if returns not in (0, like.count(b"\n")):
        return None
    line_end = "\r\n" if returns else "\n"
    return line_end.join(rows).encode("utf-8", "surrogateescape")
