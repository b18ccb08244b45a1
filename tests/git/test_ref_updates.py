"""Refs move together or not at all, from the value expected, with a word in the reflog."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git import ref_updates
from git_retcon.git.ref_updates import (
    NOTHING,
    RefLocked,
    RefMoved,
    RefRefusal,
    RefUpdate,
    RefUpdater,
    update_refs,
)
from git_retcon.git.refs import read_ref
from tests.program import CHECKOUT
from tests.repository import TestRepository


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks that stay are not waited for as long as a person would."""
    monkeypatch.setattr(ref_updates, "LONGEST_WAIT", 0.2)


def test_all_move_and_the_reflog_says_why(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    updates = [RefUpdate("refs/heads/a", NOTHING, one), RefUpdate("refs/x/b", NOTHING, two)]
    update_refs(repo.open(), updates, "retcon: try")
    update_refs(repo.open(), [RefUpdate("refs/heads/a", one, two)], "retcon: again")
    assert (read_ref(git, "refs/heads/a"), read_ref(git, "refs/x/b")) == (two, two)
    assert repo.git("reflog", "--format=%gs", "a").splitlines() == ["retcon: again", "retcon: try"]
    assert repo.git("reflog", "--format=%gs", "refs/x/b") == "retcon: try"
    update_refs(repo.open(), [RefUpdate("refs/heads/a", two, NOTHING)], "gone")
    assert read_ref(git, "refs/heads/a") is None


@pytest.mark.parametrize("fault", ["moved", "locked", "exists"])
def test_one_that_cannot_move_keeps_all_where_they_are(repo: TestRepository, fault: str) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    update_refs(repo.open(), [RefUpdate("refs/heads/a", NOTHING, one)], "start")
    expected = two if fault == "moved" else NOTHING if fault == "exists" else one
    lock = repo.path / ".git/refs/heads/a.lock"
    if fault == "locked":
        lock.touch()
    with pytest.raises(Fatal, match="nothing was moved"):
        update_refs(
            repo.open(),
            [RefUpdate("refs/heads/b", NOTHING, two), RefUpdate("refs/heads/a", expected, two)],
            "try",
        )
    lock.unlink(missing_ok=True)
    assert read_ref(git, "refs/heads/a") == one
    assert read_ref(git, "refs/heads/b") is None


def test_a_ref_that_has_moved_is_not_deleted(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    update_refs(repo.open(), [RefUpdate("refs/heads/a", NOTHING, two)], "start")
    with pytest.raises(RefMoved):
        update_refs(repo.open(), [RefUpdate("refs/heads/a", one, NOTHING)], "try")
    assert read_ref(git, "refs/heads/a") == two


def test_an_interrupt_waits_for_the_refs_to_have_moved(repo: TestRepository) -> None:
    one = repo.commit("one")
    hook = repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\n[ "$1" = prepared ] && kill -INT {os.getpid()} && sleep 0.6\n:\n')
    hook.chmod(0o755)
    names = ("refs/heads/a", "refs/x/b")
    with pytest.raises(KeyboardInterrupt):
        update_refs(repo.open(), [RefUpdate(name, NOTHING, one) for name in names], "try")
    assert {read_ref(repo.open().git, name) for name in names} == {one}
    assert not list((repo.path / ".git").rglob("*.lock"))


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        ("moved", "something else moved it meanwhile"),
        ("below", "something else moved it meanwhile"),
        ("locked", "remove the lock file that a killed one left"),
        ("unwritable", "free some space or correct its permissions"),
        ("refused", "look at what it says (a reference-transaction hook may refuse)"),
    ],
)
def test_each_refusal_has_its_own_remedy(repo: TestRepository, fault: str, remedy: str) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    refs, expected = repo.path / ".git/refs", NOTHING
    match fault:
        case "moved":
            expected = two
            repo.git("branch", "a", one)
        case "below":
            repo.git("branch", "a/b", one)
        case "locked":
            (refs / "heads/a.lock").touch()
        case "unwritable":
            (repo.path / ".git/logs/refs/heads/a").symlink_to("/dev/full")
        case "refused":
            hook = repo.path / ".git/hooks/reference-transaction"
            hook.parent.mkdir(exist_ok=True)
            hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
            hook.chmod(0o755)
    with pytest.raises(Fatal) as caught:
        update_refs(repo.open(), [RefUpdate("refs/heads/a", expected, two)], "try")
    assert caught.value.hint is not None
    assert remedy in caught.value.hint
    # A full disk shows only while git moves one ref after another.
    partly = "not every ref was moved" if fault == "unwritable" else "nothing was moved"
    assert str(caught.value).startswith(f"{partly}: ")
    assert caught.value.hint.endswith(", then run the same command again")


def hook(repo: TestRepository, script: str) -> None:
    """Have git run a script at each state of a transaction, with the state as ``$1``."""
    path = repo.path / ".git/hooks/reference-transaction"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def started(trace: Path) -> int:
    """How many times ``update-ref`` was started."""
    return sum(" start " in line and "update-ref" in line for line in trace.read_text().split("\n"))


def test_one_process_makes_all_transactions_of_one_word(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TRACE2", str(tmp_path / "trace"))
    commits = [repo.commit(str(number)) for number in range(6)]
    (tmp_path / "trace").write_text("")
    before = NOTHING
    with RefUpdater(repo.open()) as updater:
        for at, oid in enumerate(commits):
            updater.move([RefUpdate("refs/heads/a", before, oid)], "begin" if at < 2 else "go on")
            assert repo.rev("a") == oid
            before = oid
    assert started(tmp_path / "trace") == 2
    said = repo.git("reflog", "--format=%gs", "a").splitlines()
    assert said == ["go on"] * 4 + ["begin"] * 2


def test_after_an_interrupt_the_next_answers_are_those_of_the_next_move(
    repo: TestRepository,
) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    hook(repo, f'[ "$1" = prepared ] && kill -INT {os.getpid()} && sleep 0.3; :')
    with RefUpdater(repo.open()) as updater:
        with pytest.raises(KeyboardInterrupt):
            updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
        hook(repo, ":")
        updater.move([RefUpdate("refs/heads/a", one, two)], "try")
        assert repo.rev("a") == two
        with pytest.raises(RefMoved):
            updater.move([RefUpdate("refs/heads/a", one, two)], "try")


def test_a_word_of_any_length_is_cut_to_fit_one_line_of_a_reflog(repo: TestRepository) -> None:
    one = repo.commit("one")
    update_refs(repo.open(), [RefUpdate("refs/heads/a", NOTHING, one)], "w" * 200_000)
    assert repo.git("reflog", "--format=%gs", "a") == "w" * 200


def test_it_goes_on_after_a_refusal_and_after_its_process_was_ended(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    with RefUpdater(repo.open()) as updater:
        with pytest.raises(RefMoved, match="nothing was moved"):
            updater.move([RefUpdate("refs/heads/a", one, two)], "try")
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
        process = updater._process
        assert process is not None
        process._git.kill()
        process._git.wait()
        updater.move([RefUpdate("refs/heads/a", one, two)], "try")
    assert repo.rev("a") == two


def test_what_a_hook_says_blocks_nothing_and_is_repeated_when_it_refuses(
    repo: TestRepository,
) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    hook(repo, "head -c 300000 /dev/zero | tr '\\0' x >&2")
    with RefUpdater(repo.open()) as updater:
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
        hook(repo, "echo not today >&2; exit 1")
        with pytest.raises(RefRefusal, match="not today") as caught:
            updater.move([RefUpdate("refs/heads/a", one, two)], "try")
    assert "xxx" not in str(caught.value)
    assert repo.rev("a") == one


def test_a_git_that_is_killed_half_way_is_said(repo: TestRepository) -> None:
    one = repo.commit("one")
    hook(repo, '[ "$1" = prepared ] && kill -9 $PPID; :')
    with pytest.raises(RefRefusal, match=r"nothing was moved: ended by signal 9"):
        update_refs(repo.open(), [RefUpdate("refs/heads/a", NOTHING, one)], "try")
    assert read_ref(repo.open().git, "refs/heads/a") is None


@pytest.mark.parametrize(("fault", "kind"), [("moved", RefMoved), ("locked", RefLocked)])
def test_what_another_process_did_is_an_error_of_its_own(
    repo: TestRepository, fault: str, kind: type[RefRefusal]
) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    repo.git("branch", "a", one)
    if fault == "locked":
        (repo.path / ".git/refs/heads/a.lock").touch()
    with pytest.raises(kind):
        update_refs(
            repo.open(),
            [RefUpdate("refs/heads/a", two if fault == "moved" else one, two)],
            "try",
        )


PROGRAM = """
import sys
from pathlib import Path
from git_retcon.git.ref_updates import NOTHING, RefUpdate, RefUpdater
from git_retcon.git.repository import open_repository

with RefUpdater(open_repository(Path.cwd())) as updater:
    updater.move([RefUpdate("refs/heads/first", NOTHING, sys.argv[1])], "try")
    updater.move([RefUpdate(f"refs/heads/{name}", NOTHING, sys.argv[1]) for name in "ab"], "try")
"""


@pytest.mark.parametrize(
    ("number", "group"),
    [(signal.SIGKILL, False), (signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGHUP, True)],
)
def test_ended_in_the_middle_all_or_none_have_moved_and_no_lock_is_left(
    repo: TestRepository, number: signal.Signals, group: bool
) -> None:
    one = repo.commit("one")
    mark = repo.path / "prepared"
    hook(repo, f'[ "$1" = prepared ] && grep -q refs/heads/b && touch {mark} && sleep 0.5; :')
    program = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, one],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    _wait_for(mark.exists)
    # As a Ctrl-C at a terminal does: every process of the group is told.
    (os.killpg if group else os.kill)(program.pid, number)
    assert program.wait(timeout=60) != 0
    _wait_for(lambda: not list((repo.path / ".git").rglob("*.lock")))
    moved = {name for name in "ab" if read_ref(repo.open().git, f"refs/heads/{name}") == one}
    assert moved in (({"a", "b"},) if number == signal.SIGINT else ({"a", "b"}, set()))


def _wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("target", ["refs/heads/theirs", "refs/heads/not-there"])
def test_what_a_ref_stands_for_is_not_moved(repo: TestRepository, target: str) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    repo.git("branch", "theirs", one)
    repo.git("symbolic-ref", "refs/notes/ours", target)
    with pytest.raises(RefRefusal, match=f"'refs/notes/ours' is a symbolic ref to '{target}'"):
        update_refs(repo.open(), [RefUpdate("refs/notes/ours", one, two)], "try")
    assert repo.rev("theirs") == one
    assert repo.git("for-each-ref", "refs/heads/not-there") == ""
