"""What a job's commands leave running lives to the end of the job, and no longer."""

import sys
import time
from pathlib import Path

import pytest

from git_retcon.run.background import Background, keep_background
from git_retcon.run.environment import command_environment
from git_retcon.run.shell_command import Outcome, run_command
from git_retcon.run.stray_processes import MARK
from tests.run_.test_orphans import daemon, goes_on
from tests.run_.test_shell_command import alive, eventually, written_pid

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc to look in")

BEATS = "while :; do echo x; echo x >>beat; sleep 0.02; done"


def run(command: str, root: Path, background: Background, timeout: float = 20) -> Outcome:
    env = {**command_environment(), MARK: str(root)}
    return run_command(command, cwd=root, env=env, timeout=timeout, background=background)


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["({}) & echo $! >pid", "setsid sh -c 'echo $$ >pid; {}' &"])
def test_it_lives_to_the_end_of_the_job(tmp_path: Path, leave: str) -> None:
    with keep_background(tmp_path) as background:
        assert run(leave.format(BEATS), tmp_path, background).passed
        # Its output goes on being read, so that it does not end at a full or closed pipe.
        assert run("sleep 0.2; test -s beat", tmp_path, background).passed
        assert goes_on(tmp_path / "beat")
        assert not run("sleep 60", tmp_path, background, timeout=0.1).passed
        assert alive(written_pid(tmp_path / "pid"))
    assert not goes_on(tmp_path / "beat")
    assert not alive(written_pid(tmp_path / "pid"))


def test_it_is_asked_to_end_before_it_must(tmp_path: Path) -> None:
    with keep_background(tmp_path) as background:
        tidies = "trap 'echo tidy >left; exit' TERM; : >ready; while :; do sleep 0.02; done"
        until_ready = "while ! test -e ready; do sleep 0.02; done"
        run(f"({tidies}) >&- 2>&- & {until_ready}", tmp_path, background)
    assert (tmp_path / "left").read_text() == "tidy\n"


def test_what_hides_from_its_parents_ends_too(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    with keep_background(tmp_path) as background:
        run(f"{daemon(beat)}; while ! test -e beat; do sleep 0.01; done", tmp_path, background)
        assert goes_on(beat)
    assert not goes_on(beat)


def test_a_later_command_can_end_it_and_sees_it_go(tmp_path: Path) -> None:
    with keep_background(tmp_path) as background:
        run("sleep 60 >&- 2>&- & echo $! >pid", tmp_path, background)
        stop = "kill $(cat pid); while kill -0 $(cat pid) 2>/dev/null; do sleep 0.02; done"
        assert run(stop, tmp_path, background, timeout=10).passed


def test_output_that_is_on_its_way_is_not_left(tmp_path: Path) -> None:
    with keep_background(tmp_path) as background:
        done = run("bash -c 'echo seen > >(sleep 0.2; cat)'", tmp_path, background)
    assert done.output == b"seen\n"


def test_a_sandboxed_command_leaves_nothing(tmp_path: Path) -> None:
    with keep_background(tmp_path) as background:
        run_command(
            "sleep 60 & echo $! >pid",
            cwd=tmp_path,
            env=command_environment(),
            prefix=["env"],
            background=background,
        )
        assert eventually(lambda: not alive(written_pid(tmp_path / "pid")))


@pytest.mark.slow
def test_a_flood_in_the_background_holds_nobody_up(tmp_path: Path) -> None:
    with keep_background(tmp_path) as background:
        run("yes & ", tmp_path, background)
        started = time.monotonic()
        assert run("sleep 0.1; echo done", tmp_path, background).output == b"done\n"
        assert time.monotonic() - started < 10
