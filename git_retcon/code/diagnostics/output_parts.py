"""Output of any size as parts of whole lines, none of them longer than anybody reads."""

from collections.abc import Iterable, Iterator

LONGEST_LINE = 64 * 1024  # bytes
_LARGEST_PART = 1024 * 1024


def split_parts(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks in parts that end with a line; of a longer line, its first 64 KiB.

    A carriage return ends a line, too: it is where a progress bar begins again.
    """
    rest = b""
    for chunk in chunks:
        for at in range(0, len(chunk), _LARGEST_PART):
            part, held = _unify_ends(rest + chunk[at : at + _LARGEST_PART])
            cut = part.rfind(b"\n") + 1
            if cut:
                yield _cut_lines(part[:cut])
            # A dump without an end must not fill the memory.
            rest = part[cut:][:LONGEST_LINE] + held
    if rest:
        yield rest.replace(b"\r", b"\n")


def _unify_ends(part: bytes) -> tuple[bytes, bytes]:
    """The part with line feeds alone, and its last byte where that may be half of an end."""
    if b"\r" not in part:
        return part, b""
    held = b"\r" if part.endswith(b"\r") else b""
    whole = part[: len(part) - len(held)]
    return whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), held


def _cut_lines(part: bytes) -> bytes:
    """The part with its long lines cut. Looks at one byte in thousands where there are none."""
    kept: list[bytes] = []
    begin = at = 0
    while len(part) - at > LONGEST_LINE:
        end = part.rfind(b"\n", at, at + LONGEST_LINE + 1)
        if end >= 0:
            at = end + 1
            continue
        kept.append(part[begin : at + LONGEST_LINE])
        begin = at = part.index(b"\n", at + LONGEST_LINE)
    return b"".join([*kept, part[begin:]]) if kept else part
