"""Run by test_checkout in a process that permissions bind, even where the tests run as root."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from git_retcon.git.repository import open_repository
from git_retcon.run.environment import command_environment
from git_retcon.run.kept_worktrees import remove_worktree
from git_retcon.run.worktree import open_worktree

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def bound() -> bool:
    """Whether this process is bound by permissions."""
    place = Path(sys.argv[1]) / "unreadable"
    place.mkdir(exist_ok=True, mode=0)
    return not os.access(place, os.R_OK)


def bind() -> None:
    """Begin again without root's right to pass over permissions."""
    for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.execv(sys.executable, [sys.executable, *sys.argv, "again"])


def main(place: Path) -> None:
    """Leave read-only directories in a worktree, then check out, reopen and remove it."""
    top = place / "repo"
    git = ["git", "-C", str(top), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    (top / "d").mkdir()
    (top / "d/x").write_text("1\n")
    (top / ".gitignore").write_text("cache\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    answer = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True)
    commit = answer.stdout.decode().strip()
    harm = "mkdir -p u/v cache/w; touch u/v/f cache/w/g d/y; rm d/x; chmod -R a-w u cache d"
    with open_worktree(place / "worktrees", open_repository(top), "build") as worktree:
        worktree.checkout(commit)
        assert worktree.run(harm, env=command_environment()).passed
        worktree.checkout(commit)
        assert (worktree.tree / "d/x").read_text() == "1\n"
        assert sorted(os.listdir(worktree.tree)) == [".git", ".gitignore", "cache", "d"]  # noqa: PTH208
        assert (worktree.tree / "cache/w/g").exists()
        assert worktree.run("chmod -R a-w .", env=command_environment()).passed
    with open_worktree(place / "worktrees", open_repository(top), "build") as worktree:
        worktree.checkout(commit)
        assert worktree.run("chmod a-rwx cache/w cache", env=command_environment()).passed
        for harm in ("555 ..", "555 ../git ..", "0 ../git/objects ../git/refs/heads ../git/info"):
            assert worktree.run(f"rm -f ../index; chmod {harm}", env=command_environment()).passed
            worktree.set_aside()
            assert worktree.run("chmod 555 ..", env=command_environment()).passed
            worktree.bring_back()
            worktree.checkout(commit)
            assert (worktree.tree / "d/x").read_text() == "1\n"
            assert worktree.run(f"chmod {harm}", env=command_environment()).passed
        os.chmod(worktree.root, 0o500)  # noqa: PTH101
    with open_worktree(place / "worktrees", open_repository(top), "build") as worktree:
        worktree.checkout(commit)
        assert worktree.run("chmod 555 ..", env=command_environment()).passed
    remove_worktree(worktree.root)
    assert not worktree.root.exists()


if __name__ == "__main__":
    if not bound():
        assert len(sys.argv) == 2, "permissions do not bind this process"
        bind()
    main(Path(sys.argv[1]))
