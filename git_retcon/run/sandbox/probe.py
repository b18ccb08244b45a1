"""Whether a sandbox works here: a command is really run in it, where real ones will run."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from git_retcon.run.environment import sandboxed_environment
from git_retcon.run.sandbox.confinement import Confinement, confine_to
from git_retcon.run.temporary_folder import open_temporary

_SECONDS = 20.0
# It must write where it may, with the shell that PATH names, and find devices and a TMPDIR.
_COMMAND = ("sh", "-c", 'test -e /dev/null && : >"$TMPDIR/probe" && echo works >probe')


class Mechanism(Protocol):
    """A way to confine a command."""

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under."""


def find_fault(mechanism: Mechanism, *, with_cache: bool = False) -> str | None:
    """Why a command does not run in a sandbox, for people; None where it does.

    It runs in a directory of its own below TMPDIR. ``with_cache``: and writes to a cache.
    """
    env = sandboxed_environment()
    with open_temporary("git-retcon.probe-") as place:
        tree, cache = place / "tree", place / "cache"
        for each in (tree, cache):
            each.mkdir()
        view = confine_to(tree, env)
        command: Sequence[str] = _COMMAND
        if with_cache:
            view = replace(view, caches=(*view.caches, cache))
            command = [*command[:2], f'{command[2]} && : >"$1/probe"', "sh", str(cache)]
        fault = _find_fault([*mechanism.prefix(view), *command], tree, env)
        if fault is None and not (tree / "probe").is_file():
            return "a command ran and wrote nothing"
        return fault


def version_of(program: str) -> str:
    """The last word of what ``--version`` prints."""
    done = subprocess.run([program, "--version"], capture_output=True, check=False)
    words = done.stdout.decode("utf-8", "replace").split()
    return words[-1] if words else "unknown"


def _find_fault(argv: Sequence[str], where: Path, env: dict[str, str]) -> str | None:
    try:
        done = subprocess.run(
            argv,
            cwd=where,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if not said:
        return f"exit status {done.returncode}"
    for own in ("bwrap: ", "unshare: ", "setpriv: ", "error: cannot start the sandbox: "):
        if said[-1].startswith(own):
            return said[-1].removeprefix(own)
    return said[-1]
