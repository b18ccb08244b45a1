"""Hunks moved so that a block's own last line stays its last line.

Where a function's end and the next function come at once, a diff keeps the wrong one of two equal
closing lines: what it calls added then begins inside one definition and ends inside another, and
cannot be taken apart. The first such line that was added closes the block that the hunk begins in,
as the line behind the hunk did before; so these two are the same line, and the rest is whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from git_retcon.git.atoms import Hunk, Span

_CLOSES = re.compile(rb"[ \t]*(?:[})\]]+[;,]?|end|fi|done|esac)[ \t]*\r?\n")
_OPENING, _CLOSING = (b"(", b"[", b"{"), (b")", b"]", b"}")


def keep_block_ends(
    old: Sequence[bytes], new: Sequence[bytes], hunks: Iterable[Hunk]
) -> Iterator[Hunk]:
    """The hunks of a diff from ``old`` to ``new``, still one, in order. Linear in their lines."""
    for hunk in hunks:
        # The line behind the hunk is unchanged: if it closes nothing, there are no two closing
        # lines to mix up.
        a, b = hunk.old.stop, hunk.new.stop
        if a >= len(old) or b >= len(new) or not _CLOSES.fullmatch(old[a]):
            yield hunk
        elif (at := _find_equal(new, hunk.new)) is not None:
            yield from _drop_empty(
                Hunk(hunk.old, Span(hunk.new.start, at)),
                Hunk(Span(a + 1, a + 1), Span(at + 1, b + 1)),
            )
        elif (at := _find_equal(old, hunk.old)) is not None:
            yield from _drop_empty(
                Hunk(Span(hunk.old.start, at), hunk.new),
                Hunk(Span(at + 1, a + 1), Span(b + 1, b + 1)),
            )
        else:
            yield hunk


def _find_equal(lines: Sequence[bytes], span: Span) -> int | None:
    """The first line of the span that equals the one behind it, with a whole block after it."""
    last = lines[span.stop]
    at = next((at for at in range(span.start, span.stop) if lines[at] == last), None)
    # An unbalanced rest would leave a bracket open in one half of the hunk.
    if at is None or at + 1 == span.stop or _count_depth(lines[at + 1 : span.stop + 1]) != 0:
        return None
    return at


def _count_depth(lines: Iterable[bytes]) -> int:
    text = b"".join(lines)
    return sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))


def _drop_empty(*hunks: Hunk) -> Iterator[Hunk]:
    return (hunk for hunk in hunks if len(hunk.old) or len(hunk.new))
