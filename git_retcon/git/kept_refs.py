"""Refs that keep commits which a command takes off a branch, each under a name of its own.

The name is ``PLACE/HASH-NUMBER/BRANCH``: a hash, because a branch ``a`` and one ``a/b``, at other
times, would leave refs that exclude each other; and a number that only grows, so that a way back
stays true when more is kept later.
"""

import hashlib
import os
from collections.abc import Mapping

from git_retcon.git.process import Git
from git_retcon.git.ref_updates import NOTHING, RefUpdate
from git_retcon.git.refs import read_ref
from git_retcon.lazy_named_tuple import NamedTuple


class KeptRefs(NamedTuple):
    """The refs below one place, such as ``refs/retcon/undone``."""

    git: Git
    place: str

    def prepare_keeping(self, branch: str, commit: str) -> RefUpdate:
        """The update that keeps a commit of a branch, under a name that is not there yet, unless
        it was the last to be kept: git moves one ref after another, and may be killed between.
        """
        numbered = self._list_numbered(branch)
        number = max(numbered, default=0) + 1
        if numbered and read_ref(self.git, last := numbered[number - 1]) == commit:
            return RefUpdate(last, commit, commit)
        return RefUpdate(f"{self._make_prefix(branch)}-{number}/{branch}", NOTHING, commit)

    def find_last(self, branch: str) -> str | None:
        """The ref that keeps what was last taken off a branch, or None."""
        numbered = self._list_numbered(branch)
        if numbered:
            return numbered[max(numbered)]
        # Older versions wrote names without a number, and before that without a hash.
        older = (f"{self._make_prefix(branch)}/{branch}", f"{self.place}/{branch}")
        return next((name for name in older if read_ref(self.git, name) is not None), None)

    def _list_numbered(self, branch: str) -> Mapping[int, str]:
        """The refs that keep something of a branch, by their number."""
        prefix = f"{self._make_prefix(branch)}-"
        listing = self.git.run("for-each-ref", "--format=%(refname)", f"{prefix}*/**")
        names = listing.decode("utf-8", "surrogateescape").splitlines()
        numbers = (name.removeprefix(prefix).partition("/")[0] for name in names)
        return {
            int(number): name
            for number, name in zip(numbers, names, strict=True)
            # Somebody may have made a ref of that form by hand.
            if number.isascii() and number.isdecimal()
        }

    def _make_prefix(self, branch: str) -> str:
        return f"{self.place}/{hashlib.sha256(os.fsencode(branch)).hexdigest()[:16]}"
