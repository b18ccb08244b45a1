"""A command ends: by itself, at its deadline or with us; and all that it started ends too."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import UserError
from git_retcon.run.environment import command_environment
from git_retcon.run.shell_command import Outcome, Sinks, run_command


def run(command: str, cwd: Path, timeout: float | None = 20) -> Outcome:
    return run_command(command, cwd=cwd, env=command_environment(), timeout=timeout)


def alive(process: int) -> bool:
    """Whether a process runs (the dead that nobody reaped do not)."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def written_pid(path: Path) -> int:
    assert eventually(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def test_output_is_one_stream_in_order(tmp_path: Path) -> None:
    done = run("echo one; echo two >&2; echo three; exit 3", tmp_path)
    assert (done.status, done.output) == (3, b"one\ntwo\nthree\n")
    assert not done.passed and not done.timed_out


def test_it_runs_in_the_directory_with_nothing_to_read(tmp_path: Path) -> None:
    assert run("pwd; cat", tmp_path).output == os.fsencode(tmp_path) + b"\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_signal_is_128_and_its_number(tmp_path: Path, number: int) -> None:
    assert run(f"kill -{int(number)} $$", tmp_path).status == 128 + number


def test_every_byte_reaches_the_log_and_the_callback(tmp_path: Path) -> None:
    seen: list[bytes] = []
    log = tmp_path / "log"
    log.write_bytes(b"earlier\n")
    size = 3_000_000
    done = run_command(
        f"head -c {size} /dev/zero",
        cwd=tmp_path,
        env=command_environment(),
        sinks=Sinks(log, seen.append),
    )
    assert log.stat().st_size == len("earlier\n") + size
    assert sum(map(len, seen)) == size
    assert len(done.output) < 140_000
    assert f"[{size - 2 * 65536} bytes left out]".encode() in done.output


def test_a_background_process_that_keeps_the_output_holds_nobody_up(tmp_path: Path) -> None:
    done = run("sleep 60 & echo $! >pid; echo done", tmp_path)
    assert done.passed and done.output == b"done\n"
    assert done.seconds < 5
    assert not alive(written_pid(tmp_path / "pid"))


def test_a_daemon_that_left_the_group_holds_nobody_up(tmp_path: Path) -> None:
    done = run("setsid sh -c 'echo $$ >pid; exec sleep 60' & sleep 0.3; echo done", tmp_path)
    assert done.passed and done.output == b"done\n"
    assert done.seconds < 5
    # Where the system does not show processes, nobody finds it.
    assert not sys.platform.startswith("linux") or not alive(written_pid(tmp_path / "pid"))


def test_a_command_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    done = run("exec >&- 2>&-; sleep 0.3; exit 4", tmp_path)
    assert done.status == 4
    assert done.seconds >= 0.3


def test_a_flood_of_output_does_not_outrun_the_deadline(tmp_path: Path) -> None:
    done = run("yes", tmp_path, timeout=0.3)
    assert done.timed_out and done.seconds < 3


def test_an_exception_of_the_callback_ends_the_command(tmp_path: Path) -> None:
    def refuse(chunk: bytes) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run_command(
            "echo $$ >pid; echo x; sleep 60",
            cwd=tmp_path,
            env=command_environment(),
            sinks=Sinks(on_output=refuse),
        )
    assert not alive(written_pid(tmp_path / "pid"))


@pytest.mark.parametrize("stubborn", ["", "trap '' TERM; "])
def test_ctrl_c_ends_the_command(tmp_path: Path, stubborn: str) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from git_retcon.run.shell_command import run_command\n"
        "from git_retcon.run.environment import command_environment as env\n"
        "run_command(sys.argv[2], cwd=Path(sys.argv[1]), env=env())"
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", program, tmp_path, f"{stubborn}echo $$ >pid; sleep 60 & sleep 60"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
    )
    shell = written_pid(tmp_path / "pid")
    ours.send_signal(signal.SIGINT)
    if stubborn:
        time.sleep(0.3)
        ours.send_signal(signal.SIGINT)  # an impatient second one
    _, said = ours.communicate(timeout=10)
    assert b"KeyboardInterrupt" in said
    assert not alive(shell)


def _many_descriptors(directory: str) -> None:
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    assert run("echo fine", Path(directory)).output == b"fine\n"
    assert len(held) == 1100


def test_more_open_files_than_select_can_hold_do_no_harm(tmp_path: Path) -> None:
    child = multiprocessing.get_context("spawn").Process(
        target=_many_descriptors, args=(str(tmp_path),)
    )
    child.start()
    child.join(20)
    assert child.exitcode == 0


def test_a_prefix_runs_the_shell(tmp_path: Path) -> None:
    done = run_command(
        "echo $A", cwd=tmp_path, env=command_environment(), prefix=["env", "A=wrapped"]
    )
    assert done.output == b"wrapped\n"


def test_a_command_whose_path_lacks_all_programs_fails(tmp_path: Path) -> None:
    done = run_command("ls", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert (done.status, b"not found" in done.output) == (127, True)


def test_what_the_user_can_fix_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot run a command in .*missing"):
        run("true", tmp_path / "absent")
    with pytest.raises(UserError, match="cannot run 'no-such-wrapper'"):
        run_command("true", cwd=tmp_path, env={"PATH": "/bin"}, prefix=["no-such-wrapper"])
    with pytest.raises(UserError, match="cannot write the log"):
        run_command(
            "true", cwd=tmp_path, env=command_environment(), sinks=Sinks(tmp_path / "no/log")
        )
