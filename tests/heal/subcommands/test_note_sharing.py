"""``git heal fetch`` and ``push``, and what they say."""

import json
from pathlib import Path

from git_retcon.heal.verdict_notes import NOTES_REF
from tests.heal.checks import check
from tests.heal.team import JOE, Team, fetch, note
from tests.program import heal_here


def test_what_others_noted_is_shown_and_counts_for_nothing(tmp_path: Path) -> None:
    team = Team(tmp_path)
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


def test_a_note_that_is_forged_in_ones_own_name_is_shown_and_counts_for_nothing(
    tmp_path: Path,
) -> None:
    team = Team(tmp_path)
    who = team.ada.git("var", "GIT_COMMITTER_IDENT").rpartition(">")[0] + ">"
    team.joe.commit("break it", {"broken": "x"})
    team.joe.git("push", "-q", "origin", "main")
    note(team.joe, JOE.replace("Joe <j@x>", who).replace("2026", "2999"))
    heal_here(team.joe.path, "push").ok()
    team.ada.git("pull", "-q", "origin", "main")
    assert fetch(team.ada) == [team.ada.rev("HEAD")]
    shown = team.ada.git("log", "-1", "--notes=heal")
    assert f"By: {who}" in shown and "Verdict: passed" in shown
    ran = check(team.ada)
    assert (ran.status, ran.job("a")["verdict"], ran.job("a")["cached"]) == (1, "failed", False)
    # Her own check takes the place of what was said in her name.
    (own,) = json.loads(heal_here(team.ada.path, "log", "1", "--json").ok().out)["notes"]
    assert (own["verdict"], own["by"]) == ("failed", who)


def test_a_remote_without_verdicts_and_a_place_that_is_none(tmp_path: Path) -> None:
    team = Team(tmp_path)
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
    for command in ("fetch", "push"):
        empty = heal_here(team.joe.path, command, "")
        assert (empty.status, "the name of the remote is empty" in empty.err) == (128, True)
    team.joe.git("remote", "remove", "origin")
    alone = heal_here(team.joe.path, "push")
    assert "there is no remote to share verdicts with" in alone.err


def test_pushing_notes_checks_nothing(tmp_path: Path) -> None:
    team = Team(tmp_path)
    line = f"{NOTES_REF} {team.head} {NOTES_REF} {'0' * 40}\n"
    done = heal_here(team.ada.path, "pre-push", "--json", stdin=line.encode()).ok()
    assert json.loads(done.out)["checked"] is None


def test_a_push_that_the_remote_refuses_is_said_and_forces_nothing(tmp_path: Path) -> None:
    team = Team(tmp_path)
    note(team.joe, JOE)
    hook = team.shared / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho nobody may push here >&2\nexit 1\n")
    hook.chmod(0o755)
    refused = heal_here(team.joe.path, "push", "--json")
    said = json.loads(refused.out)
    assert refused.status == 128
    assert "git cannot push the verdicts of 'origin'" in said["error"]
    assert "nobody may push here" in said["error"]
    assert said["next"] == [["git", "push", "origin", NOTES_REF]]
    assert team.joe.git("ls-remote", "origin", NOTES_REF) == ""
