"""``git allium check``: what is wrong with specifications, and where."""

import enum
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.language import Diagnostic, Severity, check, is_error, parse
from git_retcon.allium.language.source import Source
from git_retcon.allium.spec_files import SpecSet
from git_retcon.errors import Reason
from git_retcon.git.current_config import CurrentConfig
from git_retcon.options import Output
from git_retcon.show.annotations import Level, Remark, make_sarif, make_workflow_command
from git_retcon.show.counting import all_of, count
from git_retcon.show.envelope import DONE, FAILED, Ending, Failure
from git_retcon.show.excerpts import quote_line
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import Style, printable, show_path, style_of, write_line

NAME = "git-allium"


class LocatedDiagnostic(NamedTuple):
    """A diagnostic, and the file it is about."""

    diagnostic: Diagnostic
    source: Source


class Diagnosis(NamedTuple):
    """What was found in all files, how many there were, and which could not be read."""

    found: Sequence[LocatedDiagnostic]
    files: int
    skipped: Sequence[tuple[bytes, str]]

    def count(self, severity: Severity) -> int:
        """How many diagnostics are of one severity."""
        return sum(each.diagnostic.severity is severity for each in self.found)


class Form(enum.Enum):
    """How diagnostics are printed: for people, GitHub's workflow log, or code scanning."""

    TEXT = "text"
    GITHUB = "github"
    SARIF = "sarif"


def check_specs(sets: Sequence[SpecSet], form: Form, output: Output) -> Ending:
    """Check every set and print the diagnostics. A failure where one of them is an error."""
    diagnosis = diagnose(sets)
    if not output.json:
        for line in _list_lines(diagnosis.found, form, output):
            write_line(sys.stdout, line)
        sys.stdout.flush()  # the counts on standard error come last
    report_skipped(diagnosis.skipped)
    if not (output.json or output.quiet):
        say_line(summarize(diagnosis))
    return _make_ending(diagnosis)


def diagnose(sets: Iterable[SpecSet]) -> Diagnosis:
    """Check each set by itself."""
    found: list[LocatedDiagnostic] = []
    files = 0
    skipped: list[tuple[bytes, str]] = []
    for each in sets:
        documents = {file.path: parse(file.data, file.path) for file in each.files}
        for diagnostic in check(documents.values()):
            found.append(LocatedDiagnostic(diagnostic, documents[diagnostic.file].source))
        files += len(documents)
        skipped += each.skipped
    return Diagnosis(found, files, skipped)


def report_skipped(skipped: Iterable[tuple[bytes, str]]) -> None:
    """Warn of what could not be read."""
    for path, why in skipped:
        say("warning", f"'{show_path(path)}' is skipped: {why}")


def summarize(diagnosis: Diagnosis) -> str:
    """ "2 errors and 1 warning in 3 files"."""
    if not diagnosis.files:
        return "there is no *.allium file"
    numbers = (
        (diagnosis.count(Severity.ERROR), "error"),
        (diagnosis.count(Severity.WARNING), "warning"),
        (diagnosis.count(Severity.INFO), "info"),
    )
    parts = [count(number, noun) for number, noun in numbers if number] or ["no errors"]
    return f"{all_of(parts)} in {count(diagnosis.files, 'file')}"


def _list_lines(found: Sequence[LocatedDiagnostic], form: Form, output: Output) -> Iterator[str]:
    if form is Form.TEXT:
        return _describe_diagnostics(found, style_of(sys.stdout, output, CurrentConfig().get))
    remarks = (_make_remark(each) for each, _ in found)
    if form is Form.GITHUB:
        return (make_workflow_command(remark) for remark in remarks)
    return iter([make_sarif(NAME, remarks)])


def _make_remark(diagnostic: Diagnostic) -> Remark:
    file, line, column, severity, message, code = diagnostic
    return Remark(file, line, column, Level[severity.name], message, code)


def _describe_diagnostics(found: Iterable[LocatedDiagnostic], style: Style) -> Iterator[str]:
    paint = {
        Severity.ERROR: style.bad,
        Severity.WARNING: style.warn,
        Severity.INFO: style.faint,
    }
    for diagnostic, source in found:
        place = f"{show_path(diagnostic.file)}:{diagnostic.line}:{diagnostic.column}:"
        severity = paint[diagnostic.severity](f"{diagnostic.severity}:")
        code = style.faint(f"[{diagnostic.code}]")
        yield f"{style.title(place)} {severity} {printable(diagnostic.message)} {code}"
        yield from quote_line(source.read_line(diagnostic.line), diagnostic.column)


def _make_ending(diagnosis: Diagnosis) -> Ending:
    data = {
        "files": diagnosis.files,
        "errors": diagnosis.count(Severity.ERROR),
        "warnings": diagnosis.count(Severity.WARNING),
        "infos": diagnosis.count(Severity.INFO),
        "diagnostics": [
            {
                "file": show_path(each.file),
                "line": each.line,
                "column": each.column,
                "severity": each.severity.value,
                "message": each.message,
            }
            for each, _ in diagnosis.found
        ],
        "skipped": [{"path": show_path(path), "why": why} for path, why in diagnosis.skipped],
    }
    wrong = Counter(each.file for each, _ in diagnosis.found if is_error(each))
    if not wrong:
        return Ending(DONE, data)
    message = f"{count(wrong.total(), 'error')} in {count(len(wrong), 'file')}"
    return Ending(FAILED, data, Failure(Reason.INVALID, message, "correct them, then check again"))
