"""How bad a complaint is, in the words of tools."""

import pytest

from git_retcon.code.diagnostics.diagnostic import Severity
from git_retcon.code.diagnostics.severities import read_severity


@pytest.mark.parametrize(
    ("word", "severity"),
    [
        ("error", Severity.ERROR),
        ("FATAL", Severity.ERROR),
        ("major", Severity.ERROR),  # Code Climate
        ("Warning", Severity.WARNING),
        ("convention", Severity.WARNING),  # pylint, RuboCop
        ("style", Severity.NOTE),  # ShellCheck
        ("none", Severity.NOTE),  # SARIF
    ],
)
def test_words_of_tools_in_any_case(word: str, severity: Severity) -> None:
    assert read_severity(word, Severity.ERROR) is severity
    assert read_severity(word, Severity.NOTE) is severity


def test_an_unknown_word_says_what_its_tool_means_without_one() -> None:
    assert read_severity("catastrophe") is Severity.ERROR
    assert read_severity("", Severity.WARNING) is Severity.WARNING
