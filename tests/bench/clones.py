"""Clones that a benchmark changes, and ``git heal`` run in them as a program does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.workflows import name_clone

_ROOT = Path(__file__).resolve().parents[2]


class Said(NamedTuple):
    """The JSON objects that a command printed, one a line; None where it ran out of time."""

    objects: list[dict[str, Any]] | None
    seconds: float


def clone_repository(source: Path, target: Path) -> None:
    """A clone with the remote's own name, without copying objects."""
    command = ["git", "clone", "-q", "--shared", str(source), str(target)]
    subprocess.run(command, check=True, capture_output=True)
    url = f"https://github.com/{name_clone(source)}.git"
    subprocess.run(["git", "-C", target, "remote", "set-url", "origin", url], check=True)


def list_files(top: Path) -> list[str]:
    """The paths of the tracked files that are there."""
    listed = subprocess.run(["git", "-C", top, "ls-files", "-z"], capture_output=True, check=True)
    paths = listed.stdout.decode("utf-8", "replace").split("\0")
    return [path for path in paths if path and (top / path).is_file()]


def restore_files(top: Path) -> None:
    """Let all tracked files be as they are committed: formatters and generators change others."""
    subprocess.run(["git", "-C", top, "checkout", "-q", "--", "."], check=True)


def clean_clone(top: Path) -> None:
    """Remove what a job made, as in a new clone, but what clients of packages keep up themselves.

    A script that makes a folder fails where it is.
    """
    kept = ["-e", "node_modules", "-e", "target"]
    subprocess.run(["git", "-C", top, "clean", "-ffdxq", *kept], check=True)


def run_heal(
    top: Path, arguments: Sequence[str], data: Path, log: Path, seconds: float, path: str = ""
) -> Said:
    """``git heal`` in a clone, its worktrees in ``data``; ``path`` comes before PATH."""
    command = [sys.executable, "-m", "git_retcon.commands.heal", *arguments]
    env = {**os.environ, "PYTHONPATH": str(_ROOT), "XDG_DATA_HOME": str(data)}
    env["PATH"] = f"{path}:{env['PATH']}" if path else env["PATH"]
    started = time.monotonic()
    with (
        log.open("ab") as errors,
        subprocess.Popen(command, cwd=top, env=env, stdout=subprocess.PIPE, stderr=errors) as run,
    ):
        try:
            said, _ = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            # A shell lets what runs in its background ignore SIGINT.
            run.send_signal(signal.SIGTERM)
            run.communicate()
            return Said(None, seconds)
    return Said(_read_objects(said), time.monotonic() - started)


def _read_objects(said: bytes) -> list[dict[str, Any]]:
    """What ``--json`` prints is one object in many lines, what ``--events`` prints one a line."""
    try:
        return [json.loads(said)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in said.splitlines()]
    except ValueError:
        return []
