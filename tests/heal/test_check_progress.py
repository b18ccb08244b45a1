"""What people see while a check runs."""

import io
import sys
import time

import pytest

from git_retcon.heal import check_progress
from git_retcon.heal.check_events import (
    JobBegan,
    JobEnded,
    StepBegan,
    StepEnded,
    StepPrinted,
    Warned,
)
from git_retcon.heal.check_progress import CheckProgress
from git_retcon.heal.results import StepVerdict, Verdict
from git_retcon.show.style import Style


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_the_step_its_time_and_its_last_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    tell = CheckProgress(Style(False))
    tell(StepBegan("make"))
    tell(StepPrinted("compiling"))
    tell(StepEnded("make", 3, StepVerdict.PASSED, "", 1.25))
    tell.end_line()
    assert shown.getvalue() == "\r\x1b[K  make  0 s  \r\x1b[K  make  passed (1.2 s)\n"


def test_time_passes_for_a_step_that_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(check_progress, "_TICK", 0.01)
    tell = CheckProgress(Style(False))
    tell(StepBegan("sleeps"))
    until = time.monotonic() + 30
    while shown.getvalue().count("sleeps") < 3 and time.monotonic() < until:
        time.sleep(0.01)
    tell.end_line()
    assert shown.getvalue().count("  sleeps  0 s") >= 3
    assert shown.getvalue().endswith("\r\x1b[K")
    ended = shown.getvalue()
    time.sleep(0.05)
    assert shown.getvalue() == ended


def test_without_a_terminal_each_step_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell = CheckProgress(Style(False))
    for event in (
        JobBegan(".github/workflows/ci.yml", "test (3.11)"),
        StepBegan("make"),
        StepPrinted("compiling\x1b[31m"),
        StepEnded("make", 3, StepVerdict.FAILED, "exit status 2", 1.25),
        StepEnded("never", 4, StepVerdict.NOT_WANTED, "its condition is false", 0.0),
        StepEnded("apt", 5, StepVerdict.SKIPPED, "needs root (sudo)", 0.0),
        JobEnded(".github/workflows/ci.yml", "lint", Verdict.PASSED, "", 0.5, cached=True),
        JobEnded(".github/workflows/ci.yml", "mac", Verdict.NOT_RUN, "needs macOS", 0.0, False),
        Warned("beware", "of this"),
    ):
        tell(event)
    tell.end_line()
    assert capsys.readouterr().err.splitlines() == [
        "ci.yml: test (3.11)",
        "  make  failed: exit status 2 (1.2 s)",
        "  apt  skipped: needs root (sudo)",
        "ci.yml: lint  passed (cached)",
        "warning: beware",
        "hint: of this",
    ]
