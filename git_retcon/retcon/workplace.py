"""One worktree with commands run in it: checked out, set up where needed, then run."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.files.atomic import save
from git_retcon.files.lockfiles import is_manifest
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Trees
from git_retcon.run.command import Outcome
from git_retcon.run.kept import remove_worktree
from git_retcon.run.worktree import Worktree, repository_key


@dataclass(frozen=True)
class Manner:
    """How a command is run: its environment, and the argv it is run under (a sandbox's)."""

    env: Mapping[str, str]
    prefix: Sequence[str] = ()


@dataclass
class Workplace:
    """A worktree that commits are built in. ``setup`` is the command that prepares it, if any;
    ``setup_key`` names, for a tree, everything the set-up depends on.
    """

    worktree: Worktree
    setup: str | None
    setup_key: Callable[[str], str]
    timeout: float
    _standing: str | None = field(default=None, init=False)
    _prepared: str | None = field(default=None, init=False)

    def outcome(self, command: str, oid: str, tree: str, manner: Manner) -> Outcome:
        """Run a command on a commit (or a tree); the set-up's outcome where that failed."""
        return self.prepare(oid, tree, manner) or self._run(command, manner)

    def prepare(self, oid: str, tree: str, manner: Manner) -> Outcome | None:
        """Check out, and set up when a manifest changed; the outcome of a set-up that failed."""
        if self._standing != oid:
            self._prepared = None
            self.worktree.checkout(oid)
            self._standing = oid
        if not self.setup:
            return None
        wanted = self.setup_key(tree).encode()
        done = self.worktree.root / "setup"
        if self._prepared == oid or (done.is_file() and done.read_bytes() == wanted):
            return None
        done.unlink(missing_ok=True)  # a set-up that fails half-way leaves nothing to rely on
        outcome = self._run(self.setup, manner)
        if not outcome.passed:
            return outcome
        self._prepared = oid
        if self._survives_checkout():
            save(done, wanted)
        return None

    def _survives_checkout(self) -> bool:
        """Whether all that a set-up made is ignored; a checkout takes everything else away."""
        return not self.worktree.git.run("status", "--porcelain", "-z")

    def _run(self, command: str, manner: Manner) -> Outcome:
        return self.worktree.run(
            command, env=manner.env, timeout=self.timeout, prefix=manner.prefix
        )


def setup_key(setup: str, tools: str, trees: Trees, tree: str) -> str:
    """What a set-up depends on: the command, the tools' versions, and every manifest."""
    digest = hashlib.sha256(f"{setup}\0{tools}\0".encode())
    for path, entry in trees.files(tree):
        if is_manifest(path):
            digest.update(path + b"\0" + entry.oid.encode() + b"\0")
    return digest.hexdigest()


def forget_worktree(base: Path, repository: Repository, name: str) -> None:
    """Remove a kept worktree, so that the next one of this name begins with no file."""
    root = Path(base).resolve() / repository_key(repository) / name
    if root.exists():
        remove_worktree(root)
