"""SARIF 2.1.0 (OASIS): results with places, and the fixes that a tool proposes."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Edit,
    PlacedMessage,
    Severity,
    as_bytes,
    make_diagnostic,
    make_printable,
)
from git_retcon.code.diagnostics.reports.json_values import get, get_list, get_number, get_text
from git_retcon.code.diagnostics.severities import read_severity

_TYPE_CHECKERS = ("mypy", "pyright", "tsc", "flow", "psalm", "phpstan")


def is_sarif(value: object) -> bool:
    """Whether a JSON value is a SARIF log."""
    return isinstance(get(value, "runs"), list) and isinstance(get(value, "version"), str)


def read_sarif(value: object) -> Iterator[Diagnostic]:
    """The results of all runs that are neither suppressed nor absent, in order."""
    for run in get_list(value, "runs"):
        tool = get_text(run, "tool", "driver", "name")
        rules = list(get_list(run, "tool", "driver", "rules"))
        by_id = {get_text(rule, "id"): rule for rule in rules}
        bases = get(run, "originalUriBaseIds")
        for result in get_list(run, "results"):
            if _is_counted(result):
                index = get_number(result, "ruleIndex")
                name = get_text(result, "ruleId") or get_text(result, "rule", "id")
                # By name first: an index may point into an extension's own list of rules.
                rule = by_id.get(name) or (get(rules, index) if index is not None else None)
                yield _read_result(result, rule, name or get_text(rule, "id"), tool, bases)


def _is_counted(result: object) -> bool:
    if get_text(result, "kind") not in ("", "fail", "open", "review"):
        return False
    # Absent: found by an earlier run, and gone now.
    if get_text(result, "baselineState") == "absent":
        return False
    suppressions = get_list(result, "suppressions")
    # A suppression counts once it is accepted; without a status it is.
    return all(get_text(each, "status") in ("rejected", "underReview") for each in suppressions)


def _read_result(result: object, rule: object, name: str, tool: str, bases: object) -> Diagnostic:
    place = get(result, "locations", 0, "physicalLocation")
    region = get(place, "region")
    level = get_text(result, "level") or get_text(rule, "defaultConfiguration", "level")
    located = PlacedMessage(
        _read_uri(get(place, "artifactLocation"), bases),
        get_number(region, "startLine"),
        _read_message(result, rule).partition("\n")[0],
        get_number(region, "startColumn"),
        read_severity(level, Severity.WARNING),
        Category.TYPE_CHECK if tool.lower() in _TYPE_CHECKERS else Category.LINT,
        name,
        tool,
    )
    return make_diagnostic(located)._replace(
        end_line=get_number(region, "endLine"),
        end_column=get_number(region, "endColumn"),
        stack=tuple(_read_stack(result, bases)),
        suggestion=make_printable(get_text(result, "fixes", 0, "description", "text")),
        edits=tuple(_read_edits(get(result, "fixes", 0), bases)),
    )


def _read_message(result: object, rule: object) -> str:
    text = get_text(result, "message", "text") or get_text(result, "message", "markdown")
    if not text:
        key = get_text(result, "message", "id")
        text = get_text(rule, "messageStrings", key, "text")
    arguments = [each for each in get_list(result, "message", "arguments") if isinstance(each, str)]
    return re.sub(r"\{(\d{1,3})\}", lambda found: _find_argument(arguments, found), text)


def _find_argument(arguments: list[str], found: re.Match[str]) -> str:
    number = int(found[1])
    # A placeholder without an argument stays as it is, braces and all.
    return arguments[number] if number < len(arguments) else found[0]


def _read_uri(location: object, bases: object) -> str | None:
    uri = unquote(get_text(location, "uri"), errors="surrogateescape")
    base = get_text(location, "uriBaseId")
    if base and isinstance(bases, Mapping) and "://" not in uri and not uri.startswith("/"):
        uri = unquote(get_text(bases.get(base), "uri"), errors="surrogateescape") + uri
    return uri.removeprefix("file://") or None


def _read_stack(result: object, bases: object) -> Iterator[str]:
    for frame in get_list(result, "stacks", 0, "frames"):
        place = get(frame, "location", "physicalLocation")
        uri = _read_uri(get(place, "artifactLocation"), bases) or "?"
        yield make_printable(f"{uri}:{get_number(place, 'region', 'startLine') or 0}")


def _read_edits(fix: object, bases: object) -> Iterator[Edit]:
    for change in get_list(fix, "artifactChanges"):
        path = _read_uri(get(change, "artifactLocation"), bases)
        for replacement in get_list(change, "replacements"):
            region = get(replacement, "deletedRegion")
            line = get_number(region, "startLine")
            if path is None or line is None:
                continue
            column = get_number(region, "startColumn") or 1
            yield Edit(
                as_bytes(path),
                line,
                column,
                get_number(region, "endLine") or line,
                get_number(region, "endColumn") or column,
                get_text(replacement, "insertedContent", "text"),
            )
