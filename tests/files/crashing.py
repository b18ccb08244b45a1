"""Lets a transaction meet a fault at every single change that it makes to the disk.

Run as a program, in a process of its own, since it forks: it prints one JSON object that says how
many changes there are, and what was wrong after a fault at any of them.
"""

import json
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.files.beneath import Beneath, File
from git_retcon.files.transaction import Blobs, Journal, State, Step, change_files, take_back
from tests.files.faults import Fault, in_child

_BEGUN, _DONE = "begun", "done"


class Edit(NamedTuple):
    """One file going from ``old`` to ``new``."""

    path: bytes
    old: File | None
    new: File | None


NEW = {
    b"src/a.txt": b"two, and longer\n",
    b"old.txt": None,
    b"new/deep/file.txt": b"new\n",
    b"new/empty": b"",
    b"tool": b"#!/bin/sh\nexit 0 # changed\n",
}


class Record:
    """The journal as one JSON file, with how far the transaction is."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.json"
        self._journal = Journal()

    def begin(self, journal: Journal) -> None:
        self._journal = journal
        self._save(_BEGUN)

    def finish(self) -> None:
        self._save(_DONE)

    def cancel(self) -> None:
        self._save("cancelled")

    def read(self) -> tuple[str, Journal]:
        """How far it is, and the journal."""
        if not self.path.exists():
            return "", Journal()
        found = json.loads(self.path.read_bytes())
        steps = (Step(p.encode(), _state(b), _state(a)) for p, b, a in found["steps"])
        folders = tuple(folder.encode() for folder in found["folders"])
        self._journal = Journal(tuple(steps), folders)
        return found["phase"], self._journal

    def _save(self, phase: str) -> None:
        steps = [[s.path.decode(), s.before, s.after] for s in self._journal.steps]
        folders = [folder.decode() for folder in self._journal.folders]
        found = {"phase": phase, "steps": steps, "folders": folders}
        self.path.parent.mkdir(exist_ok=True)
        save(self.path, json.dumps(found).encode())


class Place(NamedTuple):
    """A tree, and beside it what the transaction keeps."""

    tree: Path
    state: Path

    def change(self) -> None:
        """Do it."""
        files = Beneath(self.tree)
        edits = []
        for path, content in NEW.items():
            old = files.read(path)
            new = None if content is None else File(content, None if old is None else old.mode)
            edits.append(Edit(path, old, new))
        change_files(edits, files, Blobs(self.state / "blobs"), Record(self.state))

    def recover(self) -> None:
        """What the next command does first."""
        record = Record(self.state)
        phase, journal = record.read()
        if phase == _BEGUN:
            take_back(journal, Beneath(self.tree), Blobs(self.state / "blobs"))
            record.cancel()

    def undo(self) -> None:
        """Take back what was done."""
        record = Record(self.state)
        phase, journal = record.read()
        if phase == _DONE:
            take_back(journal, Beneath(self.tree), Blobs(self.state / "blobs"))
            record.cancel()

    @property
    def phase(self) -> str:
        return Record(self.state).read()[0]


def new_place(folder: Path) -> Place:
    """The tree before the change."""
    shutil.rmtree(folder, ignore_errors=True)
    place = Place(folder / "tree", folder / "state")
    (place.tree / "src").mkdir(parents=True)
    (place.tree / "src" / "a.txt").write_bytes(b"one\n")
    (place.tree / "old.txt").write_bytes(b"old\n")
    (place.tree / "old.txt").chmod(0o640)
    (place.tree / "tool").write_bytes(b"#!/bin/sh\nexit 1\n")
    (place.tree / "tool").chmod(0o755)
    return place


def snapshot(top: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with its mode and bytes."""
    return {
        str(path.relative_to(top)): (
            path.lstat().st_mode,
            path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else b"",
        )
        for path in sorted(top.rglob("*"))
    }


def faults_at(folder: Path, at: int, fault: Fault, before: Any, after: Any) -> Iterator[str]:
    """What is wrong after a fault at one change, a recovery, and an undo."""
    place = new_place(folder)
    ended, _ = in_child(place.change, at, fault, (Fatal,))
    is_killed = fault in (Fault.KILL, Fault.TORN_KILL)
    if fault is Fault.REFUSED and not ended and snapshot(place.tree) != before:
        yield "it failed, and something is changed"
    # The recovery meets a fault as well, somewhere else each time, and is then let through.
    in_child(place.recover, at % 17 + 1, fault, (Fatal,))
    in_child(place.recover, None)
    now = snapshot(place.tree)
    if now != (after if place.phase == _DONE else before):
        yield f"neither all nor nothing: {sorted(set(now) ^ set(before))}"
    if ended and now != after:
        yield "it ended well, and is not there"
    if place.phase == _DONE:
        in_child(place.undo, at % 13 + 1, fault if is_killed else Fault.KILL)
        in_child(place.undo, None)
        if snapshot(place.tree) != before:
            yield "undo does not restore"


def main(folder: Path) -> None:
    before = snapshot(new_place(folder).tree)
    place = new_place(folder)
    ended, total = in_child(place.change, None)
    assert ended
    after = snapshot(place.tree)
    assert set(after) == set(before) - {"old.txt"} | {"new", "new/deep", "new/deep/file.txt",
                                                      "new/empty"}  # fmt: skip
    wrong = [
        f"{fault.value} at change {at}: {what}"
        for fault in Fault
        for at in range(1, total + 1)
        for what in faults_at(folder, at, fault, before, after)
    ]
    # The undo is killed at each of its changes.
    place = new_place(folder)
    in_child(place.change, None)
    _, undoing = in_child(place.undo, None)
    for at in range(1, undoing + 1):
        place = new_place(folder)
        in_child(place.change, None)
        in_child(place.undo, at)
        in_child(place.undo, None)
        if snapshot(place.tree) != before:
            wrong.append(f"undo killed at change {at}: not as it was")
    sys.stdout.write(json.dumps({"changes": total, "undoing": undoing, "wrong": wrong}))


def _state(value: Any) -> State | None:
    return None if value is None else State(*value)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
