"""What a run needs first: query, codebase, keys, and a tree without uncommitted changes."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from git_retcon.code_commit.session import Session
from git_retcon.code_commit.verification import Guard, find_protected
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.files.beneath import File
from git_retcon.files.transaction import State, is_in
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

QUERY, ROLLUP, KEY = "query.txt", "codeRollup.txt", "anthropic-key.txt"
_LARGEST_KEY_FILE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Question:
    """Where the query comes from: the words themselves, a file ("-": standard input), or None
    for ``agent-config/query.txt``.
    """

    text: str | None = None
    file: str | None = None

    @property
    def is_given(self) -> bool:
        return self.text is not None or self.file is not None


def read_query(question: Question, checkout: Checkout) -> bytes:
    """The query. Raises Fatal where there is none, or nothing in it."""
    if question.text is not None:
        query, name = question.text.encode("utf-8", "surrogateescape"), "--query"
    elif question.file is not None:
        query, name = read_input(question.file, "query"), question.file
    else:
        path = checkout.config_folder / QUERY
        name = f"agent-config/{QUERY}"
        query = _read_input(path, name, "write your question there, or give it with --query")
    if not query.strip():
        raise Fatal(
            f"the query in '{name}' is empty", hint="say what is to change", reason=Reason.INVALID
        )
    return query


def read_codebase(checkout: Checkout) -> bytes:
    """The rollup. Raises Fatal where it is missing."""
    path = checkout.config_folder / ROLLUP
    hint, command = "'git code-commit rollup' makes it", ["git", "code-commit", "rollup"]
    return _read_input(path, f"agent-config/{ROLLUP}", hint, [command])


def read_input(name: str, what: str) -> bytes:
    """A file named on the command line; "-" is standard input. Raises Fatal."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Fatal(
            f"cannot read the {what} '{name}': {error.strerror}",
            hint="name a file that is there, or '-' for standard input",
            reason=Reason.INVALID,
        ) from error


def read_key(checkout: Checkout) -> str | None:
    """The API key of ``agent-config/anthropic-key.txt``, or None."""
    try:
        return (checkout.config_folder / KEY).read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def make_redactor(checkout: Checkout, env: Mapping[str, str]) -> Redactor:
    """Knows the environment's secrets and those of every key file in ``agent-config``."""
    contents = []
    for path in sorted(checkout.config_folder.glob("*key*")):
        # A key is short; a large file that has "key" in its name is something else.
        if path.is_file() and path.stat().st_size <= _LARGEST_KEY_FILE:
            contents.append(path.read_bytes())
    return Redactor(secrets_in(env, contents))


def refuse_uncommitted(
    checkout: Checkout,
    guard: Guard,
    session: Session | None,
    given: Sequence[str | None] = (),
    *,
    force: bool,
) -> Mapping[bytes, File | None]:
    """The uncommitted changes in files an answer may write; raises Refused unless forced.

    What the open session or its builds have written does not count, nor do the files that were
    ``given`` on the command line.
    """
    brought = {os.path.realpath(name) for name in given if name is not None}
    changed = [
        path
        for path in checkout.list_changed()
        if os.path.realpath(checkout.root / os.fsdecode(path)) not in brought
    ]
    own = {} if session is None else session.current
    made = frozenset[bytes]() if session is None else frozenset(session.products)
    left = [
        path
        for path in changed
        if not (_is_own(path, own[path], checkout) if path in own else path in made)
    ]
    kept = find_protected(left, guard)
    free = [path for path in left if path not in kept and _may_be_written(path, checkout)]
    if free and not force:
        names = some_of([show_path(path) for path in free], 5)
        raise Refused(
            f"uncommitted changes in files an answer may write: {names}",
            hint="commit them, put them aside or let git ignore them, or use --force (they are "
            "kept for 'undo')",
            reason=Reason.UNSAVED_WORK,
            again=["--force"],
        )
    return {path: checkout.files.read(path) for path in free}


def _may_be_written(path: bytes, checkout: Checkout) -> bool:
    """Whether it is no link and no other repository, which git names with a slash."""
    try:
        checkout.files.read(path)
    except ForbiddenPath:
        return False
    return not path.endswith(b"/")


def _is_own(path: bytes, state: State | None, checkout: Checkout) -> bool:
    try:
        file = checkout.files.read(path)
    except ForbiddenPath:
        return False
    return is_in(state, file)


def _read_input(path: Path, name: str, hint: str, commands: Sequence[Sequence[str]] = ()) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise Fatal(f"'{name}' is missing", hint=hint, commands=commands) from error
    except OSError as error:
        raise Fatal(f"cannot read '{name}': {error.strerror}") from error
