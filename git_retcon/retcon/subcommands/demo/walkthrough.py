"""``git retcon demo``: do the main job on a small real repository, and say what to look at."""

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from git_retcon.git.process import repository_environment, run_git
from git_retcon.retcon.rebuild.command import run
from git_retcon.retcon.rebuild.options import Request
from git_retcon.retcon.subcommands.demo.example import DemoRepository, build_example
from git_retcon.show.envelope import Ending
from git_retcon.show.style import printable, write_line


def demonstrate(directory: Path | None, request: Request) -> Ending:
    """Build the repository in ``directory`` (or a new temporary one) and rebuild its branch.

    No model is asked unless an engine was: a demonstration must not cost anything.
    """
    if request.shared.engine is None:
        request = replace(request, shared=request.shared._replace(offline=True))
    place = directory or Path(tempfile.mkdtemp(prefix="git-retcon-demo-"))
    made = build_example(place.absolute())
    shared = request.shared
    quiet = shared.output.quiet
    if not quiet:
        _introduce_demo(made)
    os.chdir(made.directory)
    ending = run(replace(request, spec=Path(made.spec.name)))
    wants_text = not (quiet or shared.output.json or shared.events or shared.dry_run)
    if ending.failure is None and wants_text:
        _say_next(made)
    return ending


def _introduce_demo(made: DemoRepository) -> None:
    span = f"{made.remote}..{made.source}"
    env = repository_environment()
    log = run_git(["log", "--oneline", span], env=env, cwd=made.directory).stdout
    for line in (
        f"A messy branch, in {printable(str(made.directory))}:",
        f"$ git log --oneline {span}",
        *log.decode("utf-8", "replace").splitlines(),
        f"$ git retcon {made.spec.name}",
        "",
    ):
        write_line(sys.stderr, line)


def _say_next(made: DemoRepository) -> None:
    for line in (
        "",
        "Look around:",
        f"  cd {printable(str(made.directory))}",
        f"  git log -p --reverse {made.remote}..{made.cleaned}",
        f"  cat {made.spec.name}    (it says what happened)",
        "  git retcon status",
    ):
        write_line(sys.stdout, line)
