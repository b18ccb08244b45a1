"""Who may read and write the files of a repository that several users share.

libgit2 does not know ``core.sharedRepository``. Without it an object is for whom the umask lets,
and the others of a group can neither read it nor write beside it.
"""

import contextlib
import os
from collections.abc import Iterator

from git_retcon.git.repository import Repository

_GROUP = frozenset({"group", "true", "yes", "on", "1"})
_EVERYBODY = frozenset({"all", "world", "everybody", "2"})
_NOT_SHARED = frozenset({"umask", "false", "no", "off", "0", ""})


@contextlib.contextmanager
def share_files(repository: Repository) -> Iterator[None]:
    """Let what is written within this block be for those with whom the repository is shared."""
    before = os.umask(0o077)
    os.umask(_choose_umask(repository.config.get("core.sharedrepository") or "", before))
    try:
        yield
    finally:
        os.umask(before)


def _choose_umask(setting: str, umask: int) -> int:
    word = setting.strip().lower()
    if word in _NOT_SHARED:
        return umask
    if word in _GROUP:
        return umask & ~0o770
    if word in _EVERYBODY:
        return umask & ~0o775
    try:
        allowed = int(word, 8)
    except ValueError:
        return umask  # git itself refuses it
    # Who may read a folder may enter it.
    return 0o777 & ~(allowed | (allowed & 0o444) >> 2)
