"""Reports in JSON of single tools: whole documents, and one record a line.

Each form is known by its keys, so that a step need not say which tool made a file.
"""

from collections.abc import Callable, Iterator, Sequence

from git_retcon.code.diagnostics import javascript_tests
from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Edit,
    Kind,
    PlacedMessage,
    Severity,
    as_bytes,
    make_diagnostic,
    make_printable,
)
from git_retcon.code.diagnostics.reports.go_reports import read_golangci, read_staticcheck
from git_retcon.code.diagnostics.reports.json_values import (
    get,
    get_list,
    get_number,
    get_text,
    one_more,
)
from git_retcon.code.diagnostics.severities import read_severity
from git_retcon.code.diagnostics.text import split_text


def _make_diagnostic(
    path: str,
    line: int | None,
    column: int | None,
    message: str,
    rule: str,
    tool: str,
    severity: Severity = Severity.ERROR,
    category: Category = Category.LINT,
) -> Diagnostic:
    located = PlacedMessage(path or None, line, message, column, severity, category, rule, tool)
    return make_diagnostic(located)


def _read_ruff(item: object) -> Iterator[Diagnostic]:
    path, rule = get_text(item, "filename"), get_text(item, "code") or "invalid-syntax"
    edits = []
    safe = get_text(item, "fix", "applicability") == "safe"
    for edit in get_list(item, "fix", "edits") if safe else ():
        start, end = get(edit, "location"), get(edit, "end_location")
        numbers = [get_number(at, key) for at in (start, end) for key in ("row", "column")]
        if None not in numbers:
            edits.append(_read_edit(path, numbers, get_text(edit, "content")))
    made = _make_diagnostic(
        path,
        get_number(item, "location", "row"),
        get_number(item, "location", "column"),
        get_text(item, "message"),
        rule,
        "ruff",
        Severity.ERROR if rule.startswith(("F", "E9", "invalid")) else Severity.WARNING,
    )
    yield made._replace(
        end_line=get_number(item, "end_location", "row"),
        end_column=get_number(item, "end_location", "column"),
        suggestion=make_printable(get_text(item, "fix", "message")),
        edits=tuple(edits),
    )


def _read_edit(path: str, numbers: Sequence[int | None], text: str) -> Edit:
    start_line, start_column, end_line, end_column = (number or 0 for number in numbers)
    return Edit(as_bytes(path), start_line, start_column, end_line, end_column, text)


def _read_eslint(item: object) -> Iterator[Diagnostic]:
    path = get_text(item, "filePath")
    for message in get_list(item, "messages"):
        syntax = get(message, "fatal") is True
        made = _make_diagnostic(
            path,
            get_number(message, "line"),
            get_number(message, "column"),
            get_text(message, "message"),
            get_text(message, "ruleId"),
            "eslint",
            Severity.WARNING if get_number(message, "severity") == 1 else Severity.ERROR,
            Category.COMPILE if syntax else Category.LINT,
        )
        start, end = (get_number(message, "fix", "range", at) for at in (0, 1))
        fixed = start is not None and end is not None
        edit = _read_edit(path, (0, start, 0, end), get_text(message, "fix", "text"))
        yield made._replace(
            end_line=get_number(message, "endLine"),
            end_column=get_number(message, "endColumn"),
            suggestion=make_printable(get_text(message, "suggestions", 0, "desc")),
            edits=(edit,) if fixed else (),
        )


def _read_stylelint(item: object) -> Iterator[Diagnostic]:
    for warning in get_list(item, "warnings"):
        yield _make_diagnostic(
            get_text(item, "source"),
            get_number(warning, "line"),
            get_number(warning, "column"),
            get_text(warning, "text"),
            get_text(warning, "rule"),
            "stylelint",
            read_severity(get_text(warning, "severity")),
        )


def _read_pylint(item: object) -> Iterator[Diagnostic]:
    yield _make_diagnostic(
        get_text(item, "path"),
        get_number(item, "line"),
        one_more(get_number(item, "column")),
        get_text(item, "message"),
        get_text(item, "symbol"),
        "pylint",
        read_severity(get_text(item, "type")),
    )


def _read_shellcheck(item: object) -> Iterator[Diagnostic]:
    code = get_number(item, "code")
    made = _make_diagnostic(
        get_text(item, "file"),
        get_number(item, "line"),
        get_number(item, "column"),
        get_text(item, "message"),
        f"SC{code}" if code else get_text(item, "code"),
        "shellcheck" if code else "hadolint",
        read_severity(get_text(item, "level")),
    )
    yield made._replace(
        end_line=get_number(item, "endLine"), end_column=get_number(item, "endColumn")
    )


def _read_mypy(item: object) -> Iterator[Diagnostic]:
    if get_text(item, "severity") == "note":
        return
    made = _make_diagnostic(
        get_text(item, "file"),
        get_number(item, "line"),
        one_more(get_number(item, "column")),
        get_text(item, "message"),
        get_text(item, "code"),
        "mypy",
        read_severity(get_text(item, "severity")),
        Category.TYPE_CHECK,
    )
    yield made._replace(
        end_line=get_number(item, "end_line"),
        end_column=one_more(get_number(item, "end_column")),
        suggestion=make_printable(get_text(item, "hint")),
    )


def _read_code_climate(item: object) -> Iterator[Diagnostic]:
    begin = get_number(item, "location", "lines", "begin")
    yield _make_diagnostic(
        get_text(item, "location", "path"),
        begin or get_number(item, "location", "positions", "begin", "line"),
        get_number(item, "location", "positions", "begin", "column"),
        get_text(item, "description"),
        get_text(item, "check_name"),
        get_text(item, "engine_name"),
        read_severity(get_text(item, "severity")),
    )


def _read_pyright(item: object) -> Iterator[Diagnostic]:
    start, end = get(item, "range", "start"), get(item, "range", "end")
    made = _make_diagnostic(
        get_text(item, "file"),
        one_more(get_number(start, "line")),
        one_more(get_number(start, "character")),
        get_text(item, "message").replace("\n", " "),
        get_text(item, "rule"),
        "pyright",
        read_severity(get_text(item, "severity")),
        Category.TYPE_CHECK,
    )
    yield made._replace(
        end_line=one_more(get_number(end, "line")),
        end_column=one_more(get_number(end, "character")),
    )


def _read_reviewdog(item: object) -> Iterator[Diagnostic]:
    span = get(item, "location", "range")
    path = get_text(item, "location", "path")
    edits = []
    for suggestion in get_list(item, "suggestions"):
        numbers = [
            get_number(suggestion, "range", at, key)
            for at in ("start", "end")
            for key in ("line", "column")
        ]
        edits.append(_read_edit(path, numbers, get_text(suggestion, "text")))
    made = _make_diagnostic(
        path,
        get_number(span, "start", "line"),
        get_number(span, "start", "column"),
        get_text(item, "message"),
        get_text(item, "code", "value"),
        get_text(item, "source", "name"),
        read_severity(get_text(item, "severity")),
    )
    yield made._replace(
        end_line=get_number(span, "end", "line"),
        end_column=get_number(span, "end", "column"),
        edits=tuple(edits),
    )


def _read_rubocop(file: object) -> Iterator[Diagnostic]:
    for item in get_list(file, "offenses"):
        place = get(item, "location")
        yield _make_diagnostic(
            get_text(file, "path"),
            get_number(place, "start_line") or get_number(place, "line"),
            get_number(place, "start_column") or get_number(place, "column"),
            get_text(item, "message"),
            get_text(item, "cop_name"),
            "rubocop",
            read_severity(get_text(item, "severity")),
        )


def _read_semgrep(item: object) -> Iterator[Diagnostic]:
    if get(item, "test_id") is not None:  # bandit's, under the same key
        yield _make_diagnostic(
            get_text(item, "filename"),
            get_number(item, "line_number"),
            one_more(get_number(item, "col_offset")),
            get_text(item, "issue_text"),
            get_text(item, "test_id"),
            "bandit",
            read_severity(get_text(item, "issue_severity"), Severity.WARNING),
        )
        return
    yield _make_diagnostic(
        get_text(item, "path"),
        get_number(item, "start", "line"),
        get_number(item, "start", "col"),
        get_text(item, "extra", "message").partition("\n")[0],
        get_text(item, "check_id"),
        "semgrep",
        read_severity(get_text(item, "extra", "severity"), Severity.WARNING),
    )


def _read_jest(file: object) -> Iterator[Diagnostic]:
    path = get_text(file, "name")
    failed = [each for each in get_list(file, "assertionResults") if _read_status(each) == "failed"]
    for item in failed:
        text = get_text(item, "failureMessages", 0)
        place = javascript_tests.find_place(split_text(text.encode("utf-8", "replace")))
        where = place or (path, get_number(item, "location", "line"), None)
        message = text.strip().partition("\n")[0]
        title = get_text(item, "fullName") or get_text(item, "title")
        yield _make_diagnostic(*where, message, title, "jest", category=Category.TEST)._replace(
            kind=Kind.TEST
        )
    if not failed and _read_status(file) == "failed":
        message = get_text(file, "message").strip().partition("\n")[0]
        yield _make_diagnostic(path, None, None, message, path, "jest", category=Category.TEST)


def _read_status(item: object) -> str:
    return get_text(item, "status")


# A document is known by a key of its first item, or by the key that holds its items.
_LISTS: tuple[tuple[tuple[str, ...], Callable[[object], Iterator[Diagnostic]]], ...] = (
    (("filename", "location", "message"), _read_ruff),
    (("filePath", "messages"), _read_eslint),
    (("source", "warnings"), _read_stylelint),
    (("symbol", "message-id"), _read_pylint),
    (("file", "line", "code", "level"), _read_shellcheck),
    (("check_name", "location"), _read_code_climate),
    (("FromLinter", "Pos"), read_golangci),
    (("code", "location", "end", "message"), read_staticcheck),
    (("file", "line", "severity", "message"), _read_mypy),
)
_DOCUMENTS: tuple[tuple[str, Callable[[object], Iterator[Diagnostic]]], ...] = (
    ("generalDiagnostics", _read_pyright),
    ("Issues", read_golangci),
    ("comments", _read_shellcheck),
    ("diagnostics", _read_reviewdog),
    ("testResults", _read_jest),
    ("files", _read_rubocop),
    ("results", _read_semgrep),
)


def read_document(value: object) -> Iterator[Diagnostic]:
    """The records of a document; nothing where its form is unknown."""
    if isinstance(value, list):
        for item in value:
            yield from read_record(item)
        return
    for key, reader in _DOCUMENTS:
        if isinstance(get(value, key), list):
            for item in get_list(value, key):
                yield from reader(item)
            return


def read_record(item: object) -> Iterator[Diagnostic]:
    """One record of a list, or of a file with a record on each line."""
    if not isinstance(item, dict):
        return
    if get_text(item, "reason") == "compiler-message":
        yield from _read_rustc(get(item, "message"))
    elif get_text(item, "$message_type") == "diagnostic":
        yield from _read_rustc(item)
    elif isinstance(get(item, "location"), dict) and get(item, "location", "range") is not None:
        yield from _read_reviewdog(item)
    else:
        for keys, reader in _LISTS:
            if all(key in item for key in keys):
                yield from reader(item)
                return


def _read_rustc(message: object) -> Iterator[Diagnostic]:
    level = get_text(message, "level")
    spans = list(get_list(message, "spans"))
    span = next((each for each in spans if get(each, "is_primary") is True), None)
    if span is None:
        return  # "aborting due to 2 previous errors"
    rule = get_text(message, "code", "code")
    made = _make_diagnostic(
        get_text(span, "file_name"),
        get_number(span, "line_start"),
        get_number(span, "column_start"),
        get_text(message, "message"),
        rule,
        "rustc",
        read_severity(level),
        Category.LINT if rule.startswith("clippy::") else Category.COMPILE,
    )
    advice = [each for each in get_list(message, "children") if get_text(each, "level") == "help"]
    edits = [edit for each in advice for edit in _read_rust_edits(each)]
    yield made._replace(
        end_line=get_number(span, "line_end"),
        end_column=get_number(span, "column_end"),
        suggestion=make_printable(get_text(advice, 0, "message")),
        edits=tuple(edits),
    )


def _read_rust_edits(advice: object) -> Iterator[Edit]:
    """Only those that the compiler is sure of: others would change what the program does."""
    for span in get_list(advice, "spans"):
        if get_text(span, "suggestion_applicability") != "MachineApplicable":
            continue
        keys = ("line_start", "column_start", "line_end", "column_end")
        numbers = [get_number(span, key) for key in keys]
        text = get_text(span, "suggested_replacement")
        yield _read_edit(get_text(span, "file_name"), numbers, text)
