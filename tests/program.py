"""Running the program as its user does: a process of its own, in a directory."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
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
    return _run("retcon", where, arguments, env, b"")


def code_commit(
    where: Path, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """Run ``git code-commit`` in a directory."""
    return _run("code_commit", where, arguments, env, stdin)


def _run(
    module: str,
    where: Path,
    arguments: Sequence[str],
    env: Mapping[str, str] | None,
    stdin: bytes,
) -> Ran:
    done = subprocess.run(
        [sys.executable, "-P", "-m", f"git_retcon.commands.{module}", *arguments],
        cwd=where,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})},
        capture_output=True,
        input=stdin,
        timeout=240,
        check=False,
    )
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return Ran(done.returncode, out, err)
