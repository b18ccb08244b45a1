"""A signal at any instant of a command's life: it takes effect, and nothing outlives it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.errors import UserError
from git_retcon.run.environment import sandboxed_environment
from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.level import Policy, choose
from tests.program import CHECKOUT

pytestmark = pytest.mark.slow

# Interrupts itself at a random instant of each start, and counts who was interrupted.
_OFTEN = """
import json, os, random, signal, sys, threading
from pathlib import Path
from git_retcon.run.shell_command import run_command
from git_retcon.run.environment import command_environment
times, span, number, prefix, command = json.loads(sys.argv[1])
def raising(*_):
    raise KeyboardInterrupt
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(each, raising)
chance = random.Random(1)
interrupted = 0
for _ in range(times):
    send = threading.Timer(chance.uniform(0, span), os.kill, (os.getpid(), number))
    try:
        send.start()
        run_command(command, cwd=Path.cwd(), env=command_environment(), timeout=20, prefix=prefix)
    except KeyboardInterrupt:
        interrupted += 1
    send.join()
assert all(signal.getsignal(n) is raising for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
print(interrupted)
"""


def marked(mark: str) -> list[str]:
    """The command lines of the processes that have a mark in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


def often(
    tmp_path: Path, times: int, span: float, number: int, prefix: list[str], command: str
) -> int:
    """How many of so many interrupted commands were, ``span`` seconds from their start at most.

    None of them may have left a process.
    """
    mark = f"TRIED_IN={tmp_path}"
    done = subprocess.run(
        [sys.executable, "-c", _OFTEN, json.dumps([times, span, number, prefix, command])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **dict([mark.split("=", 1)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert marked(mark) == []
    return int(done.stdout)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc to look in")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_none_outlives_an_interrupt_while_it_starts(tmp_path: Path, number: int) -> None:
    assert often(tmp_path, 120, 0.006, number, [], "sleep 600 & sleep 600") == 120


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc to look in")
def test_none_outlives_an_interrupt_while_its_sandbox_starts(tmp_path: Path) -> None:
    try:
        sandbox = choose(Policy.REQUIRE)
    except UserError:
        pytest.skip("no sandbox works here")
    prefix = sandbox.prefix(confine_to(tmp_path, sandboxed_environment()))
    assert often(tmp_path, 8, 0.02, signal.SIGINT, prefix, "sleep 600 & sleep 600") == 8


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc to look in")
def test_none_outlives_an_interrupt_while_it_ends(tmp_path: Path) -> None:
    interrupted = often(tmp_path, 60, 0.02, signal.SIGINT, [], "sleep 600 & sleep 0.004")
    assert interrupted == 60
