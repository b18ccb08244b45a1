"""What a command says of fixes that it did not apply; that it does not is tried with the files."""

import pytest

from git_retcon.heal.records.heals import Decision
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.heal.subcommands.held_back import end_held_back
from git_retcon.show.envelope import FAILED


def test_the_file_and_the_branch_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    why = "'a.py' has changed since it was checked"
    kept = [
        Settled(number, Decision.KEPT, (b"a.py",), "heal/1", "1" * 40, reason=why)
        for number in (1, 2)
    ]
    ending = end_held_back(kept, {})
    assert ending.status == FAILED
    assert capsys.readouterr().err.splitlines() == [
        "error: 2 fixes not applied: 'a.py' has changed since it was checked",
        "hint: 'git diff HEAD...heal/1' shows the fix; nothing was overwritten",
    ]
