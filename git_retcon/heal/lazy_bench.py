"""The place where jobs run, opened when the first of them has to: trust first, then the worktree.

A check whose verdicts are all known opens nothing.
"""

import contextlib
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from git_retcon.git.repository import Repository
from git_retcon.heal.execution.ready_job import Workbench
from git_retcon.heal.found_errors import Tree, find_blame
from git_retcon.heal.local_tools import ToolsHere, read_local_machine
from git_retcon.heal.named_commands import Listed
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.trust import Trust
from git_retcon.run.working_state import WorkingState

_DIGITS = 15  # of the run id, as GitHub's is a number


class BenchNeeds(NamedTuple):
    """What a bench is made of. ``commands`` are those that must be trusted, and
    ``place`` is what names them. ``purpose`` names a worktree of its own, beside the one of checks.
    """

    repository: Repository
    base: Path
    state: WorkingState
    include: Callable[[Path], None]
    tools: ToolsHere
    caller: Mapping[str, str]
    secrets: Mapping[str, str]
    redact: Callable[[], Callable[[bytes], bytes]]
    trust: Trust
    place: str
    commands: Callable[[], Listed]
    warn: Callable[[str], None]
    purpose: str = ""


class LazyBench:
    """Holds the worktree from the first time that somebody asks for it to the end of the block."""

    def __init__(self, needs: BenchNeeds) -> None:
        self._needs = needs
        self._stack = contextlib.ExitStack()
        self._bench: Workbench | None = None

    def __enter__(self) -> "LazyBench":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def get(self) -> Workbench:
        """The bench. Raises Refused where the commands are not trusted."""
        if self._bench is None:
            self._bench = self._open_bench()
        return self._bench

    def _open_bench(self) -> Workbench:
        from git_retcon.heal.carried_folders import carry_folders, carry_nothing
        from git_retcon.heal.check_worktree import StateWorktree, wait_for_worktree
        from git_retcon.run.death_watch import watch_death

        needs = self._needs
        listed = needs.commands()
        if listed.commands:
            needs.trust.require(needs.place, listed.commands)
        worktree = self._stack.enter_context(
            wait_for_worktree(
                needs.base, needs.repository, needs.state.run_id + needs.purpose, needs.warn
            )
        )
        self._stack.enter_context(watch_death(worktree.root))
        # Only checks hand folders on: what a fix left in one must not reach the next check.
        carry = carry_nothing if needs.purpose else carry_folders
        state = StateWorktree(worktree, needs.state, needs.include, carry)
        return Workbench(
            worktree,
            worktree.root,
            state.prepare,
            needs.include,
            needs.tools,
            needs.caller,
            needs.secrets,
            needs.redact(),
            str(int(needs.state.run_id[:_DIGITS], 16)),
            needs.warn,
            read_local_machine(),
            functools.partial(find_blame, tree=Tree(needs.state.list_paths, worktree.tree)),
            listed.actions,
        )
