"""Kills ``git code-commit --force --commit`` before every change it makes and every program it
starts, runs the same command again, and takes it back.

Run as a program, in a process of its own, since it forks: it prints one JSON object that says how
many moments there were, and what was wrong after any of them.
"""

import json
import os
import shutil
import sys
from functools import partial
from pathlib import Path

from git_retcon.code_commit.session import Store
from tests.code_commit.project import answer_of, new_project, snapshot
from tests.files.faults import in_child
from tests.program import Ran, code_commit_here
from tests.repository import TestRepository

MINE = "mine, not committed\n"
ANSWER = {"src/a.txt": "two\n", "new/b": "b\n", "old.txt": None}
COMMAND = ("--query", "Make it two.", "--response", "-", "--force", "--commit", "--sandbox=off")


def run(project: TestRepository, *arguments: str) -> Ran:
    return code_commit_here(project.path, *arguments, stdin=answer_of(ANSWER))


def complete(project: TestRepository) -> None:
    run(project, *COMMAND).ok()


def faults_of(project: TestRepository, again: tuple[str, ...]) -> str | None:
    """What is wrong after a kill, when the command is given again and then taken back."""
    done = run(project, *again)
    if done.status != 0:
        return f"the same command failed: {done.err}"
    if project.subjects("HEAD") != ["begin", "Make it two."]:
        return f"the commits are {project.subjects('HEAD')}"
    if project.git("show", "HEAD:src/a.txt") != "two" or project.git("status", "--porcelain"):
        return f"the commit is not the answer: {project.git('status', '--porcelain')}"
    undone = run(project, "undo")
    if undone.status != 0:
        return f"undo failed: {undone.err}"
    if (project.path / "src/a.txt").read_text() != MINE:
        return "undo does not bring the uncommitted work back"
    kept = project.git("for-each-ref", "--format=%(refname)", "refs/code-commit/before").split()
    if not any(project.git("show", f"{ref}:src/a.txt") == MINE.rstrip() for ref in kept):
        return "the uncommitted work is not kept"
    return None


def main(folder: Path, first: int, step: int, without_query: bool) -> None:
    folder.mkdir(parents=True)
    (folder / "home").mkdir()
    origin = new_project(folder / "origin")
    (origin.path / "agent-config/query.txt").unlink()
    origin.write({"src/a.txt": MINE})
    before = snapshot(origin.path)
    wrong: list[str] = []

    def fresh() -> TestRepository:
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(origin.path, copy, symlinks=True)
        return TestRepository(copy)

    project = fresh()
    ended, total = in_child(partial(complete, project), None)
    assert ended
    first = total + first if first < 0 else first
    for at in range(max(first, 1), total + 1, step):
        project = fresh()
        in_child(partial(complete, project), at)
        session = Store(project.path / ".git/code-commit").load()
        is_open = session is not None and session.phase.is_open
        again = COMMAND[2:] if without_query and is_open else COMMAND
        fault = faults_of(project, again)
        if fault is None and snapshot(project.path) != before:
            fault = "undo leaves something"
        if fault is not None:
            wrong.append(f"{at}: {fault}")
    sys.stdout.write(json.dumps({"moments": total, "wrong": wrong}))


if __name__ == "__main__":
    os.environ.setdefault("GIT_CONFIG_NOSYSTEM", "1")
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] == ["--no-query"])
