"""Kills the application of an answer before every single change it makes to the disk.

Run as a program, in a process of its own, since it forks: it prints one JSON object that says how
many moments there were, and what was wrong after any of them.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from git_retcon.code_commit.applying import apply, recover, restore
from git_retcon.code_commit.checkout import Checkout
from git_retcon.code_commit.grammar import parse
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verifying import Guard, verify
from tests.code_commit.project import answer_of, checkout_of, new_project, snapshot

ANSWER = {
    "src/a.txt": "two\n",
    "old.txt": None,
    "new/deep/file.txt": "new\n",
    "new/empty": b"",
    "tool": "#!/bin/sh\nexit 0\n",
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_EVENTS = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"})


class Killer:
    """Counts changes to the disk, and kills the process before the one with a given number."""

    def __init__(self, at: int | None, torn: bool) -> None:
        self.count = 0
        self._at = at
        self._torn = torn

    def install(self) -> None:
        sys.addaudithook(self._seen)
        write, sync = os.write, os.fsync

        def torn_write(handle: int, data: Any) -> int:
            if self._is_next() and self._torn:
                write(handle, bytes(data)[: len(data) // 2])
            self._step()
            return write(handle, data)

        def counted_sync(handle: Any) -> None:
            self._step()
            sync(handle)

        os.write, os.fsync = torn_write, counted_sync  # type: ignore[assignment]

    def _seen(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _EVENTS or (event == "open" and (arguments[2] or 0) & _WRITING):
            self._step()

    def _is_next(self) -> bool:
        return self._at is not None and self.count + 1 == self._at

    def _step(self) -> None:
        self.count += 1
        if self.count == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


def in_child(action: Callable[[], None], at: int | None, torn: bool = False) -> tuple[bool, int]:
    """Do something in a fork, killed before its ``at``-th change; whether it ended, and how many
    changes it made.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        killer = Killer(at, torn)
        killer.install()
        try:
            action()
            os.write(writing, str(killer.count).encode())
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(3)
        os._exit(0)
    os.close(writing)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = os.read(reading, 64)
    os.close(reading)
    if status == 3:
        raise AssertionError("it failed, see above")
    return status == 0, int(said or b"0")


def session_of(store: Store) -> Session:
    return Session(store.keep(b"q"), store.keep(b"c"), "true", 3, "logs", phase=Phase.ANSWERED)


def apply_answer(checkout: Checkout, store: Store) -> None:
    changes = verify(parse(answer_of(ANSWER)), checkout, Guard())
    apply(changes, session_of(store), checkout, store)


def recovered(checkout: Checkout, store: Store) -> None:
    session = store.load()
    if session is not None:
        recover(session, checkout, store)


def undone(checkout: Checkout, store: Store) -> None:
    session = store.load()
    assert session is not None
    restore(recover(session, checkout, store), checkout, store, force=False)


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
        torn = at % 2 == 0
        ended, _ = in_child(lambda c=checkout, s=store: apply_answer(c, s), at, torn)  # type: ignore[misc]
        # The recovery is killed as well, somewhere else each time, and then let through.
        in_child(lambda c=checkout, s=store: recovered(c, s), at % 17 + 1, torn)  # type: ignore[misc]
        in_child(lambda c=checkout, s=store: recovered(c, s), None)  # type: ignore[misc]
        now = snapshot(top)
        if now not in (before, after):
            wrong.append(f"{at}: neither all nor nothing: {sorted(set(now) ^ set(before))}")
        if now == after:
            in_child(lambda c=checkout, s=store: undone(c, s), at % 13 + 1, torn)  # type: ignore[misc]
            in_child(lambda c=checkout, s=store: undone(c, s), None)  # type: ignore[misc]
            if snapshot(top) != before:
                wrong.append(f"{at}: undo does not restore")
        elif ended:
            wrong.append(f"{at}: it ended, and nothing is there")
    sys.stdout.write(json.dumps({"moments": total, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
