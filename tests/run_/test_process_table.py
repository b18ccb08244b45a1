"""Processes are read as the system shows them, with any names."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_retcon.run.process_table import (
    Process,
    descendants,
    list_children,
    machine_memory,
    private_memory,
    read_process,
    read_processes,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc to look in")


def made(pid: int, parent: int) -> Process:
    return Process(pid, b"S", parent, pid, pid, 0)


def test_this_process_is_read() -> None:
    found = read_process(os.getpid())
    assert found is not None
    assert (found.parent, found.group, found.session) == (
        os.getppid(),
        os.getpgrp(),
        os.getsid(0),
    )
    assert not found.is_dead
    assert read_processes()[os.getpid()] == found


def test_a_name_with_a_parenthesis_and_a_space_confuses_nobody(tmp_path: Path) -> None:
    sleep = shutil.which("sleep")
    assert sleep is not None
    program = tmp_path / "a) S 1 (b"
    shutil.copy(sleep, program)
    with subprocess.Popen([program, "60"]) as child:
        found = read_process(child.pid)
        child.kill()
        assert found is not None and found.parent == os.getpid()


def test_the_dead_that_nobody_reaped_are_dead() -> None:
    child = subprocess.Popen(["true"])
    until = time.monotonic() + 10
    while (found := read_process(child.pid)) and not found.is_dead and time.monotonic() < until:
        time.sleep(0.01)
    assert found is not None and found.is_dead
    child.wait()
    assert read_process(child.pid) is None


def test_children_are_all_that_were_started_here_and_are_not_reaped() -> None:
    children = list_children()
    if children is None:
        pytest.skip("the system does not list children")
    living, dead = subprocess.Popen(["sleep", "60"]), subprocess.Popen(["true"])
    grandchild = ["sh", "-c", "sleep 60 & echo $!; wait"]
    with subprocess.Popen(grandchild, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        below = int(parent.stdout.readline())
        found = (list_children() or set()) - children
        os.kill(below, signal.SIGTERM)
    living.kill()
    living.wait()
    dead.wait()
    assert found == {living.pid, dead.pid, parent.pid}


def test_descendants_are_all_that_hang_on_the_roots() -> None:
    table = {each.pid: each for each in (made(1, 0), made(2, 1), made(3, 2), made(4, 1))}
    assert descendants({2}, table) == {2, 3}
    assert descendants({1}, table) == {1, 2, 3, 4}
    assert descendants(set(), table) == set()
    circle = {each.pid: each for each in (made(1, 2), made(2, 1))}
    assert descendants({1}, circle) == {1, 2}


def test_memory_is_what_a_process_holds_by_itself() -> None:
    held = private_memory({os.getpid()})
    assert 1 << 20 < held < machine_memory()
    assert private_memory({2**22 + 1}) == 0
