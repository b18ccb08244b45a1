"""A review at a real terminal: pages, answers, pins in the spec, and the way back."""

import json

import pexpect
import pytest

from git_retcon.files.path_digest import digest_path
from tests.program import on_terminal, rest, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch

ASKED = r"Right\? \[Enter, 2 3, v s u n w q Q h\] "
DONE = r"Write and run \(w\), write \(q\), leave \(Q\), or undo \(u\)\? "


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A squashed branch, and messages that say nothing of the code."""
    made = messy_branch(repo)
    squashed = repo.git("commit-tree", "feature^{tree}", "-p", "main", "-m", "squashed")
    repo.git("branch", "-f", "feature", squashed)
    head = made.spec.read_text().partition("[[commit]]")[0]
    made.write_spec(f'{head}[[commit]]\nmessage = "One"\n\n[[commit]]\nmessage = "Two"\n')
    return made


def review(scene: Scene, *words: str) -> pexpect.spawn:
    env = {"NO_COLOR": "1", "COLUMNS": "100"}
    return on_terminal("retcon", scene.repo.path, "review", *words, "history.toml", env=env)


def pages(child: pexpect.spawn, answer: str) -> str:
    """Give every page the same answer; what was shown until no question is left."""
    shown = ""
    while True:
        which = child.expect([ASKED, DONE])
        shown += str(child.before)
        if which == 1:
            return shown
        child.sendline(answer)


def placed(scene: Scene) -> list[set[str]]:
    listed = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)["hunks"]
    paths = {hunk["id"]: hunk["path"] for hunk in listed}
    plan = json.loads(retcon_here(scene.repo.path, "-n", "--json").ok().out)
    return [{paths[hunk] for hunk in commit["hunks"]} for commit in plan["commits"]]


def test_a_page_shows_the_commits_and_its_hunks_with_their_places(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    shown = child.before.replace("\r", "")
    assert shown.startswith("  1  One\n  2  Two\n\n")
    assert "README.md  (the last page)\n  1 -> " in shown
    assert "\n  2 -> " in shown
    assert "        +" in shown
    child.sendline("Q")
    assert rest(child).status == 0


def test_what_a_killed_session_left_is_removed_by_one_that_writes_nothing(scene: Scene) -> None:
    kept = scene.repo.path / f".git/retcon/reviews/.{digest_path(scene.spec)}.json.a1b2c3d4.tmp"
    kept.parent.mkdir(parents=True)
    kept.write_text("half")
    child = review(scene)
    child.expect(ASKED)
    child.sendline("Q")
    assert rest(child).status == 0
    assert not kept.exists()


def test_answers_become_pins_that_the_plan_follows(scene: Scene) -> None:
    child = review(scene)
    pages(child, "1 2")
    child.sendline("q")
    done = rest(child)
    assert "pinned in history.toml" in done.out
    spec = scene.spec.read_text()
    assert "hunks = [" in spec
    assert scene.repo.git("for-each-ref", "refs/heads/clean") == ""
    pins = [line for line in spec.splitlines() if line.startswith('    "')]
    assert all(" # " in line for line in pins)
    assert f"{len(pins)} hunk" in done.out


def test_a_page_can_be_accepted_with_one_key(scene: Scene) -> None:
    before = placed(scene)
    child = review(scene)
    pages(child, "")
    child.sendline("q")
    rest(child)
    assert placed(scene) == before


@pytest.mark.slow
def test_written_answers_can_be_run_at_once(scene: Scene) -> None:
    child = review(scene)
    pages(child, "")
    child.sendline("w")
    assert "Complete!" in rest(child).out
    scene.promise()


@pytest.mark.slow
def test_leaving_writes_nothing(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    for key, status in (("Q\n", 0), ("\x03", 130)):
        child = review(scene)
        child.expect(ASKED)
        child.sendline("1 2")
        child.expect([ASKED, DONE])
        child.send(key)
        done = rest(child)
        assert done.status == status
        assert scene.spec.read_bytes() == before
    assert "hint: nothing was written" in done.out


def test_a_hunk_is_split_at_a_line_and_its_parts_are_pinned(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    assert "README.md" in child.before
    hunks = child.before.count(" -> ")
    child.sendline("s 1")
    child.expect(r"Behind which line\? ")
    assert "    1* -# ?\r\n    2  +# Shop\r\n" in child.before
    child.sendline("2")
    child.expect(ASKED)
    assert "line 2 is not between two parts; name one of the lines that have a star" in child.before
    child.sendline("s 1")
    child.expect(r"Behind which line\? ")
    child.sendline("1")
    child.expect(ASKED)
    assert child.before.count(" -> ") == hunks + 1
    child.sendline("1 2, 2 1")
    child.expect([ASKED, DONE])
    child.sendline("q")
    rest(child)
    spec = scene.spec.read_text()
    first, second = (part for part in spec.split("[[commit]]")[1:])
    assert ':2", # README.md:1' in first
    assert ':1", # README.md:1' in second


@pytest.mark.slow
def test_a_long_hunk_is_shown_whole_when_asked_for(scene: Scene) -> None:
    repo = scene.repo
    lines = "".join(f"line {number}\n" for number in range(40))
    repo.git("checkout", "-q", "feature")
    repo.commit("more", {"long.py": f"TEXT = '''\n{lines}'''\n"})
    child = review(scene)
    child.expect(ASKED)
    number = child.before.partition("long.py")[2].partition(" -> ")[0].split()[-1]
    assert f"33 more lines (v {number} shows all)" in child.before
    assert "line 20" not in child.before
    child.sendline(f"v {number}")
    child.expect(ASKED)
    assert child.before.count("+line ") == 40
    child.sendline("Q")
    assert rest(child).status == 0


def test_the_end_of_input_keeps_the_answers(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    child.sendline("1 2")
    child.expect([ASKED, DONE])
    child.send("\x04")
    done = rest(child)
    assert (done.status, "pinned in history.toml" in done.out) == (0, True)
    assert "hunks = [" in scene.spec.read_text()


def test_the_last_page_can_be_undone(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    first = child.before.partition("\r\n\r\n")[2]
    child.sendline("1 2")
    child.expect([ASKED, DONE])
    child.sendline("u")
    child.expect(ASKED)
    assert child.before.partition("\r\n\r\n")[2] == first
    child.sendline("u")
    child.expect("nothing to undo")
    child.sendline("Q")
    rest(child)


def test_what_makes_no_sense_is_asked_again(scene: Scene) -> None:
    child = review(scene)
    for line, said in (("9 9", "the hunks here are 1 to"), ("x", "h shows"), ("h", "Enter ")):
        child.expect(ASKED)
        child.sendline(line)
        child.expect(said)
    child.expect(ASKED)
    child.sendline("Q")
    rest(child)


@pytest.mark.slow
def test_a_session_is_taken_back_though_the_spec_was_run(scene: Scene) -> None:
    before = scene.spec.read_text()
    child = review(scene)
    pages(child, "1 2")
    child.sendline("w")
    rest(child)
    retcon_here(scene.repo.path, "review", "--undo").ok()
    now = scene.spec.read_text()
    assert "hunks" not in now
    assert [line for line in now.splitlines() if "commit_created" in line]
    assert before.splitlines()[0] in now
    again = retcon_here(scene.repo.path, "review", "--undo")
    assert again.status == 128
    assert "no review of 'history.toml' to take back" in again.err


def test_an_edited_spec_is_not_overwritten_by_undo(scene: Scene) -> None:
    child = review(scene)
    pages(child, "1 2")
    child.sendline("q")
    rest(child)
    edited = scene.spec.read_text().replace('"One"', '"Uno"')
    scene.write_spec(edited)
    done = retcon_here(scene.repo.path, "review", "--undo")
    assert (done.status, scene.spec.read_text()) == (128, edited)
    assert "was edited since the review" in done.err


def test_answers_go_into_a_spec_that_was_saved_meanwhile(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    child.sendline("1 2")
    child.expect([ASKED, DONE])
    edited = scene.spec.read_text().replace('"Two"\n', '"Two"\nhints = "The second one."\n')
    scene.write_spec(edited)
    child.sendline("q")
    assert rest(child).status == 0
    now = scene.spec.read_text()
    assert 'hints = "The second one."' in now
    assert "hunks = [" in now
    retcon_here(scene.repo.path, "review", "--undo").ok()
    assert scene.spec.read_text() == edited


def test_answers_are_not_written_below_other_commits(scene: Scene) -> None:
    child = review(scene)
    child.expect(ASKED)
    child.sendline("1 2")
    child.expect([ASKED, DONE])
    edited = scene.spec.read_text().replace('"One"', '"Uno"')
    scene.write_spec(edited)
    child.sendline("q")
    done = rest(child)
    assert (done.status, scene.spec.read_text()) == (128, edited)
    assert "the commits of 'history.toml' were edited during the review" in done.out


def test_without_a_terminal_programs_are_sent_elsewhere(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "review")
    assert done.status == 1
    assert "error: a review needs a terminal" in done.err
    assert "--plan" in done.err
