"""Where undone commits are kept: below ``refs/retcon/undone/``, each time under a name of its own.

The name is ``HASH-NUMBER/BRANCH``: a hash, because a branch ``a`` and one ``a/b``, at other times,
would leave refs that exclude each other; and a number that only grows, so that a way back stays
true whatever is undone later. Older versions had one name for a branch, with no number or with no
hash either; those are found and never written.
"""

import hashlib
import os
from collections.abc import Mapping

from git_retcon.git.process import Git
from git_retcon.git.refs import read_ref

_PLACE = "refs/retcon/undone"


def next_place(git: Git, branch: str) -> str:
    """The name of a ref that does not exist yet, for what is about to be undone on a branch."""
    return _place(branch, max(_numbered(git, branch), default=0) + 1)


def kept_last(git: Git, branch: str) -> str | None:
    """The ref that keeps what was undone last on a branch, or None."""
    numbered = _numbered(git, branch)
    if numbered:
        return numbered[max(numbered)]
    older = (f"{_PLACE}/{_hash(branch)}/{branch}", f"{_PLACE}/{branch}")
    return next((name for name in older if read_ref(git, name) is not None), None)


def _numbered(git: Git, branch: str) -> Mapping[int, str]:
    """The refs that keep something of a branch, by their number."""
    listing = git.run("for-each-ref", "--format=%(refname)", f"{_PLACE}/{_hash(branch)}-*/**")
    names = listing.decode("utf-8", "surrogateescape").splitlines()
    numbers = (name.removeprefix(f"{_PLACE}/{_hash(branch)}-").partition("/")[0] for name in names)
    return {
        int(number): name
        for number, name in zip(numbers, names, strict=True)
        if number.isascii() and number.isdecimal()
    }


def _place(branch: str, number: int) -> str:
    return f"{_PLACE}/{_hash(branch)}-{number}/{branch}"


def _hash(branch: str) -> str:
    return hashlib.sha256(os.fsencode(branch)).hexdigest()[:16]
