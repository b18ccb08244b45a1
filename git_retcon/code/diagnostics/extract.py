"""Every complaint in the output of a step, of any length: what ``git heal`` works on.

``read.py`` asks less, for ``git retcon``: what breaks a build, and which names are missing.
Both use the same readers. Here the output is read as a stream: one pass looks for a few literals,
and only the lines around them reach the readers.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Severity
from git_retcon.code.diagnostics.folders import Folders
from git_retcon.code.diagnostics.matchers import Matcher
from git_retcon.code.diagnostics.readers import READERS, Reader, matching_reader
from git_retcon.code.diagnostics.text import cut_line, split_text, without_prefixes

_BLOCK = 1024 * 1024  # bytes
_CONTEXT = 120  # lines around a sign, and between two blocks
_MOST = 10_000
_LONGEST_LINE = 64 * 1024

# One of these is on each line that tells of a complaint, or near it. They are looked for in all
# of the output, so they are few, and words that a peaceful log rarely has.
_SIGNS = tuple(
    sign.encode()
    for sign in (
        "rror",
        "RROR",
        "arning",
        "FAIL",
        "ailed",
        "ailure",
        "panic",
        "xception",
        "Traceback",
        "not ok ",
        "::notice",
        "not found",
        "denied",
        "undefined",
        " ● ",
        "would reformat",
        "fatal",
        "xited with",
        "missing",
        "cannot ",
        "annot find",
        "ing directory ",
    )
)
# main.py:3: , main.ts(3,5), [12,3]: the places that linters name without any such word
_PLACE = re.compile(rb"[:(\[]\d{1,7}(?:[:,]\d{1,7})?[:)\] ]")


def extract(
    output: bytes, families: Collection[str] = (), matchers: Sequence[Matcher] = ()
) -> tuple[Diagnostic, ...]:
    """What the tools that printed this complain of, in the order of the output, each once.

    Any bytes are allowed. ``families`` names the readers that are asked; empty for all.
    ``matchers`` are the workflow's own, which are asked of every line. ``first`` and ``last`` of
    a record count the lines of the whole output.
    """
    return extract_stream((output,), families, matchers)


def extract_stream(
    chunks: Iterable[bytes], families: Collection[str] = (), matchers: Sequence[Matcher] = ()
) -> tuple[Diagnostic, ...]:
    """The same of output that comes in pieces: memory is bounded by one block and the records."""
    readers = [each for each in READERS if not families or each.name in families or each.always]
    if matchers:
        # Surer than what we read from words, less sure than a report.
        readers.insert(2, matching_reader(matchers))
    found: list[Diagnostic] = []
    seen: set[tuple[object, ...]] = set()
    folders = Folders()
    for block in _blocks(chunks):
        windows = ((0, len(block.lines)),) if matchers else _find_windows(block.lines)
        for each in _read_block(block, windows, readers, folders):
            key = (each.path, each.line, each.column, each.message, each.base)
            if key not in seen and len(found) < _MOST:
                seen.add(key)
                found.append(each)
    return tuple(_without_echoes(found))


class _Block(NamedTuple):
    """Some lines; records that begin before ``core`` or from ``end`` are another block's."""

    lines: Sequence[bytes]
    start: int  # the number of the first line in the whole output
    core: int
    end: int


def _blocks(chunks: Iterable[bytes]) -> Iterator[_Block]:
    """The output in blocks of whole lines, each with some lines of its neighbours."""
    lines: list[bytes] = []
    start, core, size = 0, 0, 0
    for line in _lines(chunks):
        lines.append(line)
        size += len(line) + 1
        if size < _BLOCK or len(lines) < 4 * _CONTEXT:
            continue
        end = len(lines) - _CONTEXT
        yield _Block(lines, start, core, end)
        kept = end - _CONTEXT
        lines, start, core = lines[kept:], start + kept, _CONTEXT
        size = sum(map(len, lines)) + len(lines)
    yield _Block(lines, start, core, len(lines))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, each no longer than 64 KiB: the rest of a longer one is dropped."""
    rest = b""
    for chunk in chunks:
        parts = chunk.split(b"\n")
        parts[0] = rest + parts[0]
        rest = parts.pop()[:_LONGEST_LINE]
        yield from parts
    yield rest


def _read_block(
    block: _Block,
    windows: Iterable[tuple[int, int]],
    readers: Sequence[Reader],
    folders: Folders,
) -> Iterator[Diagnostic]:
    for begin, end in windows:
        window = split_text(b"\n".join(line[:_LONGEST_LINE] for line in block.lines[begin:end]))
        lines = [cut_line(line) for line in without_prefixes(window)]
        for each in folders.give(read_lines(lines, readers), lines):
            first = begin + each.first
            if block.core <= first < block.end:
                offset = block.start + begin
                yield each._replace(first=offset + each.first, last=offset + each.last)


def _find_windows(lines: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """The ranges of lines that hold signs, with the lines around them."""
    if len(lines) <= 4 * _CONTEXT:
        yield 0, len(lines)
        return
    text = b"\n".join(line[:_LONGEST_LINE] for line in lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + min(len(line), _LONGEST_LINE) + 1)
    begin = end = 0
    for at in sorted(_signs(text, starts)):
        if at - _CONTEXT > end:
            if end:
                yield begin, end
            begin = at - _CONTEXT
        end = min(len(lines), at + _CONTEXT)
    if end:
        yield max(0, begin), end


def _signs(text: bytes, starts: Sequence[int]) -> set[int]:
    """The lines with a sign. After one, the search goes on at the line's end."""
    found: set[int] = set()
    for sign in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            line = bisect_left(starts, at + 1) - 1
            found.add(line)
            at = text.find(sign, starts[line + 1])
    for match in _PLACE.finditer(text):
        found.add(bisect_left(starts, match.start() + 1) - 1)
    return found


def read_lines(lines: Sequence[str], readers: Sequence[Reader] = READERS) -> list[Diagnostic]:
    """What these lines say, in order. A line that a reader took is not read by those after it."""
    text = "\n".join(lines)
    taken = bytearray(len(lines))
    found: list[Diagnostic] = []
    vague: list[Diagnostic] = []  # with no place: what places the same line is surer
    for reader in readers:
        if any(hint in text for hint in reader.hints):
            fresh = [each for each in reader.read(lines) if _is_free(each, taken)]
            placed = [each for each in fresh if each.path or reader.always]
            vague += [each for each in fresh if not (each.path or reader.always)]
            found += _take(placed, taken)
    for each in vague:
        found += _take([each] if _is_free(each, taken) else (), taken)
    found.sort(key=_position)
    return found


def _is_free(each: Diagnostic, taken: bytearray) -> bool:
    return not taken[each.first] and not taken[each.last]


def _take(fresh: Sequence[Diagnostic], taken: bytearray) -> Sequence[Diagnostic]:
    for each in fresh:
        taken[each.first : each.last + 1] = b"\1" * (each.last + 1 - each.first)
    return fresh


def _position(each: Diagnostic) -> tuple[int, int]:
    return each.first, each.last


def _without_echoes(found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Drop what says again, with no place or a vaguer one, what another says."""
    placed = {_gist(each) for each in found if each.path and each.line}
    located = {_gist(each) for each in found if each.path}
    tests = {(each.tool, each.rule) for each in found if each.line and each.rule}
    starts = sorted(each.message for each in found if each.line)

    def is_summed_up(each: Diagnostic) -> bool:
        """pytest's summary repeats the sections, with long messages cut off."""
        known = (each.tool, each.rule) in tests or _is_cut(each.message, starts)
        return each.tool == "pytest" and known

    for each in found:
        gist = _gist(each)
        if each.path is None and gist in located:
            continue
        if each.line is None and each.path and (gist in placed or is_summed_up(each)):
            continue
        yield each


def _is_cut(message: str, starts: Sequence[str]) -> bool:
    if not message.endswith("..."):
        return False
    start = message.removesuffix("...").rstrip()
    at = bisect_left(starts, start)
    return at < len(starts) and starts[at].startswith(start)


def _gist(each: Diagnostic) -> tuple[str, Severity]:
    return each.message, each.severity
