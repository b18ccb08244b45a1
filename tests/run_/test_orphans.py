"""What leaves its group, clears its environment and outlives its parents ends with its command."""

import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from git_retcon.run import orphans, process_group
from git_retcon.run.environment import command_environment
from git_retcon.run.process_table import Process, list_children, read_processes
from git_retcon.run.shell_command import run_command
from git_retcon.run.stray_processes import MARK

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc to look in")

# Forked twice, in a session of its own, with nothing of the environment left.
DAEMON = """
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
for descriptor in range(3):
    os.close(descriptor)
os.execve(sys.executable, [sys.executable, "-S", "-c", {body!r}], {{}})
"""
BEAT = "import time\nwhile True:\n open({path!r}, 'a').write('x')\n time.sleep(0.02)"


def daemon(beat: Path) -> str:
    program = DAEMON.format(body=BEAT.format(path=str(beat)))
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(program)}"


def until_there(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.exists()


def goes_on(beat: Path) -> bool:
    size = beat.stat().st_size
    time.sleep(0.3)
    return beat.stat().st_size > size


def test_a_daemon_ends_with_its_command(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    wait = f"while ! test -e {beat}; do sleep 0.01; done"
    done = run_command(f"{daemon(beat)}; {wait}", cwd=tmp_path, env=command_environment())
    assert done.passed, done.output
    assert not goes_on(beat)


@pytest.mark.slow
def test_a_daemon_of_a_command_that_is_late_ends_too(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    command = f"{daemon(beat)}; while ! test -e {beat}; do sleep 0.01; done; sleep 60"
    done = run_command(command, cwd=tmp_path, env=command_environment(), timeout=3)
    assert done.timed_out
    assert beat.exists() and not goes_on(beat)


def test_what_was_there_before_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        time.sleep(0.05)  # the kernel counts starts in hundredths of a second
        assert run_command("true", cwd=tmp_path, env=command_environment()).passed
        assert other.poll() is None
        other.kill()


def test_a_daemon_of_another_command_that_still_runs_is_left_alone(tmp_path: Path) -> None:
    beat, end = tmp_path / "beat", tmp_path / "end"
    background = f"(setsid sh -c 'while :; do echo x >>{beat}; sleep 0.02; done' &)"
    command = f"{background}; while ! test -e {end}; do sleep 0.02; done"
    env = command_environment()
    long = threading.Thread(
        target=lambda: run_command(command, cwd=tmp_path, env={**env, MARK: "other"})
    )
    # The short one begins first, so that the other's processes are younger than it.
    short = threading.Thread(
        target=lambda: run_command(
            f"while ! test -e {beat}; do sleep 0.02; done", cwd=tmp_path, env=env
        )
    )
    short.start()
    time.sleep(0.05)
    long.start()
    short.join()
    assert goes_on(beat)
    end.touch()
    long.join()
    assert not goes_on(beat)


def test_no_dead_process_is_left_to_us(tmp_path: Path) -> None:
    """In a process of its own: this one may have children of other tests."""
    program = (
        "import os, pathlib, sys\n"
        "from git_retcon.run.environment import command_environment as env\n"
        "from git_retcon.run.shell_command import run_command\n"
        "run_command('(setsid true &); sleep 0.1', cwd=pathlib.Path(sys.argv[1]), env=env())\n"
        "try:\n"
        "    print(os.waitpid(-1, os.WNOHANG))\n"
        "except ChildProcessError:\n"
        "    print('no child')\n"
    )
    argv = [sys.executable, "-P", "-c", program, str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout == "no child\n"


def test_a_command_that_left_nothing_costs_no_look_at_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if list_children() is None:
        pytest.skip("the system does not list children")
    looked: list[bool] = []

    def look() -> dict[int, Process]:
        looked.append(True)
        return {}

    monkeypatch.setattr(orphans, "read_processes", look)
    monkeypatch.setattr(process_group, "read_processes", look)
    with subprocess.Popen(["sleep", "60"]) as older:  # a child of ours is no orphan
        done = run_command("echo a | cat", cwd=tmp_path, env=command_environment())
        older.kill()
    assert (done.output, looked) == (b"a\n", [])


def begin_sleep() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(["sleep", "60"], start_new_session=True)


def end_sleep(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


def look_meanwhile(leader: Process, seen: list[set[int]]) -> threading.Thread:
    """A thread of another command that looks for what this one left."""
    thread = threading.Thread(
        target=lambda: seen.append(orphans.find_orphans(leader, read_processes()))
    )
    thread.start()
    return thread


def test_a_command_that_another_thread_just_started_is_no_orphan() -> None:
    seen: list[set[int]] = []
    with orphans.adopting_orphans():
        first = orphans.start_leader(begin_sleep, b"")
        with orphans.register_leader(first.pid, b"") as leader:
            assert leader is not None

            def begin() -> "subprocess.Popen[bytes]":
                process = begin_sleep()
                threads.append(look_meanwhile(leader, seen))
                time.sleep(0.2)  # it has seen the process by now, and waits to hear whose it is
                return process

            threads: list[threading.Thread] = []
            second = orphans.start_leader(begin, b"")
            threads[0].join()
            with orphans.register_leader(second.pid, b""):
                assert seen == [set()]
                end_sleep(second)
            end_sleep(first)


def test_what_watches_a_worktree_and_what_jobs_keep_are_no_orphans(tmp_path: Path) -> None:
    mark = b"%s=%s" % (MARK.encode(), bytes(tmp_path))
    marked = {**command_environment(), MARK: str(tmp_path)}
    with orphans.adopting_orphans():
        first = orphans.start_leader(begin_sleep, b"")
        with (
            orphans.register_leader(first.pid, b"") as leader,
            orphans.hold_helper(begin_sleep) as helper,
        ):
            assert leader is not None
            server = subprocess.Popen(["sleep", "60"], start_new_session=True, env=marked)
            with orphans.keep_marked(mark):
                assert orphans.find_orphans(leader, read_processes()) == set()
            assert orphans.find_orphans(leader, read_processes()) == {server.pid}
            for each in (server, helper):
                end_sleep(each)
        end_sleep(first)
