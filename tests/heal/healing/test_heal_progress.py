"""What people see while a heal runs."""

import pytest

from git_retcon.heal.check_events import Warned
from git_retcon.heal.healing.heal_events import (
    ItemTried,
    ProofBegan,
    RevertBegan,
    StepHealed,
    StepTried,
)
from git_retcon.heal.healing.heal_progress import HealProgress
from git_retcon.show.style import Style


def test_each_event_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    progress = HealProgress(Style(on=False))
    for event in (
        ItemTried("src/a.py", 1, 1, "ruff check --fix", ""),
        ItemTried("", 2, 2, "", "no offline fix is known for it", 1234, 0.0125),
        StepTried("Lint", False, 3, 1.5),
        StepTried("Lint", True, 0, 0.2),
        ProofBegan(1, 2),
        RevertBegan(7, "c" * 40, 3),
        Warned("this check is not recorded", ""),
    ):
        progress(event)
    progress.end_line()
    assert capsys.readouterr().err.splitlines() == [
        "src/a.py: 1 error: ruff check --fix",
        "(no file): 2 errors, attempt 2: no offline fix is known for it (1,234 tokens, $0.0125)",
        "Lint: 3 errors left (1.5 s)",
        "Lint: passes now (0.2 s)",
        "proof: 2 jobs from the start, with 1 changed file",
        "partial revert: which of 3 hunks since check 7 (cccccccccccc) would have to go",
        "warning: this check is not recorded",
    ]


def test_a_fix_is_shown_before_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    HealProgress(Style(on=False))(StepHealed("Lint", ("x",), patch))
    said = capsys.readouterr().err
    assert said.startswith("Lint passes with this; the proof is to come:\n")
    assert "  -a\n  +b\n" in said
