"""Where the commands of a run are executed.

The user's own bytes are built as the user would build them, in one worktree; what a model wrote in
another, confined one. Each is made when it is first needed.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path

from git_retcon.run import events
from git_retcon.run.command_shell import open_shell
from git_retcon.run.commands import Commands
from git_retcon.run.confined_worktree import ConfinedWorktree, Guard
from git_retcon.run.events import CheckListener
from git_retcon.run.prepared_worktree import PreparedWorktree, setup_key
from git_retcon.run.sandbox.level import choose
from git_retcon.run.shell_command import Outcome
from git_retcon.run.toolchain import fingerprint
from git_retcon.run.worktree import open_free_worktree
from git_retcon.run.worktree_place import WorktreePlace


class Executor:
    """Runs commands on trees. ``tools`` is a fingerprint of the tools that they may call.

    Without a ``guard`` every tree is the user's.
    """

    def __init__(
        self, commands: Commands, place: WorktreePlace, guard: Guard | None, tell: CheckListener
    ) -> None:
        self._commands = commands
        self._place = place
        self._guard = guard
        self._tell = tell
        self._shell = open_shell()
        self.tools = fingerprint(commands.all, self._shell.env)
        self._stack = contextlib.ExitStack()
        self._outside: PreparedWorktree | None = None
        self._inside: ConfinedWorktree | None = None

    def close(self) -> None:
        """Leave the worktrees to others."""
        self._stack.close()

    def run(
        self, command: str, oid: str, tree: str, passes_on_source: Callable[[], bool]
    ) -> Outcome:
        """Run a command on a commit's tree.

        ``passes_on_source`` says whether it passes, unconfined, on the source's own files. Raises
        Refused where a model's bytes would need more than the sandbox allows, and nobody agrees.
        """
        if self.is_distrusted(tree):
            return self._open_confined().run(command, oid, tree, passes_on_source)
        return self._open_outside().run(command, oid, tree, lambda: self._shell)

    def prepare(self, tree: str) -> None:
        """Choose the sandbox, and tell of it, where a tree needs one."""
        if self.is_distrusted(tree):
            self._open_confined()

    def describe_sandbox(self, command: str, tree: str) -> str:
        """What confined a command on a tree, for notes; empty where nothing did."""
        if self._inside is None or not self.is_distrusted(tree):
            return ""
        return self._inside.record(command)

    def is_distrusted(self, tree: str) -> bool:
        """Whether a tree holds bytes that a model wrote."""
        return self._guard is not None and self._guard.quarantine.holds(tree)

    def purify(self, tree: str) -> None:
        """Leave nothing that other trees' runs made in the confined worktree."""
        self._open_confined().purify(tree)

    def is_pure(self, tree: str) -> bool:
        """Whether only a tree's own runs have been in the confined worktree."""
        return self._open_confined().is_pure(tree)

    @property
    def places(self) -> tuple[Path, ...]:
        """Where files are checked out, as far as anything was."""
        inside = self._inside.place if self._inside is not None else None
        return tuple(each.worktree.tree for each in (self._outside, inside) if each is not None)

    def _open_outside(self) -> PreparedWorktree:
        if self._outside is None:
            self._outside = self._open_worktree(self._place.id)
        return self._outside

    def _open_confined(self) -> ConfinedWorktree:
        assert self._guard is not None
        if self._inside is None:
            sandbox = choose(self._guard.consent.policy)
            self._tell(events.Confined(sandbox.level.value, sandbox.description))
            self._inside = ConfinedWorktree(
                self._open_worktree(self._place.confined_id), sandbox, self._guard
            )
        return self._inside

    def _open_worktree(self, id: str) -> PreparedWorktree:  # noqa: A002
        place, commands = self._place, self._commands
        worktree = self._stack.enter_context(open_free_worktree(place.base, place.repository, id))
        return PreparedWorktree(
            worktree, commands.setup, self._setup_key, commands.timeout, self._give_warning
        )

    def _give_warning(self, message: str) -> None:
        self._tell(events.Warned(message))

    def _setup_key(self, tree: str) -> str:
        trees = self._place.repository.trees
        return setup_key(self._commands.setup or "", self.tools, trees, tree)
