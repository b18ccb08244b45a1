"""``git allium install-hook``: commits are described behind their author's back."""

import fcntl
import os
import stat
import time
from pathlib import Path

import pytest

from tests.allium.history_shapes import BRANCH, entity
from tests.program import CHECKOUT, allium_here
from tests.repository import TestRepository


@pytest.fixture
def hooked(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> TestRepository:
    monkeypatch.setenv("PATH", f"{CHECKOUT / 'bin'}{os.pathsep}{os.environ['PATH']}")
    allium_here(repo.path, "install-hook", "-q").ok()
    return repo


def commit(repo: TestRepository, name: str) -> None:
    """A commit by git itself, which runs hooks."""
    repo.write({f"src/{name}/{name}.py": entity(name.title(), "n")})
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", name)


def wait_for_description(repo: TestRepository) -> None:
    """Wait until the spec branch describes HEAD, and the run that did it has let go of it: another
    one would say that it met that.
    """
    for _ in range(600):
        described = repo.git("for-each-ref", f"refs/heads/{BRANCH}", "--format=%(contents)")
        if repo.rev("HEAD") in described:
            for lock in (repo.path / ".git/allium/locks").iterdir():
                with lock.open() as held:
                    fcntl.flock(held, fcntl.LOCK_EX)
            return
        time.sleep(0.1)
    raise AssertionError((repo.path / ".git/allium/hook.log").read_text())


@pytest.mark.slow
def test_what_was_committed_meanwhile_is_described_too(hooked: TestRepository) -> None:
    for name in ("one", "two", "three", "four"):
        commit(hooked, name)
    wait_for_description(hooked)
    assert hooked.git("rev-list", "--count", BRANCH) == "4"
    assert hooked.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_only_a_long_log_is_cut(hooked: TestRepository) -> None:
    log = hooked.path / ".git/allium/hook.log"
    log.parent.mkdir(exist_ok=True)
    for before, after in ((30_000, 30_000), (60_000, 20_000)):
        log.write_text("x" * before)
        commit(hooked, f"of{before}")
        wait_for_description(hooked)
        assert len(log.read_text()) == after


@pytest.mark.slow
def test_nobody_who_reads_what_a_commit_says_waits(hooked: TestRepository) -> None:
    # A program that never ends, in place of ours.
    slow = hooked.path.parent / "bin"
    slow.mkdir()
    (slow / "git-allium").write_text("#!/bin/sh\necho $$ >$0.pid\nexec sleep 1000\n")
    (slow / "git-allium").chmod(0o755)
    os.environ["PATH"] = f"{slow}{os.pathsep}{os.environ['PATH']}"
    commit(hooked, "one")  # returns only when standard output and error are closed
    for _ in range(100):
        if (slow / "git-allium.pid").exists() and (slow / "git-allium.pid").read_text():
            break
        time.sleep(0.1)
    os.kill(int((slow / "git-allium.pid").read_text()), 9)


def test_a_commit_succeeds_where_the_hook_can_do_nothing(hooked: TestRepository) -> None:
    (hooked.path / ".git/allium").write_text("in the way\n")
    commit(hooked, "one")
    assert hooked.git("log", "--format=%s") == "one"


def test_the_hook_is_there_and_goes_again(hooked: TestRepository) -> None:
    hook = Path(hooked.path / ".git/hooks/post-commit")
    assert hook.stat().st_mode & stat.S_IXUSR
    told = allium_here(hooked.path, "install-hook").ok()
    assert (told.out, told.err) == (
        f"{hook}\n",
        f"each commit from here is described by '{hook}'\n",
    )
    allium_here(hooked.path, "install-hook", "--uninstall").ok()
    assert not hook.exists()
    hook.write_text("#!/bin/sh\nmine\n")
    other = allium_here(hooked.path, "install-hook")
    assert (other.status, hook.read_text()) == (1, "#!/bin/sh\nmine\n")
    assert "hint: git allium evolve --offline --quiet </dev/null >/dev/null 2>&1 &" in other.err
