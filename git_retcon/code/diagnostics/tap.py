"""The Test Anything Protocol: a failure is a block of YAML, as node, vitest and eslint write it."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Severity,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.javascript_tests import find_place
from git_retcon.code.diagnostics.typescript_errors import classify_thrown
from git_retcon.code.diagnostics.typescript_errors import read_diagnostics as read_thrown
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("not ok ", "    ✖ ")

_FAILED = LazyPattern(
    r"^ *not ok(?: \d+)?(?: - | )?(?P<title>.*?)(?: # time=\S+)?(?P<group> \{)?"
    r"(?P<directive> # (?:TODO|SKIP|todo|skip)\b.*)?$"
)
_NUMBERED = LazyPattern(r"^ *not ok \d+\b")
_FIELD = LazyPattern(r"^ *(?P<key>error|name|location): +(?P<quote>['\"]?)(?P<text>.*?)(?P=quote)$")
_FOLDED = ("|-", "|", "|+", ">-", ">")
_PLACE = LazyPattern(r"(?:file://)?(?P<path>/[^\s():']+):(?P<line>\d+):(?P<column>\d+)\)?$")
_SUMMED_UP = LazyPattern(r"test failed$|\d+ subtests? failed$")  # said of a file or a suite
_FILE_FAILED = LazyPattern(r" *error: 'test failed'$")
_LONGEST_BLOCK = 120  # lines

_ANY_FIELD = LazyPattern(
    r"^ *(?:- )?(?P<key>message|name|at|line|column|ruleId|severity|file|fileName|lineNumber"
    r"|columnNumber): +"
    r"(?P<quote>['\"]?)(?P<text>.*?)(?P=quote)$"
)
# tape puts the function before: Test.<anonymous> (/home/ada/a.js:5:5).
_AT = LazyPattern(
    r"^(?:[^()\n]{0,200} \()?(?:file://)?(?P<path>[^\s:()][^:()]*):(?P<line>\d+)"
    r"(?::(?P<column>\d+))?\)?$"
)
_SPEC = LazyPattern(r"^ {4}✖ (?P<title>\S.*)$")
_RULE = LazyPattern(r"^ {4}-{5,}$")
_FILE_TITLE = LazyPattern(r"^\S+\.\w{1,5}$")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the failed tests complain of, in order."""
    for at, line in enumerate(lines):
        if _NUMBERED.match(line):
            block = list(_read_yaml(lines, at + 1))
            if (found := _read_block(block)) is not None:
                last = min(at + 1 + len(block), len(lines) - 1)
                yield found._replace(category=Category.TEST, tool="tap", first=at, last=last)


def read_all(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The same, and failures in other words than node's, or with none: each has its title."""
    known = {each.first: each for each in read_diagnostics(lines)}
    groups = _find_groups(lines)
    for at, line in enumerate(lines):
        if line.startswith("    ✖ ") and _RULE.match(lines[at + 1] if at + 1 < len(lines) else ""):
            yield _read_spec(lines, at)
        if "not ok" not in line or (found := _FAILED.match(line)) is None or found["directive"]:
            continue
        title = found["title"].strip()
        if at in known:
            yield known[at]._replace(rule=title)
        elif not found["group"] and at not in groups:
            yield from _read_other(lines, at, title)


def _find_groups(lines: Sequence[str]) -> Container[int]:
    """The failures that only sum up subtests, which stand further in above them."""
    groups: set[int] = set()
    inner: set[int] = set()  # how far in tests have failed since the last one further out
    for at, line in enumerate(lines):
        text = line.lstrip(" ")
        if text.startswith(("ok ", "not ok ")):
            depth = len(line) - len(text)
            failed = text.startswith("not")
            if failed and any(one > depth for one in inner):
                groups.add(at)
            inner = {one for one in inner if one <= depth} | ({depth} if failed else set())
    return groups


def _read_other(lines: Sequence[str], at: int, title: str) -> Iterator[Diagnostic]:
    """A failure whose block, if any, is not node's."""
    block = list(_read_yaml(lines, at + 1))
    last = min(at + 1 + len(block), len(lines) - 1) if block else at
    fields = _read_fields(block)
    if _is_group(block):
        return
    if any(map(_FILE_FAILED.match, block)) and (found := _read_comments(lines, at)) is not None:
        yield found._replace(rule=title, last=last)
        return
    if fields and "line" in fields[0] and _FILE_TITLE.match(title):
        for each in fields:
            yield _make_lint(each, title, at, last)
        return
    if not block and (found := _read_words(lines, at, title)) is not None:
        yield found
        return
    stack = next((at for at, line in enumerate(block) if line.strip().startswith("stack:")), 0)
    stacked = next(filter(None, map(_find_own_place, block[stack:])), None)
    yield _make_failure(fields[0] if fields else {}, title, at, last, stacked)


def _read_comments(lines: Sequence[str], at: int) -> Diagnostic | None:
    """What ended a file of tests before it could report any: node prints it in comments above."""
    first = at
    while first and lines[first - 1].startswith("#") and at - first < _LONGEST_BLOCK:
        first -= 1
    said = [line.removeprefix("#").removeprefix(" ") for line in lines[first:at]]
    found = next(read_thrown(said), None)
    return found._replace(first=first + found.first) if found is not None else None


def _read_spec(lines: Sequence[str], at: int) -> Diagnostic:
    """A failure as tap-spec prints it, for people: what the block says, without its marks."""
    title = _SPEC.sub(r"\g<title>", lines[at])
    end = next((end for end in range(at, len(lines)) if not lines[end]), len(lines))
    block = lines[at + 2 : min(end, at + _LONGEST_BLOCK)]
    return _make_failure((_read_fields(block) or [{}])[0], title, at, at + 1 + len(block))


def _make_failure(
    given: Mapping[str, str], title: str, at: int, last: int, stacked: re.Match[str] | None = None
) -> Diagnostic:
    """``stacked`` is the first own place of the stack below, for a block that names none."""
    place = _AT.match(given.get("at", "")) or (None if "fileName" in given else stacked)
    name, message = given.get("name", ""), given.get("message", "")
    located = PlacedMessage(
        place["path"] if place else given.get("fileName", given.get("file")),
        read_number(place["line"] if place else given.get("lineNumber", given.get("line"))),
        f"{name}: {message}" if name and message else message or title or "not ok",
        read_number(place["column"] if place else given.get("columnNumber", given.get("column"))),
        category=Category.TEST,
        rule=title,
        tool="tap",
        first=at,
        last=last,
    )
    return make_diagnostic(located, Kind.TEST)


def _read_words(lines: Sequence[str], at: int, title: str) -> Diagnostic | None:
    """mocha prints the message and the stack as they are, further in."""
    body: list[str] = []
    for line in lines[at + 1 : at + _LONGEST_BLOCK]:
        if line and not line.startswith(" ") and not body:
            break
        if line.startswith(("not ok", "ok ", "#", "1..")):
            break
        body.append(line)
    place = find_place(body)
    if place is None:
        return None
    message = next((line.strip() for line in body if line.strip()), title)
    located = PlacedMessage(
        place[0], place[1], message, place[2], category=Category.TEST, rule=title
    )
    located = located._replace(tool="tap", first=at, last=at + len(body))
    return make_diagnostic(located, Kind.TEST)


def _is_group(block: Sequence[str]) -> bool:
    """Whether it only sums up tests that are reported one by one: node's block says so."""
    return any(line.strip().startswith("failureType: 'subtestsFailed'") for line in block)


def _read_fields(block: Sequence[str]) -> list[dict[str, str]]:
    """The messages of a block, each with its place; eslint gives several."""
    found: list[dict[str, str]] = []
    for at, line in enumerate(block):
        field = _ANY_FIELD.match(line)
        if field is None:
            continue
        if not found or (field["key"] == "message" and "message" in found[-1]):
            found.append({})
        text = field["text"]
        if text in _FOLDED:
            text = next((below.strip() for below in block[at + 1 :] if below.strip()), "")
        found[-1].setdefault(field["key"], text.replace("''", "'"))
    return found


def _make_lint(fields: dict[str, str], path: str, at: int, last: int) -> Diagnostic:
    warns = fields.get("severity") == "warning"
    located = PlacedMessage(
        path,
        read_number(fields.get("line")),
        fields.get("message", ""),
        read_number(fields.get("column")),
        Severity.WARNING if warns else Severity.ERROR,
        Category.LINT,
        fields.get("ruleId", ""),
        "eslint",
        at,
        last,
    )
    return make_diagnostic(located)


def _read_yaml(lines: Sequence[str], at: int) -> Iterator[str]:
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
    place = next(filter(None, map(_find_own_place, block)), None)
    path, row = (place["path"], read_number(place["line"])) if place else (None, None)
    found_thrown = classify_thrown(fields.get("name", "Error"), fields["error"], path, row)
    return found_thrown._replace(column=read_number(place["column"]) if place else None)


def _find_own_place(line: str) -> re.Match[str] | None:
    """A line of a stack (their form in YAML has no "at"), not of what node or a package is."""
    if "location:" in line or "node_modules/" in line or "node:" in line:
        return None
    return _PLACE.search(line)
