"""Writing a verified answer: all of it or nothing, whenever the process is killed.

Old and new contents are saved as blobs, then the session says what is about to be written, then
the files are staged beside their places and put in place one by one, then the session says that
it is done. What a kill left in between is taken back by the next command.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from git_retcon.code_commit.checkout import Checkout
from git_retcon.code_commit.session import Phase, Session, Step, Store, is_in
from git_retcon.code_commit.verifying import Change
from git_retcon.errors import Fatal, Refused
from git_retcon.files.beneath import Beneath, File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.show.style import show_path


def apply(changes: Sequence[Change], session: Session, checkout: Checkout, store: Store) -> Session:
    """Write every change, and return the session as it is kept afterwards.

    Raises Fatal where a file cannot be written or is no longer as it was read; everything is then
    as it was before.
    """
    for change in changes:
        if not _is_as_read(change, checkout.files):
            raise Fatal(
                f"nothing was changed: '{show_path(change.path)}' changed meanwhile",
                hint="run the same command again",
            )
    steps = tuple(
        Step(change.path, store.keep_file(change.old), store.keep_file(change.new))
        for change in changes
    )
    folders = _missing(changes, checkout.files)
    session = replace(
        session,
        phase=Phase.APPLYING,
        pending=steps,
        folders=tuple(dict.fromkeys((*session.folders, *folders))),
    )
    store.save(session)
    try:
        _write(changes, folders, checkout.files)
        applied = session.with_applied()
        store.save(applied)
    except (OSError, ForbiddenPath, Fatal) as error:
        recover(session, checkout, store)
        raise Fatal(
            f"nothing was changed: {_said(error)}",
            hint="mend what stands in the way, then run the same command again",
        ) from error
    return applied


def recover(session: Session, checkout: Checkout, store: Store, *, force: bool = False) -> Session:
    """Take back what an application that was cut short has written.

    Raises Refused where somebody changed one of its files since, unless forced; nothing is taken
    back then.
    """
    if session.phase is not Phase.APPLYING:
        return session
    files = checkout.files
    for step in session.pending:
        with contextlib.suppress(ForbiddenPath):  # its folder is none any more
            files.remove_beside(step.path, _temporary(step.path))
    _take_back(session.pending, checkout, store, force=force)
    for folder in sorted(session.folders, reverse=True):
        if not any(path.startswith(folder + b"/") for path in session.latest):
            _remove_folder(files, folder)
    session = replace(session, phase=Phase.ANSWERED, pending=())
    store.save(session)
    return session


def restore(session: Session, checkout: Checkout, store: Store, *, force: bool) -> Sequence[bytes]:
    """Put every file back to what it was before the session; the paths that changed by it.

    Raises Refused where one is neither as it was nor as the session left it, unless forced.
    """
    steps = [
        Step(path, before, session.standing.get(path)) for path, before in session.before.items()
    ]
    restored = _take_back(steps, checkout, store, force=force)
    for folder in sorted(session.folders, reverse=True):
        _remove_folder(checkout.files, folder)
    return restored


def with_built(session: Session, checkout: Checkout, store: Store) -> Session:
    """The session after a build, which may have changed its files and made others."""
    built = {}
    for path, state in session.latest.items():
        with contextlib.suppress(ForbiddenPath):
            now = checkout.files.read(path)
            if not is_in(state, now):
                built[path] = store.keep_file(now)
    products = tuple(path for path in checkout.changed() if path not in session.latest)
    return replace(session, built=built, products=products)


def edited(steps: Iterable[Step], files: Beneath) -> list[bytes]:
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


def _is_as_read(change: Change, files: Beneath) -> bool:
    try:
        return files.read(change.path) == change.old
    except ForbiddenPath:
        return False


def _write(changes: Sequence[Change], folders: Sequence[bytes], files: Beneath) -> None:
    for folder in folders:
        files.make_folder(folder)
    for change in changes:
        if change.new is not None:
            files.stage(change.path, change.new, _temporary(change.path))
    for change in changes:
        if change.new is not None:
            files.put_in_place(change.path, _temporary(change.path))
        else:
            files.remove(change.path)


def _take_back(
    steps: Sequence[Step], checkout: Checkout, store: Store, *, force: bool
) -> Sequence[bytes]:
    files = checkout.files
    theirs = edited(steps, files)
    if theirs and not force:
        names = ", ".join(show_path(path) for path in theirs[:5])
        raise Refused(
            f"changed since, by somebody else: {names}",
            hint="save them elsewhere, then run the same command with --force",
        )
    restored = []
    for step in steps:
        if step.path not in theirs and is_in(step.before, files.read(step.path)):
            continue
        try:
            _put(step.path, store.file(step.before), files)
        except (OSError, ForbiddenPath) as error:
            raise Fatal(
                f"cannot put '{show_path(step.path)}' back: {_said(error)}",
                hint="mend what stands in the way, then run the same command again",
            ) from error
        restored.append(step.path)
    return restored


def _put(path: bytes, file: File | None, files: Beneath) -> None:
    if file is None:
        files.remove(path)
        return
    for folder in files.missing_folders(path):
        files.make_folder(folder)
    files.stage(path, file, _temporary(path))
    files.put_in_place(path, _temporary(path))


def _remove_folder(files: Beneath, folder: bytes) -> None:
    with contextlib.suppress(ForbiddenPath, NotADirectoryError):  # it is something else by now
        files.remove_folder(folder)


def _missing(changes: Sequence[Change], files: Beneath) -> tuple[bytes, ...]:
    wanted = (change.path for change in changes if change.new is not None)
    try:
        return tuple(sorted({folder for path in wanted for folder in files.missing_folders(path)}))
    except ForbiddenPath as error:  # somebody put it there since the files were read
        raise Fatal(
            f"nothing was changed: {error}", hint="mend it, then run the same command again"
        ) from error


def _said(error: Exception) -> str:
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    name = error.filename
    return error.strerror + (f": '{show_path(os.fsencode(name))}'" if name else "")


def _temporary(path: bytes) -> bytes:
    # The same name after a kill, so that it is found again; short, as the name may be long.
    return b".code-commit-" + hashlib.sha256(path).hexdigest()[:16].encode() + b".tmp"
