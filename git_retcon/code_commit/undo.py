"""``undo``: the tree as it was before the last run. ``--abort``: the end of an open session."""

import contextlib
from dataclasses import replace
from pathlib import Path

from git_retcon.code_commit.answer_files import recover_session, restore_files
from git_retcon.code_commit.commit import find_commit, restore_index
from git_retcon.code_commit.kept_work import PLACE, find_kept, keep_work, name_branch
from git_retcon.code_commit.session import ForeignSession, Phase, Session, Store, hold_store
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Fatal, Refused
from git_retcon.files.beneath import File
from git_retcon.files.transaction import find_edited
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_locks import Say, release_dead_locks
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import open_repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import show_path


def undo_last_run(output: Output, *, force: bool) -> Ending:
    """Put back every file that the last run wrote, and take its commit back."""
    checkout = open_checkout(open_repository(Path.cwd()))

    def warn(message: str) -> None:
        if not output.quiet:
            say("warning", message)

    with hold_store(checkout.state) as store:
        # Here too, as after a kill there may be nothing left to move.
        release_dead_locks(checkout.repository.common_dir)
        session = _require_session(store)
        own = _keep_edited(session, checkout, warn) if force else ()
        session = recover_session(session, checkout, store, force=force)
        made = _find_commit_to_take_back(session, checkout)
        restored = restore_files(session, checkout, store, force=force)
        kept = _take_commit_back(made, session, checkout, store, warn)
        forced = (*find_kept(checkout, session), *own)
        store.end(session)
    if not output.quiet:
        for path in restored:
            say_line(f"restored {show_path(path)}")
        if not restored:
            say_line("everything is already as it was before the run")
        if kept is not None:
            say_line(f"the commit is kept as {kept}")
        for ref in forced:
            say_line(f"what --force covered is kept as {ref}; 'git update-ref -d {ref}' drops it")
        if session.earlier:
            say_line("run it again to go back by one more run")
    paths = [show_path(path) for path in restored]
    return Ending(data={"restored": paths, "kept": kept, "forced": list(forced)})


def abort_session(output: Output) -> Ending:
    """End the open session; its files stay as they are, and ``undo`` still works."""
    checkout = open_checkout(open_repository(Path.cwd()))
    with hold_store(checkout.state) as store:
        try:
            session = store.load()
        except ForeignSession:
            store.forget()
            return _say_dropped(output)
        if session is None or not session.phase.is_open:
            raise Refused("no session is open")
        session = recover_session(session, checkout, store)
        store.save(replace(session, phase=Phase.ENDED))
    if not output.quiet:
        say_line("the session is ended; the files stay as they are")
        if session.latest:
            say_line("to go back: git code-commit undo")
    return Ending("ended", {"files": [show_path(path) for path in sorted(session.latest)]})


def _say_dropped(output: Output) -> Ending:
    """For a session that nobody can believe: nothing of it is taken back."""
    if not output.quiet:
        say_line("the session is dropped; the files stay as they are")
        say_line("what --force covered is kept: git for-each-ref refs/code-commit/before")
    return Ending("ended", {"files": []})


def _require_session(store: Store) -> Session:
    session = store.load()
    if session is None:
        hint = "'git diff' shows what is not committed"
        raise Fatal("there is no run to undo", hint=hint, commands=[["git", "diff"]])
    while session.earlier and not (session.before or session.pending):
        session = session.parent  # nothing of it is left to take back
    return session


def _keep_edited(session: Session, checkout: Checkout, warn: Say) -> tuple[str, ...]:
    """Keep what somebody changed since the run, which ``--force`` overwrites; its ref, if any."""
    files: dict[bytes, File | None] = {}
    for path in find_edited((*session.whole_journal.steps, *session.pending), checkout.files):
        with contextlib.suppress(ForbiddenPath):  # no file, so nothing is put there
            files[path] = checkout.files.read(path)
    return (keep_work(checkout, files, warn).ref,) if files else ()


def _find_commit_to_take_back(session: Session, checkout: Checkout) -> str | None:
    """The commit of the run, unless it is taken back already.

    Raises Refused where HEAD is at another one.
    """
    made, head = find_commit(checkout, session), read_ref(checkout.git, "HEAD")
    if made is None or head == session.head:
        return None
    if head != made:
        kept = "".join(
            f"; what --force covered before it is in {ref}" for ref in find_kept(checkout, session)
        )
        raise Refused(
            "HEAD has moved on from the commit of that run",
            hint=f"'git revert {shorten_id(made)}' takes the commit back{kept}",
            commands=[["git", "revert", shorten_id(made)]],
        )
    return made


def _take_commit_back(
    made: str | None, session: Session, checkout: Checkout, store: Store, warn: Say
) -> str | None:
    """Put HEAD and the index back; the name of the ref that keeps the commit of the run."""
    if session.index is None:
        return None
    kept = None
    if made is not None:
        keeping = KeptRefs(checkout.git, PLACE).prepare_keeping(name_branch(checkout), made)
        kept = keeping.name
        head = RefUpdate("HEAD", made, session.head or NOTHING)
        update_refs(checkout.repository, [head, keeping], "code-commit: undo", warn)
    restore_index(checkout, session, store.blobs.content(session.index))
    return kept
