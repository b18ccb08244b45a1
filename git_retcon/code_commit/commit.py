"""``--commit``: commit the files of the run, and nothing else, in the user's name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.git.process import GitError, split_records
from git_retcon.git.ref_updates import NOTHING
from git_retcon.git.refs import read_ref
from git_retcon.git.trees import EMPTY_BLOB, EMPTY_TREE

_LONGEST_SUBJECT = 72
# A hook could run what a model has written, outside of any sandbox.
_QUIETLY = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
_PATHS_GIVEN = ("--pathspec-from-file=-", "--pathspec-file-nul")
# How an entry names its content: an empty one, and none yet.
_EMPTY = b" %s " % EMPTY_BLOB.encode()
_ANNOUNCED = b" %s " % NOTHING.encode()


def choose_message(given: str | None, session: Session, store: Store) -> str:
    """The message given, else the model's, else the query's first line."""
    if given is not None:
        return given
    if session.message:
        return _make_readable(session.message)
    text = _make_readable(store.blobs.content(session.query).decode("utf-8", "replace"))
    subject = text.partition("\n")[0].strip()
    if len(subject) <= _LONGEST_SUBJECT:
        return subject
    return subject[: _LONGEST_SUBJECT - 1].rsplit(" ", 1)[0] + "…\n\n" + text


def _make_readable(text: str) -> str:
    """Text that git and terminals can take; never empty."""
    kept = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    return kept.strip() or "Change by git code-commit"


def commit_session(checkout: Checkout, session: Session, store: Store, message: str) -> Session:
    """Commit the session's files as they are now, if any changed; the session as it is kept.

    Goes on where a kill ended it. Raises GitError with git's own words; the index is then as it
    was.
    """
    if session.index is None:
        # Saved first: after a kill, ``find_commit`` then knows an unrecorded commit as the run's.
        entries = _index_entries(checkout, session)
        session = replace(session, index=store.blobs.keep(entries))
        store.save(session)
        made = None
    else:
        made = find_commit(checkout, session)
        if made is None:  # the run that was killed may have staged
            _restore_saved_index(checkout, session, store)
    if made is None:
        try:
            made = _commit_changes(checkout, session, message)
        except GitError:
            # git fails after it made the commit too: where the disk has no room for its index.
            made = find_commit(checkout, session)
            if made is None:
                _restore_saved_index(checkout, session, store)
                store.save(replace(session, index=None))
                raise
    index = None if made is None else session.index
    session = replace(session, phase=Phase.PASSED, commit=made, index=index)
    store.save(session)
    return session


def _restore_saved_index(checkout: Checkout, session: Session, store: Store) -> None:
    assert session.index is not None
    restore_index(checkout, session, store.blobs.content(session.index))


def find_commit(checkout: Checkout, session: Session) -> str | None:
    """The commit of the session, recorded or (after a kill) not yet."""
    if session.commit is not None or session.index is None:
        return session.commit
    head = read_ref(checkout.git, "HEAD")
    if head is None or head == session.head:
        return None
    parents = checkout.git.line("rev-list", "--parents", "-n", "1", head).split()[1:]
    paths = set(
        checkout.git.records(
            "diff-tree", "--root", "-r", "-z", "--name-only", "--no-commit-id", head
        )
    )
    # Somebody may have committed meanwhile: only one commit on the old head, of our files alone, is
    # ours.
    is_ours = parents == ([session.head] if session.head else []) and paths <= set(session.latest)
    return head if is_ours else None


def restore_index(checkout: Checkout, session: Session, entries: bytes) -> None:
    """Put the entries of the session's files in the index back."""
    git = checkout.git
    gone = b"".join(b"0 %s\t%s\0" % (NOTHING.encode(), path) for path in session.latest)
    records = split_records(entries)
    announced = [path for head, _, path in _split_entries(records) if _ANNOUNCED in head]
    real = b"".join(
        head.replace(_ANNOUNCED, _EMPTY) + tab + path + b"\0"
        for head, tab, path in _split_entries(records)
    )
    git.run("update-index", "-z", "--index-info", stdin=gone + real)
    if announced:
        # Unlike "git add -N", this needs no file: after a failed commit, an answer may have
        # deleted it. Against the empty tree, as HEAD may have a file of that name.
        git.run(
            *_QUIETLY, "--literal-pathspecs", "reset", "-q", "-N", EMPTY_TREE, *_PATHS_GIVEN,
            stdin=_join_paths(announced),
        )  # fmt: skip


def _index_entries(checkout: Checkout, session: Session) -> bytes:
    """The index entries of the session's files, as ``update-index --index-info`` takes them, but
    that those that ``git add -N`` announced have no id.
    """
    if not session.latest:
        return b""
    paths = sorted(session.latest)
    listing = checkout.git.run("--literal-pathspecs", "ls-files", "-z", "--stage", "--", *paths)
    if _EMPTY not in listing:
        return listing
    announced = _find_announced(checkout, paths)
    return b"".join(
        (head.replace(_EMPTY, _ANNOUNCED) if path in announced else head) + tab + path + b"\0"
        for head, tab, path in _split_entries(split_records(listing))
    )


def _split_entries(records: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each entry as what is said of it, the tab, and the path."""
    return (record.partition(b"\t") for record in records)


def _find_announced(checkout: Checkout, paths: Sequence[bytes]) -> set[bytes]:
    """Those of the paths that the index has only as announced by ``git add -N``."""
    compare = ("--literal-pathspecs", "diff-index", "--cached", "--no-renames", "--name-only", "-z")
    seen, unseen = (
        set(checkout.git.records(*compare, f"--ita-{how}-in-index", EMPTY_TREE, "--", *paths))
        for how in ("visible", "invisible")
    )
    return seen - unseen


def _commit_changes(checkout: Checkout, session: Session, message: str) -> str | None:
    git = checkout.git
    paths = sorted(path for path in session.latest if path in set(checkout.list_changed()))
    if not paths:
        return None
    # git refuses to add what is neither in its index nor in the tree: a file that it forgot
    # before (``rm --cached``) and the answer deleted.
    known = set(git.records("--literal-pathspecs", "ls-files", "-z", "-co", "--", *paths))
    added = _join_paths(path for path in paths if path in known)
    if added:  # to add no path is to add all
        git.run(*_QUIETLY, "--literal-pathspecs", "add", "-A", *_PATHS_GIVEN, stdin=added)
    git.run(
        # --only: what the user has staged elsewhere stays staged, and stays out of this commit.
        *_QUIETLY, "--literal-pathspecs", "commit", "-q", "--only", "--no-verify",
        "-m", message, *_PATHS_GIVEN, stdin=_join_paths(paths),
    )  # fmt: skip
    return read_ref(git, "HEAD")


def _join_paths(paths: Iterable[bytes]) -> bytes:
    return b"".join(path + b"\0" for path in paths)
