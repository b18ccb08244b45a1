"""A command ends with everything it started."""

import signal
from pathlib import Path

import pytest

from tests.run_.test_shell_command import alive, run, written_pid


def test_the_deadline_ends_grandchildren_too(tmp_path: Path) -> None:
    done = run("sh -c 'echo $$ >pid; sleep 60; true'; true", tmp_path, timeout=0.5)
    assert done.timed_out and not done.passed
    assert 0.5 <= done.seconds < 2
    assert not alive(written_pid(tmp_path / "pid"))


@pytest.mark.slow
def test_who_ignores_the_polite_signal_is_ended_all_the_same(tmp_path: Path) -> None:
    done = run("trap '' TERM; echo $$ >pid; while :; do sleep 1; done", tmp_path, timeout=0.3)
    assert done.timed_out and done.status == 128 + signal.SIGKILL
    assert not alive(written_pid(tmp_path / "pid"))


def test_there_is_time_to_tidy_up_after_the_polite_signal(tmp_path: Path) -> None:
    done = run("trap 'echo bye; exit 9' TERM; while :; do sleep 0.1; done", tmp_path, timeout=0.3)
    assert (done.status, done.timed_out) == (9, True)
    assert b"bye\n" in done.output  # the shell may say "Terminated" of its sleep too
