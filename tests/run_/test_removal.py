"""What builds made is removed, with any modes."""

import os
import subprocess
import sys
from pathlib import Path


def test_directories_that_nobody_may_write_are_dealt_with(tmp_path: Path) -> None:
    program = Path(__file__).with_name("unprivileged.py")
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, program, tmp_path], env=env, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
