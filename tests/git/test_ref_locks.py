"""What a killed git leaves locked is released, and nothing that could be somebody else's.

What a command says of it is tested in ``tests/retcon/rebuild/test_resuming.py``.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from git_retcon.git import ref_locks, ref_updates
from git_retcon.git.ref_locks import MoveRecord, release_dead_locks, wait_for_orphans
from git_retcon.git.ref_updates import NOTHING, RefLocked, RefRefusal, RefUpdate, RefUpdater
from tests.program import CHECKOUT
from tests.repository import TestRepository

ONE, TWO = "1" * 40, "2" * 40


def git_folder(repo: TestRepository) -> Path:
    return repo.path / ".git"


def lock(repo: TestRepository, name: str, content: str) -> Path:
    """Lock a ref as git does."""
    path = git_folder(repo) / f"{name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def records(repo: TestRepository) -> list[Path]:
    return list((git_folder(repo) / "retcon/moves").glob("*"))


def record(repo: TestRepository, news: dict[str, str]) -> Path:
    """The record of a process that was killed in the middle of a move."""
    made = MoveRecord(git_folder(repo))
    made.write(news)
    assert made.handle is not None
    os.close(made.handle)
    return records(repo)[0]


def test_the_lock_of_a_dead_process_is_released_and_its_record_gone(repo: TestRepository) -> None:
    record(repo, {"refs/heads/a": ONE, "refs/notes/ünï": TWO})
    locked = [lock(repo, "refs/heads/a", ONE + "\n"), lock(repo, "refs/notes/ünï", TWO + "\n")]
    assert release_dead_locks(git_folder(repo)) == ["refs/heads/a", "refs/notes/ünï"]
    assert not any(path.exists() for path in locked)
    assert records(repo) == []
    assert release_dead_locks(git_folder(repo)) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("refs/heads/a", TWO + "\n"),
        ("refs/heads/a", ""),
        ("refs/heads/a", ONE),
        ("refs/heads/b", ONE + "\n"),
        ("refs/heads/gone", ""),
        ("refs/heads/gone", NOTHING + "\n"),
    ],
)
def test_a_lock_that_could_be_a_stranger_s_is_left(
    repo: TestRepository, name: str, content: str
) -> None:
    record(repo, {"refs/heads/a": ONE, "refs/heads/gone": NOTHING})
    path = lock(repo, name, content)
    assert release_dead_locks(git_folder(repo)) == []
    assert path.read_text() == content


def test_a_lock_that_its_killed_git_left_empty_is_released_when_it_stays_so(
    repo: TestRepository,
) -> None:
    path = record(repo, {"refs/heads/a": ONE, "refs/heads/gone": NOTHING})
    for name in ("refs/heads/a", "refs/heads/gone"):
        lock(repo, name, "")
    # A git that lives may be about to write into it.
    assert release_dead_locks(git_folder(repo)) == []
    make_older(path, *git_folder(repo).glob("refs/heads/*.lock"))
    assert release_dead_locks(git_folder(repo)) == ["refs/heads/a", "refs/heads/gone"]
    assert records(repo) == []


@pytest.mark.parametrize("content", ["", "x"])
def test_an_empty_lock_of_another_time_is_left(repo: TestRepository, content: str) -> None:
    path = record(repo, {"refs/heads/a": ONE})
    locked = lock(repo, "refs/heads/a", content)
    make_older(path)
    assert release_dead_locks(git_folder(repo)) == []
    assert locked.exists()
    assert records(repo) == []


def make_older(*paths: Path) -> None:
    """As if it had been written ten seconds ago."""
    for path in paths:
        then = path.stat().st_mtime - 10
        os.utime(path, (then, then))


def test_the_lock_that_a_kill_left_empty_costs_the_next_run_a_second(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_locks, "_STAYS_EMPTY", 0.1)
    one = repo.commit("one")
    record(repo, {"refs/heads/a": one})
    lock(repo, "refs/heads/a", "")
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater:
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "again")
    assert repo.rev("a") == one
    assert said == ["removed the lock on 'refs/heads/a' that a killed git left"]


def test_a_lock_that_is_a_link_is_left(repo: TestRepository) -> None:
    record(repo, {"refs/heads/a": ONE})
    target = lock(repo, "refs/heads/other", ONE + "\n")
    (git_folder(repo) / "refs/heads/a.lock").symlink_to(target)
    assert release_dead_locks(git_folder(repo)) == []
    assert target.exists()


@pytest.mark.parametrize("lost", [1, 4, 30])
def test_half_a_record_releases_nothing(repo: TestRepository, lost: int) -> None:
    path = record(repo, {"refs/heads/a": ONE})
    os.truncate(path, path.stat().st_size - lost)
    locked = lock(repo, "refs/heads/a", ONE + "\n")
    assert release_dead_locks(git_folder(repo)) == []
    assert locked.exists()


def test_the_record_of_a_living_process_is_left_alone(repo: TestRepository) -> None:
    living = MoveRecord(git_folder(repo))
    living.write({"refs/heads/a": ONE})
    locked = lock(repo, "refs/heads/a", ONE + "\n")
    assert release_dead_locks(git_folder(repo)) == []
    assert locked.exists()
    living.clear()
    assert living.close() == []
    assert locked.exists()
    assert records(repo) == []


def test_two_moves_of_one_process_have_a_record_each(repo: TestRepository) -> None:
    both = [MoveRecord(git_folder(repo)) for _ in "ab"]
    both[0].write({"refs/heads/a": ONE})
    both[1].write({"refs/heads/b": ONE})
    locked = [lock(repo, f"refs/heads/{name}", ONE + "\n") for name in "ab"]
    assert both[1].close() == ["refs/heads/b"]
    assert [path.exists() for path in locked] == [True, False]
    assert both[0].close() == ["refs/heads/a"]


def test_a_process_of_the_same_id_keeps_the_record_of_a_dead_one(repo: TestRepository) -> None:
    """Ids come again, and every container has its own."""
    record(repo, {"refs/heads/a": ONE})
    lock(repo, "refs/heads/a", ONE + "\n")
    living = MoveRecord(git_folder(repo))
    living.write({"refs/heads/b": ONE})
    assert release_dead_locks(git_folder(repo)) == ["refs/heads/a"]
    living.close()


def test_a_record_that_another_run_settles_first_is_settled_once(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(repo, {"refs/heads/a": ONE})
    locked = lock(repo, "refs/heads/a", ONE + "\n")

    def lock_late(_: int) -> bool:
        path.unlink()
        return True

    monkeypatch.setattr(ref_locks, "_try_lock", lock_late)
    assert release_dead_locks(git_folder(repo)) == []
    assert locked.exists()


def test_where_no_record_can_be_made_moves_go_on(repo: TestRepository) -> None:
    (git_folder(repo) / "retcon").write_text("in the way\n")
    one = repo.commit("one")
    with RefUpdater(repo.open()) as updater:
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
    assert repo.rev("a") == one


def test_a_move_leaves_no_record(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    with RefUpdater(repo.open()) as updater:
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
        assert [path.read_bytes() for path in records(repo)] == [b""]
        updater.move([RefUpdate("refs/heads/a", one, two)], "try")
    assert records(repo) == []


def test_a_lock_of_another_git_is_waited_for_and_a_long_wait_is_said(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_locks, "_SILENT_WAIT", 0.2)
    one = repo.commit("one")
    path = lock(repo, "refs/heads/a", "")
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater, after(0.6, path.unlink):
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
    assert repo.rev("a") == one
    assert said == [f"waiting for the lock '{path}'"]


def test_a_short_wait_is_not_said(repo: TestRepository) -> None:
    one = repo.commit("one")
    path = lock(repo, "refs/heads/a", "")
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater, after(0.1, path.unlink):
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
    assert (repo.rev("a"), said) == (one, [])


def test_a_lock_that_stays_is_an_error_that_names_it(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_updates, "LONGEST_WAIT", 0.2)
    path = lock(repo, "refs/heads/a", ONE + "\n")
    with RefUpdater(repo.open()) as updater, pytest.raises(RefLocked, match=str(path)):
        updater.move([RefUpdate("refs/heads/a", NOTHING, repo.commit("one"))], "try")
    assert path.exists()


def test_a_lock_whose_owner_dies_while_we_wait_is_released(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    owner = MoveRecord(git_folder(repo))
    owner.write({"refs/heads/a": two})
    lock(repo, "refs/heads/a", two + "\n")
    assert owner.handle is not None
    handle = owner.handle
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater, after(0.3, lambda: os.close(handle)):
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
    assert repo.rev("a") == one
    assert said == ["removed the lock on 'refs/heads/a' that a killed git left"]


PROGRAM = """
import sys
from pathlib import Path
from git_retcon.git.ref_updates import NOTHING, RefUpdate, RefUpdater
from git_retcon.git.repository import open_repository

with RefUpdater(open_repository(Path.cwd())) as updater:
    updater.move([RefUpdate("refs/heads/a", NOTHING, sys.argv[1])], "try")
"""
RUN, GIT = """$(ps -o ppid= -p "$PPID" | tr -d ' ')""", "$PPID"


def killed(repo: TestRepository, victims: str, pause: float = 0) -> int:
    """Run a move whose git, while it holds the lock, kills; how the program ended."""
    hook = git_folder(repo) / "hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\n[ "$1" = prepared ] || exit 0\nkill -9 {victims}; sleep {pause}\n')
    hook.chmod(0o755)
    ended = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, repo.rev("HEAD")],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.DEVNULL,
        check=False,
    )
    hook.unlink()
    return ended.returncode


def test_killed_together_with_its_git_the_next_run_releases(repo: TestRepository) -> None:
    one = repo.commit("one")
    assert killed(repo, f"{RUN} {GIT}") == -signal.SIGKILL
    assert (git_folder(repo) / "refs/heads/a.lock").exists()
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater:
        assert said == ["removed the lock on 'refs/heads/a' that a killed git left"]
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "again")
    assert repo.rev("a") == one


def test_a_git_killed_alone_is_said_and_leaves_no_lock(repo: TestRepository) -> None:
    one = repo.commit("one")
    hook = git_folder(repo) / "hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" != prepared ] || kill -9 $PPID\n')
    hook.chmod(0o755)
    said: list[str] = []
    with RefUpdater(repo.open(), said.append) as updater:
        with pytest.raises(RefRefusal, match="nothing was moved: ended by signal 9"):
            updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "try")
        assert said == ["removed the lock on 'refs/heads/a' that a killed git left"]
        hook.unlink()
        updater.move([RefUpdate("refs/heads/a", NOTHING, one)], "again")
    assert repo.rev("a") == one


def test_killed_alone_its_git_is_waited_for(repo: TestRepository) -> None:
    one = repo.commit("one")
    assert killed(repo, RUN, pause=0.5) == -signal.SIGKILL
    assert (git_folder(repo) / "refs/heads/a.lock").exists()
    with RefUpdater(repo.open()):
        # Either it has moved the ref or it has not; it is not in the middle of it any more.
        assert not (git_folder(repo) / "refs/heads/a.lock").exists()
        assert repo.git("for-each-ref", "--format=%(objectname)", "refs/heads/a") in ("", one)
    assert records(repo) == []


def test_no_git_is_waited_for_whose_run_still_lives(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_locks, "_SILENT_WAIT", 0)
    living = MoveRecord(git_folder(repo))
    living.write({"refs/heads/a": ONE})
    wait_for_orphans(git_folder(repo), pytest.fail)
    living.close()


@contextlib.contextmanager
def after(seconds: float, do: Callable[[], object]) -> Iterator[None]:
    """Do something in the middle of the block."""
    timer = threading.Timer(seconds, do)
    timer.start()
    try:
        yield
    finally:
        timer.join()
