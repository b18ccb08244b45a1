"""Writing a verified answer, with the session as its record, and taking it back."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Change
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.transaction import Journal, change_files, is_in, take_back
from git_retcon.files.untrusted_paths import ForbiddenPath


class _SessionRecord:
    """Keeps in the saved session how far its application is."""

    def __init__(self, session: Session, store: Store) -> None:
        self.session = session
        self._store = store

    def begin(self, journal: Journal) -> None:
        folders = tuple(dict.fromkeys((*self.session.folders, *journal.folders)))
        self._save(
            replace(self.session, phase=Phase.APPLYING, pending=journal.steps, folders=folders)
        )

    def finish(self) -> None:
        self._save(self.session.with_applied())

    def cancel(self) -> None:
        self._save(self.session.with_cancelled())

    def _save(self, session: Session) -> None:
        self._store.save(session)
        self.session = session


def apply(changes: Sequence[Change], session: Session, checkout: Checkout, store: Store) -> Session:
    """Write every change, and return the session as it is kept afterwards.

    Raises Fatal where a file cannot be written or is no longer as it was read; everything is then
    as it was before.
    """
    record = _SessionRecord(session, store)
    change_files(changes, checkout.files, store.blobs, record)
    return record.session


def recover(session: Session, checkout: Checkout, store: Store, *, force: bool = False) -> Session:
    """Take back what an application that was cut short has written.

    Raises Refused where somebody changed one of its files since, unless forced; nothing is taken
    back then.
    """
    if session.phase is not Phase.APPLYING:
        return session
    take_back(session.unfinished, checkout.files, store.blobs, force=force)
    session = session.with_cancelled()
    store.save(session)
    return session


def restore(session: Session, checkout: Checkout, store: Store, *, force: bool) -> Sequence[bytes]:
    """Put every file back to what it was before the session; the paths that changed by it.

    Raises Refused where one is neither as it was nor as the session left it, unless forced.
    """
    return take_back(session.finished, checkout.files, store.blobs, force=force)


def with_built(session: Session, checkout: Checkout, store: Store) -> Session:
    """The session after a build, which may have changed its files and made others."""
    built = {}
    for path, state in session.latest.items():
        with contextlib.suppress(ForbiddenPath):
            now = checkout.files.read(path)
            if not is_in(state, now):
                built[path] = store.blobs.keep_file(now)
    products = tuple(path for path in checkout.changed() if path not in session.latest)
    return replace(session, built=built, products=products)
