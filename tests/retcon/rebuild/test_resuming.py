"""A run that was killed goes on, and nothing is lost or done twice.

A law over ``rebuild.run``, ``rebuild.loop`` and ``branch.writer``.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.program import CHECKOUT, retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, kill_at, messy_branch, recorded

SUBJECTS = ["Count money in cents", "Total a shop's rows", "Say what this is"]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def finished(scene: Scene) -> None:
    """Everything is there once, recorded, and equal to the source."""
    scene.promise()
    assert scene.repo.subjects("main..clean") == SUBJECTS
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["prepared", "committed"])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_kill_9_around_every_move_of_the_branch(scene: Scene, moment: str, count: int) -> None:
    kill_at(scene, moment, count)
    assert scene.run().status == -signal.SIGKILL
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    scene.run().ok()
    finished(scene)
    assert scene.repo.git("for-each-ref", "refs/heads/clean.lock") == ""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["prepared", "committed"])
def test_kill_9_of_the_run_and_of_its_git_leaves_no_lock(scene: Scene, moment: str) -> None:
    kill_at(scene, moment, 2, whom="both")
    assert scene.run().status == -signal.SIGKILL
    left = locks(scene)
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    done = scene.run().ok()
    finished(scene)
    names = ["refs/heads/clean", "refs/notes/retcon"] if moment == "prepared" else []
    assert left == names
    for name in names:
        assert f"warning: removed the lock on '{name}' that a killed git left\n" in done.err
    assert locks(scene) == []


@pytest.mark.slow
def test_kill_9_of_git_alone_leaves_no_lock(scene: Scene) -> None:
    kill_at(scene, "prepared", 2, whom="git")
    done = scene.run()
    assert done.status == 128
    assert "fatal: nothing was moved: ended by signal 9 (Killed)\n" in done.err
    assert locks(scene) == []
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    scene.run().ok()
    finished(scene)


@pytest.mark.slow
def test_a_run_waits_for_the_git_that_a_killed_one_left(scene: Scene) -> None:
    kill_at(scene, "prepared", 2)
    hook = scene.repo.path / ".git/hooks/reference-transaction"
    hook.write_text(hook.read_text().replace("sleep 0.2", "sleep 2"))
    assert scene.run().status == -signal.SIGKILL
    assert locks(scene) == ["refs/heads/clean", "refs/notes/retcon"]
    hook.write_text("#!/bin/sh\n")
    done = scene.run().ok()
    assert "warning: waiting for the git process that a killed run left\n" in done.err
    finished(scene)
    assert locks(scene) == []


def test_undo_releases_what_a_killed_run_left(scene: Scene) -> None:
    kill_at(scene, "prepared", 3, whom="both")
    scene.run()
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    done = retcon(scene.repo.path, "undo", "history.toml").ok()
    assert "warning: removed the lock on 'refs/heads/clean' that a killed git left\n" in done.err
    assert locks(scene) == []


def locks(scene: Scene) -> list[str]:
    """The refs that are locked."""
    top = scene.repo.path / ".git"
    return sorted(str(path.relative_to(top))[:-5] for path in (top / "refs").rglob("*.lock"))


@pytest.mark.slow
@pytest.mark.parametrize("build", [1, 2, 3])
def test_kill_9_during_a_build(scene: Scene, build: int) -> None:
    counter = scene.repo.path / ".git/builds"
    command = f"echo x >> {counter}; [ $(wc -l < {counter}) != {build} ] || kill -9 $PPID; {BUILD}"
    scene.write_spec(SPEC.replace(BUILD, command))
    assert scene.run().status == -signal.SIGKILL
    done = scene.run().ok()
    assert f"Resuming from commit {build}/3 (previously in progress)..." in done.err
    finished(scene)


@pytest.mark.slow
def test_ctrl_c_during_a_build_ends_it_and_exits_130(scene: Scene) -> None:
    mark = scene.repo.path / ".git/started"
    scene.write_spec(SPEC.replace(BUILD, f"touch {mark}; sleep 61.7"))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "git_retcon.commands.retcon", "history.toml"],
        cwd=scene.repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(600):
        if mark.exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.endswith(
        "error: interrupted\nhint: run the same command again: it goes on where this one ended\n"
    )
    left = subprocess.run(["pgrep", "-fx", "sleep 61.7"], capture_output=True, check=False)
    assert left.stdout == b""
    scene.run("--build", BUILD).ok()
    finished(scene)


def test_a_killed_run_ends_the_same_as_one_that_was_not(scene: Scene) -> None:
    copy = scene.repo.path.parent / "copy"
    subprocess.run(["cp", "-r", scene.repo.path, copy], check=True)
    retcon(copy, "history.toml").ok()
    kill_at(scene, "committed", 3)
    scene.run()
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    scene.run().ok()
    assert scene.repo.rev("clean") == TestRepository(copy).rev("clean")


def test_new_commits_on_the_source_become_a_leftover(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"later.txt": "later\n"})
    scene.repo.git("checkout", "-q", "main")
    scene.run().ok()
    assert scene.repo.subjects("main..clean") == [
        *SUBJECTS,
        "WIP: remaining changes from feature",
    ]
    scene.promise()


@pytest.mark.slow
def test_a_full_disk_while_saving_the_spec_loses_nothing(scene: Scene, tmp_path: Path) -> None:
    size = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(_mount_point(tmp_path))],
        capture_output=True,
        check=False,
    )
    if size.returncode != 0:
        pytest.skip("a small file system needs the right to mount one")
    try:
        place = tmp_path / "small"
        (place / "h.toml").write_text(SPEC)
        with contextlib.suppress(OSError):
            (place / "filler").write_bytes(b"x" * 65536)
        done = retcon(scene.repo.path, str(place / "h.toml"))
        assert done.status == 128
        assert "No space left on device" in done.err
        (place / "filler").unlink()
        retcon(scene.repo.path, str(place / "h.toml")).ok()
        scene.promise()
        assert scene.repo.subjects("main..clean") == SUBJECTS
    finally:
        subprocess.run(["umount", str(tmp_path / "small")], check=True)


def _mount_point(tmp_path: Path) -> Path:
    place = tmp_path / "small"
    place.mkdir()
    return place
