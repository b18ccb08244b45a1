"""How bad a complaint is, in the words of tools."""

from collections.abc import Mapping

from git_retcon.code.diagnostics.diagnostic import Severity

_BY_WORD: Mapping[str, Severity] = {
    "error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "failure": Severity.ERROR,
    "high": Severity.ERROR,
    "blocker": Severity.ERROR,
    "critical": Severity.ERROR,
    "major": Severity.ERROR,
    "warning": Severity.WARNING,
    "warn": Severity.WARNING,
    "medium": Severity.WARNING,
    "minor": Severity.WARNING,
    "convention": Severity.WARNING,
    "refactor": Severity.WARNING,
    "info": Severity.NOTE,
    "information": Severity.NOTE,
    "note": Severity.NOTE,
    "notice": Severity.NOTE,
    "low": Severity.NOTE,
    "style": Severity.NOTE,
    "help": Severity.NOTE,
    "ignore": Severity.NOTE,
    "none": Severity.NOTE,
}


def read_severity(word: str, otherwise: Severity = Severity.ERROR) -> Severity:
    """What a word says, in any case; ``otherwise`` for one that no tool is known to print."""
    return _BY_WORD.get(word.lower(), otherwise)
