"""What builds made is removed, with any modes."""

import os
import subprocess
import sys
from pathlib import Path

from git_retcon.run.removal import remove


def test_directories_that_nobody_may_write_are_dealt_with(tmp_path: Path) -> None:
    program = Path(__file__).with_name("unprivileged.py")
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, program, tmp_path], env=env, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_folders_nested_deeper_than_a_program_can_recurse_are_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    at = os.open(top, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("a", dir_fd=at)
        inner = os.open("a", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    remove(top)
    assert not top.exists()
