"""Kills the application of an answer before every single change it makes to the disk.

Run as a program, in a process of its own, since it forks: it prints one JSON object that says how
many moments there were, and what was wrong after any of them.
"""

import json
import shutil
import sys
from pathlib import Path

from git_retcon.code_commit.answer_files import apply_changes, recover_session, restore_files
from git_retcon.code_commit.answer_grammar import parse_answer
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Guard, verify_answer
from git_retcon.code_commit.working_tree import Checkout
from tests.code_commit.project import answer_of, checkout_of, new_project, snapshot
from tests.files.faults import Fault, in_child

ANSWER = {
    "src/a.txt": "two\n",
    "old.txt": None,
    "new/deep/file.txt": "new\n",
    "new/empty": b"",
    "tool": "#!/bin/sh\nexit 0\n",
}


def session_of(store: Store) -> Session:
    return Session(
        store.blobs.keep(b"q"), store.blobs.keep(b"c"), "true", 3, "logs", phase=Phase.ANSWERED
    )


def apply_answer(checkout: Checkout, store: Store) -> None:
    changes = verify_answer(parse_answer(answer_of(ANSWER)), checkout, Guard())
    apply_changes(changes, session_of(store), checkout, store)


def recovered(checkout: Checkout, store: Store) -> None:
    session = store.load()
    if session is not None:
        recover_session(session, checkout, store)


def undone(checkout: Checkout, store: Store) -> None:
    session = store.load()
    assert session is not None
    restore_files(recover_session(session, checkout, store), checkout, store, force=False)


def main(folder: Path, first: int, step: int) -> None:
    (folder / "origin").parent.mkdir(parents=True, exist_ok=True)
    origin = new_project(folder / "origin", {"tool": "#!/bin/sh\nexit 1\n"})
    (origin.path / "tool").chmod(0o755)
    before = snapshot(origin.path)
    wrong: list[str] = []

    def fresh() -> tuple[Path, Checkout, Store]:
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(origin.path, copy, symlinks=True)
        checkout = checkout_of(type(origin)(copy))
        return copy, checkout, Store(checkout.state)

    top, checkout, store = fresh()
    ended, total = in_child(lambda: apply_answer(checkout, store), None)
    assert ended
    after = snapshot(top)
    assert after != before
    for at in range(first, total + 1, step):
        top, checkout, store = fresh()
        fault = Fault.TORN_KILL if at % 2 == 0 else Fault.KILL
        ended, _ = in_child(lambda c=checkout, s=store: apply_answer(c, s), at, fault)  # type: ignore[misc]
        # The recovery is killed as well, somewhere else each time, and then let through.
        in_child(lambda c=checkout, s=store: recovered(c, s), at % 17 + 1, fault)  # type: ignore[misc]
        in_child(lambda c=checkout, s=store: recovered(c, s), None)  # type: ignore[misc]
        now = snapshot(top)
        if now not in (before, after):
            wrong.append(f"{at}: neither all nor nothing: {sorted(set(now) ^ set(before))}")
        if now == after:
            in_child(lambda c=checkout, s=store: undone(c, s), at % 13 + 1, fault)  # type: ignore[misc]
            in_child(lambda c=checkout, s=store: undone(c, s), None)  # type: ignore[misc]
            if snapshot(top) != before:
                wrong.append(f"{at}: undo does not restore")
        elif ended:
            wrong.append(f"{at}: it ended, and nothing is there")
    sys.stdout.write(json.dumps({"moments": total, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
