"""Write a verified answer, with the session as its record, and take it back."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Change
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.transaction import Journal, change_files, is_in, take_back
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.run.edited_files import refusing_edited

_MOST_NAMED = 5


class _SessionRecord:
    """Records in the saved session how far its application has come."""

    def __init__(self, session: Session, store: Store) -> None:
        self.session = session
        self._store = store

    def begin(self, journal: Journal) -> None:
        folders = tuple(dict.fromkeys((*self.session.folders, *journal.folders)))
        self._save_session(
            replace(self.session, phase=Phase.APPLYING, pending=journal.steps, folders=folders)
        )

    def finish(self) -> None:
        self._save_session(self.session.confirm_pending())

    def cancel(self) -> None:
        self._save_session(self.session.cancel_pending())

    def _save_session(self, session: Session) -> None:
        self._store.save(session)
        self.session = session


def apply_changes(
    changes: Sequence[Change], session: Session, checkout: Checkout, store: Store
) -> Session:
    """Write every change, and return the session as it is saved afterwards.

    Raises Fatal, with everything as it was before, where a file cannot be written or has changed
    since it was read.
    """
    record = _SessionRecord(session, store)
    with refusing_edited():
        change_files(changes, checkout.files, store.blobs, record)
    return record.session


def recover_session(
    session: Session, checkout: Checkout, store: Store, *, force: bool = False
) -> Session:
    """Take back what an interrupted application has written.

    Raises Refused, with nothing taken back, where one of its files has changed since, unless
    forced.
    """
    if session.phase is not Phase.APPLYING:
        return session
    with refusing_edited():
        take_back(session.pending_journal, checkout.files, store.blobs, force=force)
    session = session.cancel_pending()
    store.save(session)
    return session


def restore_files(
    session: Session, checkout: Checkout, store: Store, *, force: bool
) -> Sequence[bytes]:
    """Put every file back to what it was before the session; return the paths that changed.

    Raises Refused where one is neither as it was nor as the session left it, unless forced.
    """
    with refusing_edited():
        return take_back(session.whole_journal, checkout.files, store.blobs, force=force)


def is_as_built(session: Session, checkout: Checkout) -> bool:
    """Whether every file of the session is still as the build left it."""
    try:
        return all(
            is_in(state, checkout.files.read(path)) for path, state in session.current.items()
        )
    except ForbiddenPath:
        return False


def record_build(session: Session, checkout: Checkout, store: Store) -> Session:
    """Record in the session which of its files a build changed, and which others it made."""
    built = {}
    for path, state in session.latest.items():
        # A build may have put a link in the place of a folder; such a file is not the session's any
        # more.
        with contextlib.suppress(ForbiddenPath):
            now = checkout.files.read(path)
            if not is_in(state, now):
                built[path] = store.blobs.keep_file(now)
    products = tuple(path for path in checkout.list_changed() if path not in session.latest)
    return replace(session, built=built, products=products)
