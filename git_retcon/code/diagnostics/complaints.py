"""Every complaint in the output of a step, of any length: what ``git heal`` works on.

``build_failures.py`` asks less, for ``git retcon``: what breaks a build, and which names are
missing. Both use the same readers. Here the output is read as a stream: one pass looks for a few
literals, and only the lines around them reach the readers.
"""

import bisect
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Severity
from git_retcon.code.diagnostics.folders import NEEDLES, Folders
from git_retcon.code.diagnostics.hints import HintFinder
from git_retcon.code.diagnostics.kept_complaints import KeptComplaints
from git_retcon.code.diagnostics.labels import strip_labels
from git_retcon.code.diagnostics.line_index import LineIndex, index_lines
from git_retcon.code.diagnostics.matchers import BytesExpression, Matcher
from git_retcon.code.diagnostics.output_parts import split_parts
from git_retcon.code.diagnostics.passed_tests import find_passed_output
from git_retcon.code.diagnostics.readers import READERS, Reader, make_matcher_reader
from git_retcon.code.diagnostics.text import cut_lines, split_text, strip_prefixes
from git_retcon.code.diagnostics.workflow_commands import MARK, strip_mark

_BLOCK = 1024 * 1024  # bytes
_CONTEXT = 8 * 1024  # bytes between two blocks
_BEFORE = 5 * 512  # bytes before a sign: the heading of a section
_AFTER = 3 * 1024  # and after it: the stack, the advice
_BY_NAME = frozenset(reader.name for reader in READERS if reader.by_name)
# What these read is meant for GitHub, whoever prints it.
_BELIEVED = frozenset(("reports", "workflow commands", "matchers"))
_HINTS = HintFinder([
    *(literal for reader in READERS for literal in (*reader.hints, *reader.needles)),
    *NEEDLES,
])  # fmt: skip
_SMALL = 4 * _CONTEXT  # what is not longer is read whole

# One of these is on each line that tells of a complaint, or near it.
_SIGNS = (
    *("rror", "RROR", "arning", "FAIL", "ailed", "ailure", "panic", "xception", "Traceback"),
    *("not ok ", "::notice", "not found", "denied", "undefined", "ould reformat", "fatal"),
    *("xited with", "issing", "annot ", "ing directory ", " ● ", "Unknown word", " ==> "),
    # "____": pytest's heading, above all of a function's source
    *("not ", "Diff in ", "❯", "✖", "×", "____"),
    # a.py:3: and a.ts(3,5): the places that linters name without any such word
    r"[A-Za-z_]:[0-9]{1,7}[: \t\n]",
    r"[A-Za-z_]\([0-9]{1,7}[,)]",
    r"line [0-9]{1,7}[:.,]",
    r'"(?:severity|level|message)": ?"',
    "@@ -",
)


class Complaints(NamedTuple):
    """What an output says, in its order; ``cut`` is about how many more it says that are as grave
    as the gravest of these.
    """

    kept: tuple[Diagnostic, ...]
    cut: int


def extract_complaints(
    output: bytes, families: Collection[str] = (), matchers: Sequence[Matcher] = ()
) -> tuple[Diagnostic, ...]:
    """What the tools that printed this complain of, in the order of the output, each once.

    Any bytes are allowed. ``families`` names the readers that are asked; empty for all.
    ``matchers`` are the workflow's own, which are asked of every line. ``first`` and ``last`` of
    a record count the lines of the whole output.
    """
    return extract_stream((output,), families, matchers).kept


def extract_stream(
    chunks: Iterable[bytes], families: Collection[str] = (), matchers: Sequence[Matcher] = ()
) -> Complaints:
    """The same of output that comes in parts: memory is bounded by one block and the records.

    Once no record can be kept any more, lines that may be complaints are only counted.
    """
    readers = [each for each in READERS if _is_asked(each, families)]
    if matchers:
        # Surer than what we read from words, less sure than a report.
        readers.insert(2, make_matcher_reader(matchers))
    found = KeptComplaints()
    folders = Folders()
    for block in _split_blocks(chunks):
        if found.is_settled:
            # Reading would take minutes for a log of some 100,000 errors.
            found.add_unread(sum(1 for _ in _find_signs(block.text[block.core : block.end])))
            continue
        windows = ((0, len(block.text)),) if matchers else _find_windows(block.text)
        for each in _read_block(block, windows, readers, folders):
            found.add(each)
    return Complaints(tuple(_drop_echoes(found.list_kept(), found.repeated)), found.cut)


def _is_asked(reader: Reader, families: Collection[str]) -> bool:
    if reader.name in families or reader.always:
        return True
    return not reader.by_name and not set(families) - _BY_NAME


class _Block(NamedTuple):
    """Whole lines; records that begin before ``core`` or from ``end`` are another block's."""

    text: bytes
    start: int  # the number of the first line in the whole output
    core: int  # in bytes
    end: int


def _split_blocks(chunks: Iterable[bytes]) -> Iterator[_Block]:
    """The output in blocks, each with some lines of its neighbours."""
    text, start, core = b"", 0, 0
    for part in split_parts(chunks):
        text += part
        if len(text) < _BLOCK:
            continue
        # A record near the end may go on in the next block, which reads it again from its start.
        end = text.rfind(b"\n", 0, len(text) - _CONTEXT) + 1
        if end <= core:
            continue
        yield _Block(text, start, core, end)
        kept = text.rfind(b"\n", 0, max(0, end - _CONTEXT)) + 1
        start += text.count(b"\n", 0, kept)
        text, core = text[kept:], end - kept
    yield _Block(text, start, core, len(text) + 1)


def _read_block(
    block: _Block,
    windows: Iterable[tuple[int, int]],
    readers: Sequence[Reader],
    folders: Folders,
) -> Iterator[Diagnostic]:
    number, counted = 0, 0  # of lines, up to which byte
    core = block.text.count(b"\n", 0, block.core)
    for begin, until in windows:
        number += block.text.count(b"\n", counted, begin)
        counted = begin
        # The first line of the next block; behind a whole window, no line of it is.
        end = number + block.text.count(b"\n", begin, min(until, block.end)) + (until < block.end)
        window = split_text(block.text[begin:until])
        lines, known = strip_labels(cut_lines(strip_prefixes(window)))
        for each in folders.give(read_lines(lines, readers), lines, known):
            # Neighbouring blocks overlap: each record belongs to the one it begins in.
            if core <= number + each.first < end:
                offset = block.start + number
                yield each._replace(first=offset + each.first, last=offset + each.last)


def _find_windows(text: bytes) -> Iterator[tuple[int, int]]:
    """The whole lines around signs, as ranges of bytes; those that touch are one."""
    # Looking for signs would cost more than reading it.
    if len(text) <= _SMALL:
        yield 0, len(text)
        return
    begin = end = -1
    for sign in _find_signs(text):
        first = text.rfind(b"\n", 0, max(0, sign - _BEFORE)) + 1
        if end >= 0 and first > end:
            yield begin, end
            end = -1
        if end < 0:
            begin = first
        after = text.find(b"\n", sign + _AFTER)
        end = len(text) if after < 0 else after
    if end >= 0:
        yield begin, end


def _find_signs(text: bytes) -> Iterator[int]:
    """Where signs are, the first of each line."""
    pattern = _compile_signs()
    at = 0
    while (found := pattern.search(text, at)) is not None:
        yield found.start()
        # One sign a line is enough: the whole line is read anyhow.
        at = text.find(b"\n", found.end())
        if at < 0:
            return


@functools.cache
def _compile_signs() -> BytesExpression:
    """One automaton for all: re would try each at each byte."""
    import re2  # late: as in matchers.py

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    compiled: BytesExpression = re2.compile("|".join(_SIGNS).encode(), options)
    return compiled


def read_lines(lines: Sequence[str], readers: Sequence[Reader]) -> list[Diagnostic]:
    """What these lines say, in order. A line that a reader took is not read by those after it."""
    lines = index_lines(lines)  # what one reader looked for need not be looked for again
    hints = _HINTS.find(lines.text)
    lines.absent = _HINTS.list_absent(hints)
    printed = _strip_marks(lines)
    taken = bytearray(len(lines))
    passed = find_passed_output(lines)
    found: list[Diagnostic] = []
    vague: list[Diagnostic] = []  # with no place: what places the same line is surer
    for reader in readers:
        if "" in reader.hints or not hints.isdisjoint(reader.hints):
            read = reader.read(lines if reader.sees_marks else printed)
            fresh = [each for each in read if _is_free(each, taken)]
            if passed and reader.name not in _BELIEVED:
                fresh = [each for each in fresh if each.first not in passed]
            sure: list[Diagnostic] = []
            for each in fresh:
                is_sure = each.path or _is_sure(reader, lines[each.first])
                (sure if is_sure else vague).append(each)
            found += _take_lines(sure, taken)
    for each in vague:
        found += _take_lines([each] if _is_free(each, taken) else (), taken)
    found.sort(key=_find_position)
    return found


def _strip_marks(lines: LineIndex) -> LineIndex:
    """The lines as tools printed them: GitHub's runner marks each that a problem matcher fits."""
    if MARK not in lines.text:
        return lines
    printed = LineIndex(map(strip_mark, lines))
    printed.absent = lines.absent
    return printed


def _is_sure(reader: Reader, line: str) -> bool:
    """Whether a record with no place is one, also where other readers read its line otherwise."""
    return reader.always and not line.startswith(MARK)


def _is_free(each: Diagnostic, taken: bytearray) -> bool:
    return not taken[each.first] and not taken[each.last]


def _take_lines(fresh: Sequence[Diagnostic], taken: bytearray) -> Sequence[Diagnostic]:
    for each in fresh:
        taken[each.first : each.last + 1] = b"\1" * (each.last + 1 - each.first)
    return fresh


def _find_position(each: Diagnostic) -> tuple[int, int]:
    return each.first, each.last


def _drop_echoes(
    found: Sequence[Diagnostic], repeated: Set[tuple[str, str]]
) -> Iterator[Diagnostic]:
    """Drop what says again, with no place or a vaguer one, what another says, and what a program
    only logged where a runner of tests says which of them failed. ``repeated`` are the tools and
    rules of those that said the same at the same place as one that is kept.
    """
    placed = {_read_gist(each) for each in found if each.path and each.line}
    located = {_read_gist(each) for each in found if each.path}
    tests = {(each.tool, each.rule) for each in found if each.line and each.rule} | repeated
    starts = sorted(each.message for each in found if each.line)
    has_judge = any(each.line and each.rule and each.category is Category.TEST for each in found)

    def is_summed_up(each: Diagnostic) -> bool:
        """pytest's summary repeats the sections, with long messages cut off."""
        known = (each.tool, each.rule) in tests or _is_cut(each.message, starts)
        return each.tool == "pytest" and known

    for each in found:
        gist = _read_gist(each)
        if (each.path is None and gist in located) or (each.logged and has_judge):
            continue
        if each.line is None and each.path and (gist in placed or is_summed_up(each)):
            continue
        yield each


def _is_cut(message: str, starts: Sequence[str]) -> bool:
    if not message.endswith("..."):
        return False
    start = message.removesuffix("...").rstrip()
    at = bisect.bisect_left(starts, start)
    return at < len(starts) and starts[at].startswith(start)


def _read_gist(each: Diagnostic) -> tuple[str, Severity]:
    return each.message, each.severity
