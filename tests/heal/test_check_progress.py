"""What people see while a check runs."""

import pytest

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
