"""Moving refs: all or nothing, only from the value expected, with a word for the reflog."""

import contextlib
import os
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

from git_retcon.errors import Fatal
from git_retcon.git.process import describe_ending
from git_retcon.git.ref_locks import (
    LONGEST_WAIT,
    MoveRecord,
    Say,
    release_dead_locks,
    wait_for_orphans,
    wait_while,
)
from git_retcon.git.refs import read_symbolic_ref
from git_retcon.git.repository import Repository
from git_retcon.interrupts import Interrupts

NOTHING = "0" * 40
# What the system lets one argument be is 128 KiB, and a reflog is read one line at a time.
_LONGEST_REASON = 200  # characters
_ANSWERS = (b"start: ok\n", b"prepare: ok\n", b"commit: ok\n")


class RefUpdate(NamedTuple):
    """One ref going from ``old`` to ``new``; NOTHING means that it does not exist."""

    name: str
    old: str
    new: str


def _say_nothing(_: str) -> None:
    pass


class RefRefusal(Fatal):
    """git moved nothing, or not everything; the message carries what it said."""


class RefMoved(RefRefusal):
    """A ref was not where it was expected. Nothing was moved."""


class RefLocked(RefRefusal):
    """Another process holds the lock of a ref. Nothing was moved."""


def update_refs(
    repository: Repository, updates: Sequence[RefUpdate], why: str, say: Say = _say_nothing
) -> None:
    """Move every ref in one transaction, or none, as ``RefUpdater.move`` does."""
    with RefUpdater(repository, say) as updater:
        updater.move(updates, why)


class RefUpdater:
    """One ``git update-ref --stdin`` process, used for many transactions.

    The reason for the reflog is an argument of the process, so another reason starts another one.
    Use it as a context manager: at its begin the locks that a killed run left are removed, so enter
    it before refs are read; at the end of the block the process ends. ``say`` gets a line for what
    was removed, and for a wait that is long.
    """

    def __init__(self, repository: Repository, say: Say = _say_nothing) -> None:
        self._repository = repository
        self._say = say
        self._process: _Process | None = None

    def __enter__(self) -> "RefUpdater":
        wait_for_orphans(self._repository.common_dir, self._say)
        self._release_locks()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> str:
        """End the process, if there is one; another move starts another.

        Returns how it ended where that was a signal, else "".
        """
        process, self._process = self._process, None
        if process is None:
            return ""
        ending, released = process.end()
        self._say_released(released)
        return ending

    def move(self, updates: Sequence[RefUpdate], why: str) -> None:
        """Move every ref in one transaction, or none; ``why`` goes into their reflogs.

        A ref that another process has locked is waited for, up to five seconds. An interrupt waits
        until git has answered. Raises RefMoved when a ref is not where it was expected, RefLocked
        when it stays locked, and RefRefusal for the rest.
        """
        for update in updates:
            self._refuse_symbolic(update.name)
        self._repository.new_objects.save()
        deadline: float | None = None
        while True:
            try:
                self._move_refs(updates, why)
            except RefLocked as refusal:
                # What the first try took, on a busy machine, is no waiting.
                deadline = deadline or time.monotonic() + LONGEST_WAIT
                if not self._wait_for(_find_lock(str(refusal)), deadline):
                    raise
            else:
                return

    def _move_refs(self, updates: Sequence[RefUpdate], why: str) -> None:
        # Ctrl-C between the request and the answers would leave it open whether anything moved.
        with Interrupts():
            process = self._start_process(why)
            answers = process.ask(updates)
            if not answers and not process.read_complaint():
                # It was ended from outside while it had nothing to do.
                self.close()
                process = self._start_process(why)
                answers = process.ask(updates)
            if len(answers) < len(_ANSWERS):
                said = process.read_complaint()
                raise _find_refusal(self.close() or said, len(answers))

    def _refuse_symbolic(self, name: str) -> None:
        """git would move the ref that a symbolic ref names, which may be any branch."""
        target = read_symbolic_ref(self._repository, name) if name.startswith("refs/") else None
        if target is not None:
            remedy = ["git", "symbolic-ref", "-d", name]
            raise RefRefusal(
                f"nothing was moved: '{name}' is a symbolic ref to '{target}'",
                hint=f"'{shlex.join(remedy)}' removes it, and leaves that other ref as it is",
                commands=[remedy],
            )

    def _wait_for(self, lock: Path | None, deadline: float) -> bool:
        """Wait until a lock is gone; False if it is not in time, or if it is not known."""
        if lock is None:
            return False

        def is_locked() -> bool:
            # Its owner may have been killed since this run began.
            self._release_locks()
            return os.path.lexists(lock)

        return wait_while(is_locked, deadline, lambda: self._say(f"waiting for the lock '{lock}'"))

    def _release_locks(self) -> None:
        self._say_released(release_dead_locks(self._repository.common_dir))

    def _say_released(self, names: Sequence[str]) -> None:
        for name in names:
            self._say(f"removed the lock on '{name}' that a killed git left")

    def _start_process(self, why: str) -> "_Process":
        if self._process is not None and self._process.why != why:
            self.close()
        if self._process is None:
            self._process = _Process(self._repository, why)
        return self._process


class _Process:
    """The process, and what it says."""

    def __init__(self, repository: Repository, why: str) -> None:
        import tempfile

        self.why = why
        self._head = repository.git_dir / "HEAD"
        self._common_dir = repository.common_dir
        # A hook may say more than a pipe holds while nobody reads it.
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._record = MoveRecord(repository.common_dir)
        handle = self._record.handle
        self._git = repository.git.start(
            # git would look at each id whether a ref of that name exists, in 24 places.
            "-c", "core.warnAmbiguousRefs=false",
            # A reflog is how a user finds the old tip again, also for refs that get none by
            # default.
            "update-ref", "-m", why[:_LONGEST_REASON], "--create-reflog", "-z", "--stdin",
            stderr=self._said, inherited=() if handle is None else (handle,),
        )  # fmt: skip

    def ask(self, updates: Sequence[RefUpdate]) -> Sequence[bytes]:
        """Have one transaction made; what git answered to its steps, all of them if it was."""
        pipe, answers = self._git.stdin, self._git.stdout
        assert pipe is not None
        assert answers is not None
        self._said.seek(0)
        self._said.truncate()
        with contextlib.suppress(BrokenPipeError):  # its last words are still to be read
            news = {update.name: update.new for update in updates}
            self._record.write({**news, **self._find_head(news)})
            pipe.write(_format_transaction(updates))
            pipe.flush()
        given = []
        for expected in _ANSWERS:
            if answers.readline() != expected:
                break
            given.append(expected)
        if len(given) == len(_ANSWERS):
            self._record.clear()
        return given

    def _find_head(self, news: Mapping[str, str]) -> Mapping[str, str]:
        """HEAD, by its path, where it names a ref that moves: git locks it too, with nothing in the
        lock, for the sake of its reflog."""
        # Read as a file: a process for each commit would be a tenth of a run.
        with contextlib.suppress(OSError):
            target = os.fsdecode(self._head.read_bytes()).removeprefix("ref: ").rstrip()
            if target in news:
                return {os.path.relpath(self._head, self._common_dir): NOTHING}
        return {}

    def read_complaint(self) -> str:
        """What git said of the last transaction, once it has refused it."""
        self._said.seek(0)
        return self._said.read().decode("utf-8", "replace").strip()

    def end(self) -> tuple[str, Sequence[str]]:
        """Let the process end. How it ended, where that was a signal; and the refs that it left
        locked, which are no more.
        """
        pipe, answers = self._git.stdin, self._git.stdout
        assert pipe is not None
        assert answers is not None
        with contextlib.suppress(BrokenPipeError):
            pipe.close()
        status = self._git.wait()
        answers.close()
        self._said.close()
        released = self._record.close()
        return describe_ending(status) if status < 0 else "", released


def _format_transaction(updates: Sequence[RefUpdate]) -> bytes:
    lines = ["start\0"]
    for update in updates:
        # git refuses to update a ref to zero when it does not exist yet.
        if update.new == NOTHING:
            lines.append(f"delete {update.name}\0{update.old}\0")
        else:
            lines.append(f"update {update.name}\0{update.new}\0{update.old}\0")
    lines += ["prepare\0", "commit\0"]
    return "".join(lines).encode("utf-8", "surrogateescape")


def _find_refusal(said: str, answers: int) -> RefRefusal:
    """What git's words mean; they came after so many of its answers."""
    said = said.removeprefix("fatal: ")
    # Between "prepare" and "commit" git holds every lock, and moves one ref after another.
    is_partial = answers >= 2
    what = "not every ref was moved" if is_partial else "nothing was moved"
    kind, remedy = _choose_remedy(said)
    refusal = RefRefusal if is_partial else kind
    hint = f"{remedy}, then run the same command again"
    return refusal(f"{what}: {said}", hint=hint, again=())


def _find_lock(said: str) -> Path | None:
    """The lock file that a refusal names."""
    found = re.search(r"Unable to create '(.+\.lock)': File exists", said, re.DOTALL)
    return None if found is None else Path(os.fsdecode(found[1].encode("utf-8", "replace")))


def _choose_remedy(said: str) -> tuple[type[RefRefusal], str]:
    """What to do about a refusal of ``git update-ref``, by its words."""
    if "File exists" in said:
        return (
            RefLocked,
            "wait for the other git to end, or remove the lock file that a killed one left",
        )
    if re.search(r"but expected|unable to resolve|already exists|exists; cannot", said):
        return RefMoved, "something else moved it meanwhile: look at it"
    if re.search(r"Permission denied|No space|Read-only|too large|couldn't write|unable to", said):
        return RefRefusal, "free some space or correct its permissions"
    return RefRefusal, "look at what it says (a reference-transaction hook may refuse)"
