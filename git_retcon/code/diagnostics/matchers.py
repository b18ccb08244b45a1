"""Problem matchers: regular expressions in JSON that a workflow hands to the runner.

The form and its semantics are those of actions/runner (``IssueMatcher.cs``, and the rules for
issues in ``OutputManager.cs``). The expressions come from a repository, so they run in RE2, whose
time is linear in the line; one that RE2 does not know (a look-ahead, a back-reference) is refused.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    Severity,
    as_bytes,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.reports.json_values import (
    get_list,
    get_number,
    get_text,
)

_FIELDS = ("file", "fromPath", "line", "column", "severity", "code", "message")
_SEVERITIES = {
    "": Severity.ERROR,
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "notice": Severity.NOTE,
    "info": Severity.NOTE,
}
# A repository's own file: bounded, like everything that comes from one.
_LARGEST = 256 * 1024  # bytes of a file of matchers
# Enough for GitHub's own matchers; repeats inside repeats can ask for gigabytes.
_MOST_MEMORY = 8 << 20  # bytes of a compiled expression


class BadMatcher(ValueError):
    """The file of matchers is not what the runner would take; the text says why."""


class _Expression(Protocol):
    def search(self, text: str) -> "re.Match[str] | None": ...


class BytesExpression(Protocol):
    """A compiled expression of RE2, for bytes."""

    def search(self, text: bytes, pos: int) -> "re.Match[bytes] | None": ...


class Pattern(NamedTuple):
    """One line of a matcher: an expression, and which of its groups says what."""

    expression: _Expression
    groups: dict[str, int]
    loop: bool


class Matcher(NamedTuple):
    """The patterns of one owner. ``severity`` and ``from_path`` are used where none matched."""

    owner: str
    patterns: tuple[Pattern, ...]
    severity: str = ""
    from_path: str = ""


def read_matchers(content: bytes) -> tuple[Matcher, ...]:
    """The matchers of a file. Raises ``BadMatcher``."""
    if len(content) > _LARGEST:
        raise BadMatcher("the file is larger than 256 KB")
    try:
        value = json.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        raise BadMatcher(f"not JSON: {error}") from error
    found = tuple(_read_matcher(item) for item in get_list(value, "problemMatcher"))
    owners = [matcher.owner.lower() for matcher in found]
    if len(set(owners)) < len(owners):
        raise BadMatcher("two matchers have the same owner")
    return found


def _read_matcher(item: object) -> Matcher:
    owner = get_text(item, "owner")
    if not owner:
        raise BadMatcher("a matcher has no owner")
    severity = get_text(item, "severity")
    if severity.lower() not in _SEVERITIES:
        raise BadMatcher(f"severity {severity!r} of {owner} is unknown")
    patterns = tuple(_read_pattern(each, owner) for each in get_list(item, "pattern"))
    if not patterns:
        raise BadMatcher(f"{owner} has no pattern")
    # The runner's own rules: a loop elsewhere would never let a message end.
    if any(each.loop for each in patterns[:-1]) or (len(patterns) == 1 and patterns[0].loop):
        raise BadMatcher(f"only the last of several patterns of {owner} may loop")
    if not any("message" in each.groups for each in patterns):
        raise BadMatcher(f"no pattern of {owner} has a message")
    return Matcher(owner, patterns, severity, get_text(item, "fromPath"))


def _read_pattern(item: object, owner: str) -> Pattern:
    expression = _compile_expression(get_text(item, "regexp"), owner)
    groups = {}
    for field in _FIELDS:
        number = get_number(item, field)
        if number is not None:
            if number > getattr(expression, "groups", 99):
                raise BadMatcher(f"{owner} has no group {number} for {field}")
            groups[field] = number
    loop = isinstance(item, dict) and item.get("loop") is True
    return Pattern(expression, groups, loop)


def _compile_expression(text: str, owner: str) -> _Expression:
    if not text:
        raise BadMatcher(f"a pattern of {owner} has no regexp")
    import re2  # late: most steps register no matcher

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    # JavaScript's escape of a character by its number
    text = re.sub(r"\\u([0-9a-fA-F]{4})", r"\\x{\1}", text)
    try:
        compiled: _Expression = re2.compile(text, options)
    except re2.error as error:
        why = error.args[0] if error.args else ""
        text = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
        raise BadMatcher(f"the regexp of {owner} cannot be used: {text}") from error
    return compiled


class _MatcherState:
    """The state of one matcher: what its patterns before the last have matched so far."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self._state: list[dict[str, str] | None] = [None] * len(matcher.patterns)
        self._since = [0] * len(matcher.patterns)

    def reset(self) -> None:
        self._state = [None] * len(self._state)

    def match(self, line: str, at: int) -> tuple[dict[str, str], int] | None:
        """The fields of an issue that the line completes, and where it began."""
        patterns = self.matcher.patterns
        last = len(patterns) - 1
        for number in range(last, -1, -1):  # from the end, so that a line counts for one pattern
            before = self._state[number - 1] if number else {}
            if before is None:
                continue
            found = patterns[number].expression.search(line)
            if found is None:
                # A line that breaks the sequence also drops what it had matched so far.
                self._state[number - 1 if number == last and number else number] = None
                continue
            fields = {**before, **_read_fields(patterns[number], found)}
            since = self._since[number - 1] if number else at
            if number == last:
                self.reset()
                if patterns[number].loop:
                    self._state[number - 1] = before
                return fields, since
            self._state[number], self._since[number] = fields, since
        return None


def _read_fields(pattern: Pattern, found: "re.Match[str]") -> dict[str, str]:
    return {name: (found.group(group) or "").strip() for name, group in pattern.groups.items()}


def read_with_matchers(lines: Sequence[str], matchers: Sequence[Matcher]) -> Iterator[Diagnostic]:
    """The issues that the matchers find, in order; of several, the first in the list decides.

    The runner puts a matcher that is added later before the others.
    """
    running = [_MatcherState(matcher) for matcher in matchers]
    for at, line in enumerate(lines):
        text = line if line.isascii() else as_bytes(line).decode("utf-8", "replace")
        for each in running:
            found = each.match(text, at)
            if found is None:
                continue
            # As the runner: a line that one matcher took ends what the others had begun.
            for other in running:
                if other is not each:
                    other.reset()
            if (made := _make_diagnostic(each.matcher, *found, at)) is not None:
                yield made
            break


def _make_diagnostic(
    matcher: Matcher, fields: dict[str, str], since: int, at: int
) -> Diagnostic | None:
    """An issue; None where it has no message, or a severity that the runner does not know."""
    word = (fields.get("severity") or matcher.severity).lower()
    message = fields.get("message", "")
    if not message or word not in _SEVERITIES:
        return None
    file, origin = fields.get("file"), fields.get("fromPath") or matcher.from_path
    located = PlacedMessage(
        file,
        read_number(fields.get("line")),
        message,
        read_number(fields.get("column")),
        _SEVERITIES[word],
        _CATEGORIES.get(matcher.owner, Category.UNKNOWN),
        fields.get("code", ""),
        matcher.owner,
        since,
        at,
    )
    made = make_diagnostic(located)
    # "fromPath" names a project file; paths are relative to its folder.
    if origin and file and not file.startswith("/"):
        return made._replace(base=as_bytes(origin.rpartition("/")[0]))
    return made


_CATEGORIES = {
    "tsc": Category.TYPE_CHECK,
    "eslint-compact": Category.LINT,
    "eslint-stylish": Category.LINT,
    "python": Category.RUNTIME,
    "go": Category.COMPILE,
    "csc": Category.COMPILE,
    "javac": Category.COMPILE,
}
