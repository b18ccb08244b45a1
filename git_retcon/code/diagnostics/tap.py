"""The Test Anything Protocol, as ``node --test`` speaks it: a failure is a block of YAML."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, read_number
from git_retcon.code.diagnostics.typescript import classify_thrown
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("not ok ",)

_FAILED = LazyPattern(r"^ *not ok \d+\b")
_FIELD = LazyPattern(r"^ *(?P<key>error|name|location): +(?P<quote>['\"]?)(?P<text>.*?)(?P=quote)$")
_FOLDED = ("|-", "|", ">-", ">")
_PLACE = LazyPattern(r"(?:file://)?(?P<path>/[^\s():']+):(?P<line>\d+):\d+\)?$")
_SUMMED_UP = LazyPattern(r"test failed$|\d+ subtests? failed$")  # said of a file or a suite
_LONGEST_BLOCK = 120  # lines


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the failed tests complain of, in order."""
    for at, line in enumerate(lines):
        if _FAILED.match(line):
            block = list(_block(lines, at + 1))
            if (found := _read_block(block)) is not None:
                last = min(at + 1 + len(block), len(lines) - 1)
                yield found._replace(category=Category.TEST, tool="tap", first=at, last=last)


def _block(lines: Sequence[str], at: int) -> Iterator[str]:
    if at >= len(lines) or lines[at].strip() != "---":
        return
    for line in lines[at + 1 : at + _LONGEST_BLOCK]:
        if line.strip() == "...":
            return
        yield line


def _read_block(block: Sequence[str]) -> Diagnostic | None:
    fields: dict[str, str] = {}
    for at, line in enumerate(block):
        if found := _FIELD.match(line):
            text = found["text"]
            if text in _FOLDED:
                text = next((below.strip() for below in block[at + 1 :] if below.strip()), "")
            fields.setdefault(found["key"], text)
    if _SUMMED_UP.match(fields.get("error", "test failed")):
        return None
    place = next(filter(None, map(_own_place, block)), None)
    path, row = (place["path"], read_number(place["line"])) if place else (None, None)
    return classify_thrown(fields.get("name", "Error"), fields["error"], path, row)


def _own_place(line: str) -> re.Match[str] | None:
    """A line of a stack (their form in YAML has no "at"), not of what node or a package is."""
    if "location:" in line or "node_modules/" in line:
        return None
    return _PLACE.search(line)
