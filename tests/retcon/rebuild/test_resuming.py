"""Killed, edited, helped by hand: the same command goes on, and nothing is lost or done twice."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.program import CHECKOUT, retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch

SUBJECTS = ["Count money in cents", "Total a shop's rows", "Say what this is"]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def recorded(scene: Scene) -> list[str]:
    """Every commit the spec names, in order."""
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    return [oid for commit in shown["commits"] for oid in commit["commits"]]


def finished(scene: Scene) -> None:
    """Everything is there once, recorded, and equal to the source."""
    scene.promise()
    assert scene.repo.subjects("main..clean") == SUBJECTS
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


def kill_at(scene: Scene, moment: str, count: int) -> None:
    """Have git kill the run with SIGKILL when it moves the cleaned branch for the n-th time.

    ``prepared`` is before the branch moves, ``committed`` after it has and before the spec is
    saved: the hook's grandparent is the run itself.
    """
    hook = scene.repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    counter = scene.repo.path / ".git/moves"
    hook.write_text(
        f"""#!/bin/sh
[ "$1" = {moment} ] && grep -q refs/heads/clean || exit 0
echo x >> {counter}
[ "$(wc -l < {counter})" = {count} ] || exit 0
kill -9 "$(ps -o ppid= -p "$PPID" | tr -d ' ')"
sleep 0.2
"""
    )
    hook.chmod(0o755)


@pytest.mark.parametrize("moment", ["prepared", "committed"])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_kill_9_around_every_move_of_the_branch(scene: Scene, moment: str, count: int) -> None:
    kill_at(scene, moment, count)
    assert scene.run().status == -signal.SIGKILL
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    scene.run().ok()
    finished(scene)
    assert scene.repo.git("for-each-ref", "refs/heads/clean.lock") == ""


@pytest.mark.parametrize("build", [1, 2, 3])
def test_kill_9_during_a_build(scene: Scene, build: int) -> None:
    counter = scene.repo.path / ".git/builds"
    command = f"echo x >> {counter}; [ $(wc -l < {counter}) != {build} ] || kill -9 $PPID; {BUILD}"
    scene.write_spec(SPEC.replace(BUILD, command))
    assert scene.run().status == -signal.SIGKILL
    done = scene.run().ok()
    assert f"Resuming from commit {build}/3 (previously in progress)..." in done.err
    finished(scene)


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


def stuck(scene: Scene, build: str = "test ! -e price.py") -> None:
    """A branch that is stuck at its second commit, because the source itself fails."""
    scene.write_spec(SPEC.replace(BUILD, build))
    done = scene.run()
    assert done.status == 1
    assert done.err.endswith("\nStopped at commit 2/3. See history.toml for details.\n")


def test_stuck_says_so_saves_it_and_stops(scene: Scene) -> None:
    stuck(scene)
    assert "'feature' itself fails this build (exit status 1)" in scene.spec.read_text()
    shown = retcon(scene.repo.path, "status", "history.toml")
    assert shown.status == 1
    assert shown.out.splitlines()[:3] == [
        "clean: 1 of 3 commits complete",
        "✓ 1. Count money in cents [complete]",
        "✗ 2. Total a shop's rows [stuck]",
    ]


def test_unchanged_it_says_so_again_and_builds_nothing(scene: Scene) -> None:
    counter = scene.repo.path / ".git/builds"
    stuck(scene, f"echo x >> {counter}; test ! -e price.py")
    before = counter.read_text(), scene.spec.read_bytes()
    again = scene.run()
    assert again.status == 1
    assert "Resuming from commit 2/3 (previously stuck)..." in again.err
    assert "warning: nothing has changed since" in again.err
    assert (counter.read_text(), scene.spec.read_bytes()) == before


def test_resolved_tries_again_and_shows_the_note(scene: Scene) -> None:
    stuck(scene)
    done = retcon(scene.repo.path, "resolve", "history.toml", "the build was wrong")
    assert done.status == 0
    assert '{ resolved = "the build was wrong" },' in scene.spec.read_text()
    again = scene.run("--build", BUILD).ok()
    assert "(previously resolved)..." in again.err
    assert "the build was wrong" in again.err
    finished(scene)
    assert retcon(scene.repo.path, "resolve", "history.toml", "x").status == 128


def test_a_persons_fix_on_the_branch_is_adopted(scene: Scene) -> None:
    stuck(scene)
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    done = scene.run("--build", BUILD).ok()
    assert f"Recording your commit {mine[:7]} in commit 2: Help it along" in done.err
    # The source has no such file, so that the branch may not end with it.
    assert f"takes back from your commit {mine[:7]} 'Help it along' what 'feature' has" in done.err
    assert f"'git cherry-pick {mine[:12]}' there" in done.err
    scene.promise()
    assert mine in recorded(scene)
    assert mine in scene.repo.git("rev-list", "main..clean").splitlines()


def test_a_finished_branch_may_be_rewritten_by_hand(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.git("commit-tree", "clean^{tree}", "-p", "main", "-m", "all in one")
    scene.repo.git("update-ref", "refs/heads/clean", tip)
    assert scene.run().ok().out.startswith("Complete!")
    assert scene.repo.rev("clean") == tip


def test_an_unrelated_tip_is_refused_with_the_way_out(scene: Scene) -> None:
    stuck(scene)
    built = recorded(scene)[-1]
    scene.repo.git("branch", "-f", "clean", "main")
    done = scene.run()
    assert done.status == 128
    assert f"hint: 'git branch -f clean {built[:12]}' goes back to it; --restart" in done.err


def test_a_branch_that_is_gone_is_named_with_the_way_back(scene: Scene) -> None:
    stuck(scene)
    built = recorded(scene)[-1]
    scene.repo.git("branch", "-D", "clean")
    done = scene.run()
    assert done.status == 128
    assert f"hint: 'git branch clean {built[:12]}' brings it back" in done.err
    scene.repo.git("branch", "clean", built)
    scene.run("--build", BUILD).ok()
    finished(scene)


def test_a_branch_that_was_renamed_is_named(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("branch", "-m", "clean", "tidy")
    done = scene.run()
    assert done.status == 128
    assert "hint: name 'tidy', which is there, as 'cleaned' in the spec; or 'git " in done.err
    scene.write_spec(scene.spec.read_text().replace('"clean"', '"tidy"'))
    assert "Rebuilding" not in scene.run().ok().err


def forget(scene: Scene) -> None:
    """Delete the branch and everything that only its reflog kept."""
    scene.repo.git("branch", "-D", "clean")
    scene.repo.git("reflog", "expire", "--expire=now", "--all")
    scene.repo.git("gc", "-q", "--prune=now")


def test_a_branch_that_gc_took_is_not_brought_back_at_the_merge_base(scene: Scene) -> None:
    stuck(scene)
    forget(scene)
    done = scene.run()
    assert done.status == 128
    assert "records commits on 'clean', but that branch and all of those commits are gone" in (
        done.err
    )
    assert "hint: 'git fetch' it from where it was published, or --restart" in done.err
    scene.run("--restart", "--build", BUILD).ok()
    finished(scene)


def test_what_gc_left_of_a_branch_is_brought_back(scene: Scene) -> None:
    scene.run().ok()
    first = recorded(scene)[0]
    scene.repo.git("tag", "kept", first)
    forget(scene)
    done = scene.run()
    assert "but that branch and some of those commits are gone" in done.err
    assert f"hint: 'git branch clean {first[:12]}' brings it back (what it lacks" in done.err
    scene.repo.git("branch", "clean", first)
    scene.run().ok()
    assert recorded(scene)[0] == first
    finished(scene)


def test_the_way_back_is_the_tip_wherever_the_merge_base_has_moved(scene: Scene) -> None:
    scene.run().ok()
    tip = recorded(scene)[-1]
    scene.repo.git("branch", "-D", "clean")
    scene.repo.git("branch", "-f", "feature", scene.repo.git("commit-tree", "feature^{tree}",
        "-p", scene.repo.commit("Meanwhile", {"other.txt": "on\n"}), "-m", "all"))  # fmt: skip
    assert f"hint: 'git branch clean {tip[:12]}' brings it back;" in scene.run().err


def test_commits_before_an_edit_of_the_spec_stay(scene: Scene) -> None:
    scene.run().ok()
    first, second, _ = recorded(scene)
    edited = scene.spec.read_text().replace("Total a shop's rows", "Add up the rows")
    scene.write_spec(edited)
    done = scene.run().ok()
    assert "Rebuilding from commit 2: its message, hints or files changed in the spec" in done.err
    assert recorded(scene)[0] == first
    assert second not in recorded(scene)
    assert scene.repo.subjects("main..clean")[1] == "Add up the rows"
    assert second in scene.repo.git("reflog", "--format=%H", "clean")
    scene.promise()


def test_an_edit_of_hints_while_stuck_rebuilds_that_commit(scene: Scene) -> None:
    stuck(scene)
    first = recorded(scene)[0]
    scene.write_spec(scene.spec.read_text().replace('files = ["price.py"', 'files = ["price.*"'))
    done = scene.run("--build", BUILD).ok()
    assert "Rebuilding from commit 2: its message, hints or files changed" in done.err
    assert recorded(scene)[0] == first
    finished(scene)


def test_reordered_commits_are_rebuilt_from_the_first_that_moved(scene: Scene) -> None:
    scene.run().ok()
    head, *commits = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, commits[0], commits[2], commits[1]]))
    done = scene.run().ok()
    assert "Rebuilding from commit 2: the commits before it changed in the spec" in done.err
    assert scene.repo.subjects("main..clean") == [SUBJECTS[0], SUBJECTS[2], SUBJECTS[1]]
    scene.promise()


def test_two_commits_merged_into_one(scene: Scene) -> None:
    scene.run().ok()
    text = scene.spec.read_text()
    head, *commits = text.split("[[commit]]")
    merged = '\nmessage = "All the code"\nfiles = ["*.py"]\n\n'
    scene.write_spec("[[commit]]".join([head, merged, commits[2]]))
    scene.run().ok()
    assert scene.repo.subjects("main..clean") == ["All the code", SUBJECTS[2]]
    scene.promise()


def test_one_commit_split_into_two(scene: Scene) -> None:
    scene.run().ok()
    scene.write_spec(
        scene.spec.read_text().replace(
            'files = ["price.py", "shop.py"]',
            'files = ["price.py"]\n\n[[commit]]\nmessage = "Shop"\nfiles = ["shop.py"]',
        )
    )
    scene.run().ok()
    assert scene.repo.subjects("main..clean") == [*SUBJECTS[:2], "Shop", SUBJECTS[2]]
    scene.promise()


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_deleted_history_is_built_again(scene: Scene, position: int) -> None:
    scene.run().ok()
    before = recorded(scene)
    head, *commits = scene.spec.read_text().split("[[commit]]")
    start = commits[position].index("history = [")
    commits[position] = commits[position][:start] + "\n"
    scene.write_spec("[[commit]]".join([head, *commits]))
    done = scene.run().ok()
    assert "Rebuilding from commit" in done.err
    assert recorded(scene)[:position] == before[:position]
    finished(scene)


def test_abbreviated_ids_are_read(scene: Scene) -> None:
    scene.run().ok()
    text = scene.spec.read_text()
    for oid in recorded(scene):
        text = text.replace(oid, oid[:7])
    scene.write_spec(text)
    assert "Rebuilding" not in scene.run().ok().err
    assert scene.spec.read_text() == text


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


def test_the_remote_may_move_on_while_a_spec_is_being_built(scene: Scene) -> None:
    stuck(scene)
    scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.run("--build", BUILD).ok()
    scene.promise()
    assert "other.txt" not in scene.repo.git("ls-tree", "--name-only", "clean")


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
