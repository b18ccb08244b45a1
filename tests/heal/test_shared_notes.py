"""Verdicts of a team: each person's part arrives, none is lost, and none counts elsewhere."""

import json
from pathlib import Path

import pytest

from git_retcon.heal.verdict_notes import NOTES_REF
from tests.heal.checks import check, new_project
from tests.program import heal_here
from tests.repository import TestRepository

PASSING = "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'test ! -e broken'}]}}"
JOE = "Version: 1\nVerdict: passed\nJobs: 9 passed\nChecked: 2026-01-01T00:00:00Z\nBy: Joe <j@x>"
LATER = "Version: 2\nOutcome: wonderful"


class Team:
    """Two clones of one repository, and the remote between them."""

    def __init__(self, top: Path) -> None:
        self.ada = new_project(top / "ada", PASSING)
        self.head = self.ada.rev("HEAD")
        self.shared = top / "shared.git"
        self.ada.git("clone", "-q", "--bare", ".", str(self.shared))
        self.ada.git("remote", "add", "origin", str(self.shared))
        self.ada.git("clone", "-q", str(self.shared), str(top / "joe"))
        self.joe = TestRepository(top / "joe")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def note(repository: TestRepository, text: str, commit: str = "HEAD") -> None:
    repository.git("notes", f"--ref={NOTES_REF}", "add", "-f", "-m", text, commit)


def read(repository: TestRepository, commit: str = "HEAD") -> str:
    return repository.git("notes", f"--ref={NOTES_REF}", "show", commit)


def fetch(repository: TestRepository, *arguments: str) -> list[str]:
    done = heal_here(repository.path, "fetch", "--json", *arguments).ok()
    found: list[str] = json.loads(done.out)["commits"]
    return found


def test_both_sides_end_with_the_parts_of_both(team: Team) -> None:
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


def test_of_one_person_the_later_part_stays(team: Team) -> None:
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


def test_what_others_noted_is_shown_and_counts_for_nothing(team: Team) -> None:
    team.joe.commit("break it", {"broken": "x"})
    team.joe.git("push", "-q", "origin", "main")
    note(team.joe, JOE)
    heal_here(team.joe.path, "push").ok()
    team.ada.git("pull", "-q", "origin", "main")
    assert fetch(team.ada) == [team.ada.rev("HEAD")]
    ran = check(team.ada)
    assert (ran.status, ran.job("a")["verdict"]) == (1, "failed")
    shown = json.loads(heal_here(team.ada.path, "log", "1", "--json").ok().out)
    assert {one["verdict"] for one in shown["notes"]} == {"passed", "failed"}


def test_a_remote_without_verdicts_and_a_place_that_is_none(team: Team) -> None:
    assert fetch(team.joe) == []
    nothing = heal_here(team.joe.path, "push").ok()
    assert nothing.err == "there are no verdicts yet: 'git heal check' notes them\n"
    lost = heal_here(team.joe.path, "fetch", "nowhere")
    assert lost.status == 128
    assert "git cannot fetch the verdicts of 'nowhere'" in lost.err
    blob = team.joe.git("rev-parse", "HEAD:.github/workflows/ci.yml")
    team.joe.git("push", "-q", "origin", f"{blob}:{NOTES_REF}")
    odd = heal_here(team.joe.path, "fetch")
    assert (odd.status, "holds no notes" in odd.err) == (128, True)
    team.joe.git("remote", "remove", "origin")
    alone = heal_here(team.joe.path, "push")
    assert "there is no remote to share verdicts with" in alone.err


def test_a_hostile_note_brings_no_other_path_and_no_endless_text(team: Team) -> None:
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


def test_pushing_notes_checks_nothing(team: Team) -> None:
    line = f"{NOTES_REF} {team.head} {NOTES_REF} {'0' * 40}\n"
    done = heal_here(team.ada.path, "pre-push", "--json", stdin=line.encode()).ok()
    assert json.loads(done.out)["checked"] is None
