"""What a heal says at its end."""

import io
from pathlib import Path
from typing import Any

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.engine import Item
from git_retcon.heal.healing.heal_flow import Healed, Outcome
from git_retcon.heal.healing.heal_run import Checked, Proposal, take_part
from git_retcon.heal.patches import FileChange
from git_retcon.heal.records.heals import Decision, HealVerdict
from git_retcon.heal.results import JobResult, Verdict
from git_retcon.heal.review.approval import Choice
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.heal.subcommands.heal_report import Decided, end_heal
from git_retcon.run.working_state import WorkingState
from git_retcon.show.envelope import Ending

CHANGES = tuple(FileChange(path, File(b"old"), File(b"new")) for path in (b"a", b"b"))
OUTCOMES = tuple(
    Outcome(Item(one.path, ()), HealVerdict.HEALED, "", changes=(one,)) for one in CHANGES
)
PROPOSAL = Proposal(OUTCOMES, CHANGES, number=1)


def end(choice: Choice, *settled: Settled) -> tuple[Ending, list[str]]:
    """The ending, and what people read of it."""
    state = WorkingState("c", "t", frozenset, Path())
    job = JobResult(b"ci.yml", "a", "a", 1, Verdict.PASSED, "", ())
    checked = Checked(state, 1, (job,), (), (), "main")
    stream = io.StringIO()
    nowhere: Any = None
    decided = Decided((choice,), settled)
    ending = end_heal(nowhere, checked, Healed(OUTCOMES, None), decided, "offline", stream)
    return ending, stream.getvalue().split("\n")


def test_what_stays_open_is_said_to_be_applied_as_a_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    end(Choice(PROPOSAL, (), undecided=True))
    hint = "hint: 'git heal apply 1' applies every hunk, refused ones too\n"
    assert capsys.readouterr().err.endswith(hint)


@pytest.mark.parametrize(
    ("proved", "verdict"), [(True, HealVerdict.HEALED), (False, HealVerdict.UNVERIFIED)]
)
def test_a_file_whose_part_was_refused_is_not_applied(proved: bool, verdict: HealVerdict) -> None:
    part = take_part(PROPOSAL, CHANGES[:1], proved=proved)
    assert part.verdict is verdict
    _, lines = end(Choice(part, CHANGES[:1], whole=False), Settled(1, Decision.APPLIED, (b"a",)))
    assert lines[1].startswith(f"a: {verdict.value}, heal 1, applied")
    assert lines[2] == "b: left, heal 1: nothing of its fix was chosen"
