"""Verdicts of a team: each person's part arrives, and none is lost."""

from pathlib import Path

from git_retcon.heal.verdict_notes import NOTES_REF
from tests.heal.checks import check
from tests.heal.team import JOE, LATER, Team, fetch, note, read
from tests.program import heal_here


def test_both_sides_end_with_the_parts_of_both(tmp_path: Path) -> None:
    team = Team(tmp_path)
    check(team.ada)
    own = read(team.ada)
    note(team.joe, f"{JOE}\n\n{LATER}")
    pushed = heal_here(team.joe.path, "push").ok()
    assert pushed.err == "the verdicts are in 'origin'\n"
    # Ada's push is behind Joe's: it takes his up.
    heal_here(team.ada.path, "push").ok()
    assert set(read(team.ada).split("\n\n")) == {own, JOE, LATER}
    assert fetch(team.joe) == [team.head]
    assert read(team.joe) == read(team.ada)
    assert team.joe.rev(NOTES_REF) == team.ada.rev(NOTES_REF)
    again = heal_here(team.joe.path, "fetch").ok()
    assert again.err == "nothing new in 'origin'\n"
    assert team.joe.git("for-each-ref", "refs/heal") == ""


def test_of_one_person_the_later_part_stays(tmp_path: Path) -> None:
    team = Team(tmp_path)
    newer = JOE.replace("2026-01-01", "2026-02-01").replace("9 passed", "8 passed")
    for here, there in ((JOE, newer), (newer, JOE)):
        note(team.ada, here)
        note(team.joe, there)
        team.joe.git("push", "-q", "-f", "origin", NOTES_REF)
        fetch(team.ada)
        assert read(team.ada) == newer
    # What has no time of its own is no reason to lose one that has.
    note(team.joe, JOE.replace("2026-01-01T00:00:00Z", "9999"))
    team.joe.git("push", "-q", "-f", "origin", NOTES_REF)
    fetch(team.ada)
    assert read(team.ada) == newer


def test_a_hostile_note_brings_no_other_path_and_no_endless_text(tmp_path: Path) -> None:
    team = Team(tmp_path)
    note(team.ada, JOE)
    blob = team.joe.git("rev-parse", "HEAD:.github/workflows/ci.yml")
    long = "x" * 70_000
    (team.joe.path / "long").write_text(f"{JOE}\n{long}")
    big = team.joe.git("hash-object", "-w", "long")
    odd = "zz" * 20
    rows = f"100644 blob {blob}\t{odd}\n100644 blob {big}\t{team.head}\n"
    tree = team.joe.git("mktree", stdin=rows.encode())
    commit = team.joe.git("commit-tree", "-m", "odd", tree)
    team.joe.git("push", "-q", "origin", f"{commit}:{NOTES_REF}")
    assert fetch(team.ada) == []
    assert read(team.ada) == JOE
    assert odd not in team.ada.git("ls-tree", "-r", "--name-only", NOTES_REF)
