"""Every version of Landlock's rules is one the kernel takes, and each of them holds."""

import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.run.sandbox import launcher
from git_retcon.run.sandbox.landlock import Landlock, find_landlock

_CONFINE = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("launcher", sys.argv[1])
launcher = importlib.util.module_from_spec(spec)
spec.loader.exec_module(launcher)
launcher.restrict(["/usr"], [sys.argv[2]], ["/dev/null"], int(sys.argv[4]))
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
    program = [sys.executable, "-I", "-c", _CONFINE, str(Path(launcher.__file__))]
    arguments = [str(tmp_path / "tree"), str(tmp_path / "secret"), str(abi)]
    done = subprocess.run([*program, *arguments], capture_output=True)
    assert done.returncode == 42, done.stderr.decode()
    assert (tmp_path / "tree/made").exists()


def test_a_launcher_that_cannot_confine_runs_nothing(tmp_path: Path) -> None:
    made = tmp_path / "made"
    rules = '{"hidden": [], "read": [], "write": [], "devices": []}'
    broken = [sys.executable, "-I", "-c"]
    program = (
        "import importlib.util, sys\n"
        "spec = importlib.util.spec_from_file_location('launcher', sys.argv[1])\n"
        "launcher = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(launcher)\n"
        "launcher._CREATE_RULESET = 100000\n"  # a system call that no kernel has
        "sys.exit(launcher.main(sys.argv[2:]))\n"
    )
    arguments = [str(Path(launcher.__file__)), rules, "touch", str(made)]
    done = subprocess.run([*broken, program, *arguments], capture_output=True)
    assert done.returncode == 125
    assert b"cannot start the sandbox" in done.stderr
    assert not made.exists()
