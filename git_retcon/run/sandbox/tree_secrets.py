"""Secrets that lie in a tree that a command works on: no build of a commit needs them."""

import contextlib
import fnmatch
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from git_retcon.git.checkout import list_tracked
from git_retcon.git.process import Git

_NAMES = (".env*", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*")
# These are often harmless, and then needed: what is in them decides.
_BY_CONTENT = {
    "*.pem": (b"PRIVATE KEY-----",),
    ".npmrc": (b"_authToken", b"_auth", b"_password"),
    ".netrc": (b"password",),
}
_MOST_PATHSPECS = 100
_MOST_BYTES = 1 << 20  # of a file that is looked into


def find_secrets(top: Path, git: Git) -> tuple[Path, ...]:
    """Files beneath ``top`` whose names or contents say secret, and that git does not track there.

    ``git`` is at home in ``top``. A tracked one is no secret any more. A bundle of certificates
    that ends in ``.pem`` is left alone: without it, no TLS works in a test.
    """
    found = [path for path in _list_candidates(top) if is_secret_file(path)]
    if not found:
        return ()
    found += _find_other_names(top, found)
    names = {os.fsencode(path.relative_to(top)): path for path in found}
    literal = [b":(top,literal)" + name for name in names]
    # git compares every path with every pathspec, and takes only so many arguments.
    tracked = set(list_tracked(git, *(literal if len(literal) <= _MOST_PATHSPECS else ())))
    return tuple(path for name, path in names.items() if name not in tracked)


def _find_other_names(top: Path, secrets: Iterable[Path]) -> Iterator[Path]:
    """The hard links that the files have beneath ``top`` besides."""
    known = frozenset(secrets)
    states = [path.stat() for path in known]
    linked = {(state.st_dev, state.st_ino) for state in states if state.st_nlink > 1}
    for folder, _, files in os.walk(top) if linked else ():
        for path in (Path(folder, name) for name in files):
            state = path.lstat()
            if (state.st_dev, state.st_ino) in linked and path not in known:
                yield path


def find_withheld(top: Path, is_withheld: Callable[[bytes], bool]) -> tuple[Path, ...]:
    """Files and folders beneath ``top`` that the rule names by their path there, tracked or not.

    What lies in a folder that is named is not listed: the folder is enough.
    """
    found: list[Path] = []
    for folder, folders, files in os.walk(top):
        base = Path(folder)
        for name in [*folders, *files]:
            if name != ".git" and is_withheld(os.fsencode((base / name).relative_to(top))):
                found.append(base / name)
        folders[:] = [name for name in folders if name != ".git" and base / name not in found]
    return tuple(found)


def _list_candidates(top: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(top):
        # What git keeps is protected otherwise; in a nested repository a name can be a secret too.
        folders[:] = [name for name in folders if name != ".git"]
        for name in files:
            if name.startswith((".env", ".n", "id_")) or name.endswith(".pem"):
                yield Path(folder, name)


def is_secret_file(path: Path) -> bool:
    """Whether a file's name says secret, or that it may be one and its content that it is."""
    if not path.is_file():  # to open a named pipe, which a build can leave, waits for ever
        return False
    if any(fnmatch.fnmatchcase(path.name, pattern) for pattern in _NAMES):
        return True
    for pattern, marks in _BY_CONTENT.items():
        if fnmatch.fnmatchcase(path.name, pattern):
            with contextlib.suppress(OSError), path.open("rb") as file:
                head = file.read(_MOST_BYTES)
                return any(mark in head for mark in marks)
    return False
