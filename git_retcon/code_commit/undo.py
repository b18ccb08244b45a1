"""``undo``: the tree as it was before the last run. ``--abort``: the end of an open session."""

from dataclasses import replace
from pathlib import Path

from git_retcon.code_commit.answer_files import recover_session, restore_files
from git_retcon.code_commit.commit import find_commit, restore_index
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Fatal, Refused
from git_retcon.files.lock import locked
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import read_ref, read_symbolic_ref
from git_retcon.git.repository import open_repository
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import show_path

_KEPT = "refs/code-commit/before"
_BRANCHES = "refs/heads/"


def undo(output: Output, *, force: bool) -> Ending:
    """Put back every file that the last run wrote, and take its commit back."""
    checkout = open_checkout(open_repository(Path.cwd()))
    store = Store(checkout.state)
    with locked(checkout.state / "lock", "changing this working tree"):
        session = _require_session(store)
        session = recover_session(session, checkout, store, force=force)
        made = find_commit(checkout, session)
        _refuse_moved(made, checkout)
        restored = restore_files(session, checkout, store, force=force)
        kept = _take_commit_back(made, session, checkout, store)
        store.forget()
    if not output.quiet:
        for path in restored:
            say_line(f"restored {show_path(path)}")
        if not restored:
            say_line("everything is already as it was before the run")
        if kept is not None:
            say_line(f"the commit is kept as {kept}")
    return Ending(data={"restored": [show_path(path) for path in restored], "kept": kept})


def abort(output: Output) -> Ending:
    """End the open session; its files stay as they are, and ``undo`` still works."""
    checkout = open_checkout(open_repository(Path.cwd()))
    store = Store(checkout.state)
    with locked(checkout.state / "lock", "changing this working tree"):
        session = store.load()
        if session is None or not session.phase.is_open:
            raise Refused("no session is open")
        session = recover_session(session, checkout, store)
        store.save(replace(session, phase=Phase.ENDED))
    if not output.quiet:
        say_line("the session is ended; the files stay as they are")
        if session.latest:
            say_line("to go back: git code-commit undo")
    return Ending("ended", {"files": [show_path(path) for path in sorted(session.latest)]})


def _require_session(store: Store) -> Session:
    session = store.load()
    if session is None:
        raise Fatal("there is no run to undo", hint="'git diff' shows what is not committed")
    return session


def _refuse_moved(made: str | None, checkout: Checkout) -> None:
    if made is not None and read_ref(checkout.git, "HEAD") != made:
        raise Refused(
            "HEAD has moved on from the commit of that run",
            hint=f"'git revert {made[:12]}' takes the commit back",
        )


def _take_commit_back(
    made: str | None, session: Session, checkout: Checkout, store: Store
) -> str | None:
    """Put HEAD and the index back; the name of the ref that keeps the commit of the run."""
    if session.index is None:
        return None
    kept = None
    if made is not None:
        # "HEAD" where no branch is checked out
        branch = (read_symbolic_ref(checkout.repository, "HEAD") or "HEAD").removeprefix(_BRANCHES)
        keeping = KeptRefs(checkout.git, _KEPT).prepare_keeping(branch, made)
        kept = keeping.name
        head = RefUpdate("HEAD", made, session.head or NOTHING)
        update_refs(checkout.git, [head, keeping], "code-commit: undo")
    restore_index(checkout, session, store.blobs.content(session.index))
    return kept
