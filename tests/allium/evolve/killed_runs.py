"""Kills a run before and after every spec commit, every file of a pack and every move of refs.

Run as a program, in a process of its own, since it forks: it prints one JSON object that says how
many moments there were, and what was wrong after any of them.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from git_retcon.allium.evolve import run, step_writer
from git_retcon.allium.history import spec_commit
from git_retcon.git import new_objects, pack_file
from git_retcon.git.ref_updates import RefUpdater
from tests.allium.history_shapes import BRANCH, make_branchy, shape, told
from tests.program import allium_here
from tests.repository import TestRepository, new_repository

T = TypeVar("T")
_KILLED = 77
_OF_RECORDS = ("Reconciled: ", "Skipped: ", "At: ")


class Killer:
    """Ends the process at one of the moments that it counts."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.moments = 0

    def pass_moment(self) -> None:
        self.moments += 1
        if self.moments == self.at:
            os._exit(_KILLED)

    def watch(self, function: Callable[..., T]) -> Callable[..., T]:
        def watched(*args: object, **options: object) -> T:
            self.pass_moment()
            result = function(*args, **options)
            self.pass_moment()
            return result

        return watched


def evolve_in_child(repo: TestRepository, at: int) -> int:
    """Run it in a child that dies at a moment (0: never); its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    killer = Killer(at)
    run._MOST_UNSAVED = 3
    new_objects._FEWEST_PACKED = 8
    step_writer.write_spec_commit = killer.watch(spec_commit.write_spec_commit)  # type: ignore[attr-defined]
    pack_file._write_new = killer.watch(pack_file._write_new)
    RefUpdater.move = killer.watch(RefUpdater.move)  # type: ignore[method-assign]
    done = allium_here(repo.path, "evolve", "--offline", "--reconciliation-interval", "2")
    (repo.path.parent / "moments").write_text(str(killer.moments))
    os._exit(done.status)


def list_records(repo: TestRepository) -> dict[str, str]:
    """The notes about reconciliations, by spec commit; without the time, and where a run began."""
    listing = repo.git("notes", "--ref=allium-state", "list").splitlines()
    notes = {commit: repo.git("cat-file", "blob", blob) for blob, commit in map(str.split, listing)}
    lines = {
        commit: [re.sub(r"^(At: \w+) .*", r"\1", line) for line in note.splitlines()]
        for commit, note in notes.items()
    }
    tip = repo.rev(BRANCH)
    return {
        commit: "\n".join(line for line in found if commit == tip or line.startswith(_OF_RECORDS))
        for commit, found in lines.items()
        if commit == tip or any(line.startswith(_OF_RECORDS) for line in found)
    }


def find_fault(repo: TestRepository, whole: TestRepository) -> str | None:
    """What is wrong once the command was given again and ended."""
    if repo.rev(BRANCH) != whole.rev(BRANCH):
        return f"the branch differs: {told(repo)}"
    if list_records(repo) != list_records(whole):
        return f"the records differ: {list_records(repo)}"
    if told(repo) != shape(repo):
        return "the shape differs"
    repo.git("fsck", "--strict", "--no-dangling")
    notes = len(repo.git("notes", "--ref=allium", "list").splitlines())
    if notes != len(repo.git("rev-list", "HEAD").splitlines()):
        return f"there are {notes} notes"
    if repo.git("for-each-ref", "refs/allium"):
        return f"refs are left: {repo.git('for-each-ref', 'refs/allium')}"
    return None


def main(folder: Path, step: int) -> None:
    folder.mkdir(parents=True)
    origin = new_repository(folder / "origin")
    make_branchy(origin)
    whole = TestRepository(folder / "whole")
    shutil.copytree(origin.path, whole.path, symlinks=True)
    assert evolve_in_child(whole, 0) == 0
    moments = int((folder / "moments").read_text())
    wrong: list[str] = []
    for at in range(1, moments + 1, step):
        repo = TestRepository(folder / "copy")
        shutil.rmtree(repo.path, ignore_errors=True)
        shutil.copytree(origin.path, repo.path, symlinks=True)
        if evolve_in_child(repo, at) != _KILLED:
            wrong.append(f"{at}: not killed")
        evolve_in_child(repo, at % 7 + 1)
        if (status := evolve_in_child(repo, 0)) != 0:
            wrong.append(f"{at}: it ended with {status}")
        elif fault := find_fault(repo, whole):
            wrong.append(f"{at}: {fault}")
    sys.stdout.write(json.dumps({"moments": moments, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
