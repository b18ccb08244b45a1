"""The refs that jobs can see or check out: tags, and the branches as the remote has them."""

import hashlib
from collections.abc import Iterable

from git_retcon.git.config import Config
from git_retcon.git.process import Git
from git_retcon.heal.current_branch import choose_remote

_TAGS = b"\nrefs/tags/"


class SeenRefs:
    """They are read once, when a check begins: one git process."""

    def __init__(self, git: Git, config: Config) -> None:
        remote = choose_remote(config, "")
        self._place = f"refs/remotes/{remote}/" if remote else "refs/heads/"
        listed = git.run(
            "for-each-ref", "--format=%(refname) %(objectname)", self._place, "refs/tags/"
        )
        self._listed = b"\n" + listed

    @property
    def digest(self) -> str:
        """Changes with any of them."""
        return hashlib.sha256(self._listed).hexdigest()

    @property
    def tags(self) -> str:
        """Changes with any tag: ``git describe`` may then say something else."""
        # git sorts them by name, and tags come behind branches.
        start = self._listed.find(_TAGS)
        return hashlib.sha256(self._listed[start:] if start >= 0 else b"").hexdigest()

    def describe(self, refs: Iterable[str]) -> list[str]:
        """What changes where a checkout of one of these refs would bring another commit."""
        return [self._describe_one(ref) for ref in refs]

    def _describe_one(self, ref: str) -> str:
        names = [self._place + ref.removeprefix("refs/heads/"), f"refs/tags/{ref}", ref]
        found = [self._find_object(name) for name in names]
        # A name that is none of a ref may be an expression (``main~2``) over any of them.
        return " ".join(found) if any(found) else self.digest

    def _find_object(self, name: str) -> str:
        start = b"\n%s " % name.encode("utf-8", "surrogateescape")
        _, found, rest = self._listed.partition(start)
        return rest.partition(b"\n")[0].decode("ascii") if found else ""
