"""The note on a rebuilt commit: written, read back, and readable by git."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.branch.note import SKIPPED, Record, parse_record
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


@pytest.mark.slow
def test_notes_are_readable_by_git(scene: Scene) -> None:
    scene.run().ok()
    note = scene.repo.git("log", "-1", "--notes=retcon", "--format=%N", "clean~2")
    lines = dict(line.split(": ", 1) for line in note.strip().splitlines())
    assert note.startswith("Version: 1\n")
    assert lines["Logical-Commit"] == "1/3 Count money in cents"
    assert lines["Engine"] == "offline"
    verdicts = [line for line in note.splitlines() if line.startswith("Verdict: ")]
    assert verdicts[0].startswith("Verdict: build pass")
    assert verdicts[1:] == ["Verdict: test skipped"]


words = st.text("abc-: ", min_size=1, max_size=12).map(str.strip).filter(bool)
records = st.builds(
    Record,
    branch=words,
    position=st.integers(0, 20),
    total=st.integers(1, 20),
    subject=words,
    digest=words,
    part=st.sampled_from(["commit", "wip"]),
    engine=st.sampled_from(["offline", "claude"]),
    source=words,
    atoms=st.lists(st.text("0123456789abcdef", min_size=4, max_size=8), max_size=3).map(tuple),
    bridged=st.booleans(),
    verdicts=st.lists(words, max_size=3).map(tuple),
    seconds=st.none() | st.integers(0, 9000).map(lambda tenths: tenths / 10),
    tokens=st.integers(0, 9000),
)


@given(records)
def test_what_is_written_is_read_back(record: Record) -> None:
    assert parse_record(record.text()) == record


@pytest.mark.parametrize("text", [None, "", "hello\n", "Version: 2\n", "Version: 1\nBranch: x\n"])
def test_a_note_that_is_not_ours_is_none(text: str | None) -> None:
    assert parse_record(text) is None


def test_only_commands_that_ran_prove_a_commit() -> None:
    made = Record("clean", 0, 1, "x", "d", "commit", "offline", "s", ())
    assert not made.is_proved
    assert not replace(made, verdicts=(SKIPPED,), seconds=1.0).is_proved
    assert replace(made, verdicts=("build passed",), seconds=1.0).is_proved
