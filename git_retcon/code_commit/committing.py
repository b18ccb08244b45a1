"""``--commit``: the files of the run, and nothing else, as one commit of the user's."""

from git_retcon.code_commit.checkout import Checkout
from git_retcon.code_commit.session import Session
from git_retcon.git.refs import read_ref

_LONGEST_SUBJECT = 72
# A hook would run what a model has written, outside of any sandbox.
_QUIETLY = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")


def message_for(given: str | None, session: Session, query: bytes) -> str:
    """The message given, else the model's, else the query's first line."""
    if given is not None:
        return given
    if session.message:
        return _readable(session.message)
    text = _readable(query.decode("utf-8", "replace"))
    subject = text.partition("\n")[0].strip()
    if len(subject) <= _LONGEST_SUBJECT:
        return subject
    return subject[: _LONGEST_SUBJECT - 1].rsplit(" ", 1)[0] + "…\n\n" + text


def _readable(text: str) -> str:
    """Text without what git or a terminal stumbles over; never empty."""
    kept = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    return kept.strip() or "Change by git code-commit"


def index_entries(checkout: Checkout, session: Session) -> bytes:
    """What the index has of the session's files, as ``update-index --index-info`` takes it."""
    if not session.latest:
        return b""
    paths = sorted(session.latest)
    return checkout.git.run("--literal-pathspecs", "ls-files", "-z", "--stage", "--", *paths)


def commit(checkout: Checkout, session: Session, message: str) -> str | None:
    """Commit the session's files as they are now; the commit's id, or None if none changed.

    Raises GitError with git's own words, for instance where it does not know who commits.
    """
    git = checkout.git
    paths = sorted(path for path in session.latest if path in set(checkout.changed()))
    if not paths:
        return None
    listing = b"\0".join(paths) + b"\0"
    given = ("--pathspec-from-file=-", "--pathspec-file-nul")
    git.run(*_QUIETLY, "--literal-pathspecs", "add", "-A", *given, stdin=listing)
    git.run(
        *_QUIETLY, "--literal-pathspecs", "commit", "-q", "--only", "--no-verify",
        "-m", message, *given, stdin=listing,
    )  # fmt: skip
    return read_ref(git, "HEAD")
