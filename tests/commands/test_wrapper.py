"""Exit codes and streams around the command, also when the terminal goes away."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.code_commit.project import new_project
from tests.program import CHECKOUT, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch

PROGRAM = f"{sys.executable} -P -m git_retcon.commands.retcon"
UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def shell(scene: Scene, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script in which ``$RETCON`` is the program."""
    return subprocess.run(
        ["bash", "-c", script],
        cwd=scene.repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "RETCON": PROGRAM},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_closed_streams_stop_nothing(scene: Scene) -> None:
    done = shell(scene, "$RETCON history.toml >&- 2>&- <&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    scene.promise()


@pytest.mark.slow
@pytest.mark.parametrize("script", ["$RETCON history.toml", "$RETCON history.toml --json -q"])
def test_a_reader_who_leaves_is_a_quiet_end(scene: Scene, script: str) -> None:
    both = shell(scene, f"{script} 2>&1 >/dev/null | true; echo ${{PIPESTATUS[0]}}")
    assert both.stdout in ("141\n", "0\n")
    assert both.stderr == ""
    data = shell(scene, f"{script} 2>err | true; echo ${{PIPESTATUS[0]}}")
    assert data.stdout in ("141\n", "0\n")
    assert "Exception" not in (scene.repo.path / "err").read_text()
    assert shell(scene, "$RETCON history.toml").returncode == 0
    scene.promise()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_output_that_cannot_be_written_is_said(scene: Scene) -> None:
    # so that it is kept back to the end, as it is for a user
    done = shell(scene, "env -u PYTHONUNBUFFERED $RETCON status history.toml >/dev/full")
    assert done.returncode == 128
    assert done.stderr.startswith("fatal: cannot write the output: no space left on device\nhint: ")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_hangup_ends_the_build_too(scene: Scene, number: int) -> None:
    mark = scene.repo.path / ".git/started"
    scene.write_spec(SPEC.replace(BUILD, f"echo $$ > {mark}; sleep 60; true"))
    process = subprocess.Popen(
        [*PROGRAM.split(), "history.toml"],
        cwd=scene.repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(1200):
        if mark.exists() and mark.read_text():
            break
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "\nerror: interrupted\nhint: " in said  # on a line of its own
    assert not Path(f"/proc/{mark.read_text().strip()}").exists()


def test_nohup_is_obeyed(scene: Scene) -> None:
    done = shell(scene, "trap '' HUP; $RETCON history.toml --build 'kill -HUP $PPID' 2>&1")
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="a file that even its owner cannot write")
def test_a_git_directory_that_cannot_be_written_is_said(scene: Scene) -> None:
    locks = scene.repo.path / ".git/retcon"
    locks.write_text("in the way")
    done = shell(scene, "$RETCON history.toml")
    assert done.returncode == 128
    assert done.stderr.startswith("Engine") or "fatal: cannot" in done.stderr
    assert "Traceback" not in done.stderr
    assert "hint: " in done.stderr


def test_objects_that_cannot_be_written_are_said(scene: Scene) -> None:
    scene.repo.git("gc", "-q")
    objects = scene.repo.path / ".git/objects"
    for name in range(256):
        place = objects / f"{name:02x}"
        if not place.exists():
            place.write_text("in the way")
    done = shell(scene, "$RETCON history.toml")
    assert done.returncode == 128
    assert "Traceback" not in done.stderr
    assert "fatal: " in done.stderr
    assert "hint: " in done.stderr


def test_what_the_system_refuses_goes_on_with_the_same_command(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "history.toml")

    monkeypatch.setattr("git_retcon.retcon.rebuild.command.rebuild", full)
    done = retcon_here(scene.repo.path, "history.toml", "--json")
    assert done.status == 128
    assert done.err.startswith("fatal: no space left on device: 'history.toml'\nhint: free some")
    told = json.loads(done.out)
    assert (told["reason"], told["retryable"]) == ("not_ready", False)
    assert told["next"] == [["git", "retcon", "history.toml", "--json"]]


def test_a_bug_is_no_truthful_no(scene: Scene) -> None:
    script = (
        "import sys; import git_retcon.retcon.rebuild.command as r\n"
        "def broken(*_): raise KeyError('here')\n"
        "r.run = broken\n"
        "from git_retcon.commands.retcon import main; main(['history.toml'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=scene.repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 128
    assert "KeyError: 'here'" in done.stderr
    assert done.stderr.splitlines()[-2:] == [
        "fatal: this is a bug in git-retcon",
        "hint: please report it with the lines above; nothing saved so far is lost",
    ]


def test_an_interrupt_while_python_makes_a_class_is_130_too() -> None:
    program = (
        "import click\nfrom git_retcon.commands.wrapper import execute\n"
        "@click.command()\ndef interrupted():\n    exec('raise KeyboardInterrupt')\n"
        "execute(interrupted, 'git-retcon', [])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"exec(compile({program!r}, 'p', 'exec'))"],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.splitlines()[0]) == (130, b"error: interrupted")


def test_an_old_windows_console_learns_colour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from git_retcon.commands.retcon import main

    asked: list[str] = []
    monkeypatch.setattr("colorama.just_fix_windows_console", lambda: asked.append(sys.platform))
    for platform in ("linux", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        with pytest.raises(SystemExit):
            main(["--version"])
    assert asked == ["win32"]
    assert capsys.readouterr().out.startswith("git-retcon ")


def test_a_command_that_was_started_with_no_streams_says_what_is_missing(tmp_path: Path) -> None:
    module = [sys.executable, "-P", "-m", "git_retcon.commands.code_commit"]
    line = 'exec "$@" <&- 2>../said'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *module, "--response", "-"],
        cwd=new_project(tmp_path / "p").path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        check=False,
    )
    said = (tmp_path / "said").read_text()
    assert done.returncode == 1, said
    assert "there is no block" in said
