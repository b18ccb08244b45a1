"""Running the program as its user does: a process of its own, in a directory."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    status: int
    out: str
    err: str

    def ok(self) -> "Ran":
        """This, after making sure that it succeeded."""
        assert self.status == 0, f"exit status {self.status}\n{self.out}\n{self.err}"
        return self


def retcon(where: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run ``git retcon`` in a directory."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "git_retcon.commands.retcon", *arguments],
        cwd=where,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        stdin=subprocess.DEVNULL,
        timeout=240,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
