"""Several files below one folder, changed all or nothing, whenever the process is killed.

Old and new contents are saved as blobs. The caller saves a journal that says what is about to be
written, then files are staged beside their places, then put in place one by one, then the caller
saves that it is done. What a kill leaves in between, ``take_back`` undoes from the journal; with
the journal of a finished transaction it is the undo.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from git_retcon.errors import Fatal, Reason
from git_retcon.files.atomic import save
from git_retcon.files.beneath import Beneath, File
from git_retcon.files.path_digest import digest_name
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.lazy_named_tuple import NamedTuple

_HINT = "fix its permissions or free some space, then run the same command again"


class EditedSince(Exception):
    """Files that somebody else has changed since a transaction; nothing was taken back."""

    def __init__(self, paths: Sequence[bytes]) -> None:
        super().__init__(*paths)
        self.paths = paths


class State(NamedTuple):
    """How a file was or is: its content by blob, and its permissions; none are left open."""

    blob: str
    mode: int | None


class Step(NamedTuple):
    """One file going from one state to another; None is absence."""

    path: bytes
    before: State | None
    after: State | None


class Journal(NamedTuple):
    """All that is needed to take a transaction back: its steps, and the folders it makes."""

    steps: tuple[Step, ...] = ()
    folders: tuple[bytes, ...] = ()


class Change(Protocol):
    """One file going from ``old``, as it was read, to ``new``; None is absence."""

    @property
    def path(self) -> bytes: ...
    @property
    def old(self) -> File | None: ...
    @property
    def new(self) -> File | None: ...


class Record(Protocol):
    """Where the caller keeps how far a transaction is. Each of these must be on disk when it
    returns, and raises Fatal where that cannot be.
    """

    def begin(self, journal: Journal) -> None:
        """Nothing is written yet; from now on a kill leaves something to take back."""

    def finish(self) -> None:
        """Every file is in place."""

    def cancel(self) -> None:
        """Every file is as it was."""


class Blobs:
    """A folder of contents, each named by its sha256 and never changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, content: bytes) -> str:
        """Save a content; the name to ask for it by. Raises Fatal where the disk refuses."""
        name = hashlib.sha256(content).hexdigest()
        path = self._folder / name
        if not path.is_file():
            self._make_folder()
            save(path, content, new_mode=0o600)  # it may hold what nobody else may read
        return name

    def keep_file(self, file: File | None) -> State | None:
        """Save a file's content; the state to ask for it by."""
        return None if file is None else State(self.keep(file.content), file.mode)

    def content(self, name: str) -> bytes:
        """A content by its name. Raises Fatal where it is gone or damaged."""
        path = self._folder / name
        try:
            content = path.read_bytes()
        except OSError as error:
            raise Fatal(f"cannot read '{path}': {error.strerror}") from error
        if hashlib.sha256(content).hexdigest() != name:
            raise Fatal(f"'{path}' is damaged", hint="nothing was changed")
        return content

    def file(self, state: State | None) -> File | None:
        """The file that a state describes."""
        return None if state is None else File(self.content(state.blob), state.mode)

    def forget_all_but(self, names: Collection[str]) -> None:
        """Remove every other content, and what a kill left of one that was being saved."""
        with contextlib.suppress(OSError):
            for path in self._folder.iterdir():
                if path.name not in names:
                    path.unlink()

    def forget(self) -> None:
        """Remove every content."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
        except OSError as error:
            raise Fatal(
                f"cannot make '{self._folder}': {error.strerror}", hint=_HINT, again=()
            ) from error


def change_files(changes: Sequence[Change], files: Beneath, blobs: Blobs, record: Record) -> None:
    """Make every change. Raises Fatal where one cannot be made or a file is no longer as it was
    read; everything is then as it was before. Raises EditedSince where somebody else changed one
    at the same time: then some may be written, and the journal stays.
    """
    # Every old content is saved before the journal names it.
    journal = _prepare_journal(changes, files, blobs)
    record.begin(journal)
    try:
        _write_changes(changes, journal.folders, files)
        record.finish()
    except (OSError, ForbiddenPath, Fatal) as error:
        take_back(journal, files, blobs)
        record.cancel()
        raise Fatal(f"nothing was changed: {_find_reason(error)}", hint=_HINT, again=()) from error


def take_back(
    journal: Journal, files: Beneath, blobs: Blobs, *, force: bool = False
) -> Sequence[bytes]:
    """Put every file of a journal back to how it was, finished or not; the paths that differed.

    Raises EditedSince, before anything is touched, where a file is neither as it was nor as the
    transaction leaves it, unless forced; Fatal where one cannot be put back. Both may be repeated.
    """
    remove_staged(journal, files)
    # All are looked at before the first is touched: half an undo helps nobody.
    foreign = find_edited(journal.steps, files)
    if foreign and not force:
        raise EditedSince(foreign)
    restored = [step.path for step in journal.steps if _put_back(step, foreign, files, blobs)]
    for folder in sorted(journal.folders, reverse=True):
        # what somebody else put there or in its place meanwhile is theirs
        with contextlib.suppress(ForbiddenPath, NotADirectoryError):
            files.remove_folder(folder)
    return restored


def remove_staged(journal: Journal, files: Beneath) -> list[bytes]:
    """Remove what was staged beside the files of a journal and never put in place; its paths."""
    found = []
    for step in journal.steps:
        head, slash, _ = step.path.rpartition(b"/")
        staged = head + slash + _staged_name(step.path)
        with contextlib.suppress(ForbiddenPath):  # its folder is no folder any more
            if files.exists(staged):
                found.append(staged)
            files.remove(staged)
    return found


def find_edited(steps: Iterable[Step], files: Beneath) -> list[bytes]:
    """The paths that are neither in the state before nor in the one after."""
    found = []
    for step in steps:
        try:
            now = files.read(step.path)
        except ForbiddenPath:
            found.append(step.path)
            continue
        if not (is_in(step.before, now) or is_in(step.after, now)):
            found.append(step.path)
    return found


def is_in(state: State | None, file: File | None) -> bool:
    """Whether a file is as a state says. A state without permissions leaves them open."""
    if state is None or file is None:
        return state is None and file is None
    if state.mode is not None and state.mode != file.mode:
        return False
    return hashlib.sha256(file.content).hexdigest() == state.blob


def _prepare_journal(changes: Sequence[Change], files: Beneath, blobs: Blobs) -> Journal:
    for change in changes:
        if not _is_as_read(change, files):
            raise Fatal(
                f"nothing was changed: '{_show_path(change.path)}' changed meanwhile",
                hint="run the same command again",
                reason=Reason.STALE_PLAN,
            )
    steps = tuple(
        Step(change.path, blobs.keep_file(change.old), blobs.keep_file(change.new))
        for change in changes
    )
    return Journal(steps, _missing_folders(changes, files))


def _is_as_read(change: Change, files: Beneath) -> bool:
    try:
        return files.read(change.path) == change.old
    except ForbiddenPath:
        return False


def _missing_folders(changes: Sequence[Change], files: Beneath) -> tuple[bytes, ...]:
    wanted = (change.path for change in changes if change.new is not None)
    try:
        return tuple(sorted({folder for path in wanted for folder in files.missing_folders(path)}))
    except ForbiddenPath as error:  # somebody put it there since the files were read
        raise Fatal(
            f"nothing was changed: {error}",
            hint="move it away, then run the same command again",
            again=(),
        ) from error


def _write_changes(changes: Sequence[Change], folders: Sequence[bytes], files: Beneath) -> None:
    for folder in folders:
        files.make_folder(folder)
    # All are staged before the first is put in place: a full disk is met while nothing is changed.
    for change in changes:
        if change.new is not None:
            files.stage(change.path, change.new, _staged_name(change.path))
    for change in changes:
        if change.new is not None:
            files.put_in_place(change.path, _staged_name(change.path))
        else:
            files.remove(change.path)


def _put_back(step: Step, foreign: Sequence[bytes], files: Beneath, blobs: Blobs) -> bool:
    """Put one file back; whether it differed."""
    if step.path not in foreign and is_in(step.before, files.read(step.path)):
        return False
    try:
        files.replace(step.path, blobs.file(step.before), _staged_name(step.path))
    except (OSError, ForbiddenPath) as error:
        raise Fatal(
            f"cannot put '{_show_path(step.path)}' back: {_find_reason(error)}",
            hint=_HINT,
            again=(),
        ) from error
    return True


def _staged_name(path: bytes) -> bytes:
    # The same name after a kill, so that it is found again; short, as the name may be long.
    return f".git-retcon-{digest_name(path)}.tmp".encode()


def _find_reason(error: Exception) -> str:
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    name = error.filename
    return error.strerror + (f": '{_show_path(os.fsencode(name))}'" if name else "")


def _show_path(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")
