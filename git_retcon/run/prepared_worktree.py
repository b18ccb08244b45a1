"""A worktree with commands run in it: checked out, set up where needed, then run."""

import hashlib
from collections.abc import Callable
from dataclasses import field

from git_retcon.files.atomic import save
from git_retcon.files.lockfiles import is_manifest
from git_retcon.git.trees import Trees
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.command_shell import Shell
from git_retcon.run.shell_command import Outcome
from git_retcon.run.worktree import Worktree, WorktreeRemoved

# Called when the files are checked out: what a sandbox has to cover depends on them.
OpenShell = Callable[[], Shell]


@dataclass
class PreparedWorktree:
    """A worktree that commits are checked in. ``setup`` is the command that prepares it, if any;
    ``setup_key`` names, for a tree, everything that the set-up depends on. ``timeout`` is seconds
    for each command. ``warn`` gets a line when somebody removed the worktree.
    """

    worktree: Worktree
    setup: str | None
    setup_key: Callable[[str], str]
    timeout: float
    warn: Callable[[str], None]
    _checked_out: str | None = field(default=None, init=False)
    _set_up_for: str | None = field(default=None, init=False)

    def run(self, command: str, oid: str, tree: str, open_shell: OpenShell) -> Outcome:
        """Run a command on a commit (or a tree); the set-up's outcome where that failed.

        Where somebody removed the worktree meanwhile, it is made again, once.
        """
        try:
            outcome = self.prepare(oid, tree, open_shell) or self._run_command(command, open_shell)
            if outcome.passed or not self.worktree.lacks_files():
                return outcome
            # A removal begins anywhere, so it may be this that the command complains of.
            self.warn("files of the worktree were removed during a command; it is run again")
        except WorktreeRemoved as removed:
            self.warn(f"{removed}; it is made again")
        self._checked_out = None
        self.worktree.make_again()
        return self.prepare(oid, tree, open_shell) or self._run_command(command, open_shell)

    def empty(self) -> None:
        """Remove everything from it, ignored files too."""
        self._checked_out = None
        self.worktree.make_again()

    def prepare(self, oid: str, tree: str, open_shell: OpenShell) -> Outcome | None:
        """Check out, and set up when a manifest changed; the outcome of a set-up that failed."""
        if self._checked_out != oid:
            self._set_up_for = None
            self.worktree.checkout(oid)
            self._checked_out = oid
        if not self.setup:
            return None
        wanted = self.setup_key(tree).encode()
        done = self.worktree.root / "setup"
        if self._set_up_for == oid or (done.is_file() and done.read_bytes() == wanted):
            return None
        done.unlink(missing_ok=True)  # a set-up that fails half-way leaves nothing to rely on
        outcome = self._run_command(self.setup, open_shell)
        if not outcome.passed:
            return outcome
        self._set_up_for = oid
        if self._survives_checkout():
            save(done, wanted)
        return None

    def _survives_checkout(self) -> bool:
        """Whether all that a set-up made is ignored; a checkout takes everything else away."""
        return not self.worktree.git.run("status", "--porcelain", "-z")

    def _run_command(self, command: str, open_shell: OpenShell) -> Outcome:
        shell = open_shell()
        return self.worktree.run(command, env=shell.env, timeout=self.timeout, prefix=shell.prefix)


def setup_key(setup: str, tools: str, trees: Trees, tree: str) -> str:
    """What a set-up depends on: the command, the tools' versions, and every manifest."""
    digest = hashlib.sha256(f"{setup}\0{tools}\0".encode())
    for path, entry in trees.files(tree):
        if is_manifest(path):
            digest.update(path + b"\0" + entry.oid.encode() + b"\0")
    return digest.hexdigest()
