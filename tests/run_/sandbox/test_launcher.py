"""Every version of Landlock's rules is one the kernel takes, and each of them holds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.landlock import Landlock, find_landlock
from git_retcon.run.sandbox.level import Sandbox

CHECKOUT = Path(__file__).parents[3]

_CONFINE = """
import sys
sys.path.insert(0, sys.argv[1])
from git_retcon.run.sandbox.landlock_rules import restrict
restrict(["/usr"], [sys.argv[2]], ["/dev/null"], int(sys.argv[4]))
open(sys.argv[2] + "/made", "w").close()
open("/dev/null", "w").close()
try:
    open(sys.argv[3])
except PermissionError:
    sys.exit(42)
"""


@pytest.mark.parametrize("abi", range(1, 8))
def test_the_rules_of_each_version_hold(tmp_path: Path, abi: int) -> None:
    found = find_landlock()
    if not isinstance(found, Landlock) or found.abi < abi:
        pytest.skip("this kernel's Landlock is older")
    (tmp_path / "tree").mkdir()
    (tmp_path / "secret").write_text("a secret")
    program = [sys.executable, "-I", "-c", _CONFINE, str(CHECKOUT)]
    arguments = [str(tmp_path / "tree"), str(tmp_path / "secret"), str(abi)]
    done = subprocess.run([*program, *arguments], capture_output=True)
    assert done.returncode == 42, done.stderr.decode()
    assert (tmp_path / "tree/made").exists()


def test_a_launcher_that_cannot_confine_runs_nothing(tmp_path: Path) -> None:
    made = tmp_path / "made"
    rules: dict[str, list[str]] = {
        "hidden": [],
        "read": [],
        "write": [],
        "devices": [],
        "links": [],
    }
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(CHECKOUT)!r})\n"
        "from git_retcon.run.sandbox import landlock_rules, launcher\n"
        "landlock_rules._CREATE_RULESET = 100000\n"  # a system call that no kernel has
        "sys.exit(launcher.main(sys.argv[1:]))\n"
    )
    arguments = ["landlock", "1", json.dumps(rules), "touch", str(made)]
    done = subprocess.run([sys.executable, "-I", "-c", program, *arguments], capture_output=True)
    assert done.returncode == 125
    assert b"cannot start the sandbox" in done.stderr
    assert not made.exists()


def test_a_pipe_that_nobody_reads_ends_a_command_as_everywhere(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    prefix = sandbox.prefix(confine_to(tmp_path, os.environ))
    command = "(yes; echo $? >status) | head -n 1; cat status"
    done = subprocess.run(
        [*prefix, "sh", "-c", command], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("y\n141\n", "")


def test_one_file_cannot_fill_the_disk(tmp_path: Path, sandbox: Sandbox) -> None:
    prefix = sandbox.prefix(confine_to(tmp_path, os.environ))
    seek = "import os; os.truncate(os.open('f', os.O_CREAT | os.O_WRONLY), 17 << 30)"
    done = subprocess.run(
        [*prefix, "python3", "-c", seek], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert (tmp_path / "f").stat().st_size == 0


def test_processes_are_limited(tmp_path: Path, sandbox: Sandbox) -> None:
    prefix = sandbox.prefix(confine_to(tmp_path, os.environ))
    ask = "import resource; print(max(resource.getrlimit(resource.RLIMIT_NPROC)))"
    done = subprocess.run([*prefix, "python3", "-c", ask], cwd=tmp_path, capture_output=True)
    assert 0 < int(done.stdout) <= 8192


def test_a_command_ends_with_its_launcher(tmp_path: Path, sandbox: Sandbox) -> None:
    prefix = sandbox.prefix(confine_to(tmp_path, os.environ))
    launcher = subprocess.Popen(
        [*prefix, "sh", "-c", "echo begun; exec sleep 60"], cwd=tmp_path, stdout=subprocess.PIPE
    )
    with launcher:
        assert launcher.stdout is not None
        assert launcher.stdout.readline() == b"begun\n"
        launcher.kill()
        # Its end comes once nobody has the pipe.
        assert launcher.communicate(timeout=30)[0] == b""


def test_in_a_strong_sandbox_it_ends_with_us(tmp_path: Path, strong_sandbox: Sandbox) -> None:
    prefix = strong_sandbox.prefix(confine_to(tmp_path, os.environ))
    start = "import subprocess, sys; subprocess.run(sys.argv[1:])"
    command = [*prefix, "sh", "-c", "echo begun; exec sleep 60"]
    program = [sys.executable, "-S", "-c", start, *command]
    with subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"begun\n"
        run.kill()
        assert run.communicate(timeout=30)[0] == b""
