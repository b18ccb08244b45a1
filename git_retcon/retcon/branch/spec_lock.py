"""Lock a spec, and its cleaned branch, which several specs may name: one run at a time."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from git_retcon.files.atomic import remove_unfinished
from git_retcon.files.lock import hold_lock
from git_retcon.files.path_digest import digest_name
from git_retcon.git.repository import Repository
from git_retcon.retcon.spec.file import SpecFile


@contextlib.contextmanager
def lock_spec(repository: Repository, path: Path) -> Iterator[SpecFile]:
    """Hold the locks of the spec and of its cleaned branch, and read the spec under them.

    Another command reads: "another process is using 'history.toml'"; what that process does with
    it, this one cannot know. Raises Fatal where another process holds one of them, and as
    ``SpecFile.load`` does.
    """
    locks = repository.common_dir / "retcon" / "locks"
    with hold_lock(locks / _name_lock("spec", os.path.realpath(path)), f"using '{path}'"):
        remove_unfinished(path)
        specfile = SpecFile.load(path)
        cleaned = specfile.spec.cleaned.removeprefix("refs/heads/")
        with hold_lock(locks / _name_lock("branch", cleaned), f"using '{cleaned}'"):
            yield specfile


def _name_lock(kind: str, what: str) -> str:
    return f"{kind}-{digest_name(what)}.lock"
