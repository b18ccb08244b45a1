"""Running what a model wrote: in a worktree of its own, in the sandbox.

Its worktree is another than the one for the user's own commits, because what is ignored is kept
between builds: a model's script could leave something there that runs later, unconfined.
"""

import contextlib
import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import NamedTuple

from git_retcon.git.graph import Commit
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.command_shell import confined_shell, open_shell
from git_retcon.run.consent import Consent, Trial
from git_retcon.run.git_files import GitWatch, Restored, describe_restored
from git_retcon.run.prepared_worktree import OpenShell, PreparedWorktree
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.confinement import Confinement, confine_to_worktree
from git_retcon.run.sandbox.fitness import require_start
from git_retcon.run.sandbox.level import Level, Policy, Sandbox
from git_retcon.run.sandbox.tree_secrets import find_secrets, find_withheld
from git_retcon.run.shell_command import Outcome


@dataclass(frozen=True, slots=True)
class Guard:
    """What is distrusted, and who may let it out. ``source`` is a commit of the user's own bytes
    alone, on which a command is seen to work in the sandbox before its verdicts there count.
    ``withholds`` names, by their paths in the tree, what a command should not read; None: nothing.
    """

    quarantine: Quarantine
    consent: Consent
    source: Commit
    withholds: Callable[[bytes], bool] | None = None


class _Choice(NamedTuple):
    """What a command runs in, and whether it reads there what is withheld."""

    sandbox: Sandbox
    reads: bool = False


@dataclass
class ConfinedWorktree:
    """The place for trees that hold what a model wrote."""

    place: PreparedWorktree
    sandbox: Sandbox
    guard: Guard
    _chosen: dict[str, _Choice] = field(default_factory=dict, init=False)
    _ran: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.guard.consent.admit(self.sandbox)
        self._empty_place()

    def is_pure(self, tree: str) -> bool:
        """Whether no command has run here on another tree that a model wrote into.

        Only then is what a command says of this tree not due to something that another one left
        in an ignored file.
        """
        return self._ran <= {tree, self.guard.source.tree}

    def purify(self, tree: str) -> None:
        """Remove what commands on other trees left, so that the next verdict is this tree's own."""
        if not self.is_pure(tree):
            self._empty_place()

    def run(self, command: str, oid: str, tree: str, passes_outside: Callable[[], bool]) -> Outcome:
        """Run a command on such a tree.

        ``passes_outside`` says whether it passes on the source's own files, unconfined. Raises
        Refused where it fails inside on the same files, and nobody agrees to run it outside.
        """
        # Asked once for each command: the answer is about what it needs, not about one tree.
        if command not in self._chosen:
            self._chosen[command] = self._choose_confinement(command, passes_outside)
        chosen = self._chosen[command]
        self._ran.add(tree)
        outcome = self._run_command(command, oid, tree, chosen)
        if chosen.sandbox.level is not Level.NONE:
            require_start(outcome)
        return outcome

    def record(self, command: str) -> str:
        """What confined a command, for notes; empty while it has not run."""
        chosen = self._chosen.get(command)
        return "" if chosen is None else chosen.sandbox.record

    def _choose_confinement(self, command: str, passes_outside: Callable[[], bool]) -> _Choice:
        source, consent = self.guard.source, self.guard.consent

        @functools.cache
        def run_inside() -> Outcome:
            return self._run_command(command, source.oid, source.tree, _Choice(self.sandbox))

        # A weak sandbox covers nothing, and says so before it is used.
        if self.sandbox.level.is_strong and not run_inside().passed:
            withheld = self._find_withheld()
            reading = _Choice(self.sandbox, reads=True)
            if withheld and self._run_command(command, source.oid, source.tree, reading).passed:
                top = self.place.worktree.tree
                consent.uncover(command, [str(path.relative_to(top)) for path in withheld])
                return reading
        trial = Trial(run_inside, passes_outside)
        return _Choice(consent.choose_sandbox(self.sandbox, trial))

    def _run_command(self, command: str, oid: str, tree: str, chosen: _Choice) -> Outcome:
        def run() -> Outcome:
            return self.place.run(command, oid, tree, self._make_shell(chosen))

        # A strong sandbox shows nothing of the user's '.git'.
        return run() if chosen.sandbox.level.is_strong else self._watch_git(run)

    def _watch_git(self, run: Callable[[], Outcome]) -> Outcome:
        """Run a command, and put back what it changes of what the user's git executes."""
        repository = self.place.worktree.repository
        top = repository.work_tree or repository.git_dir
        with contextlib.closing(GitWatch(repository, top, os.environ)) as watch:
            try:
                outcome = run()
            finally:  # after an interrupt too: git may be run next
                restored = watch.restore()
        return _add_remarks(outcome, restored)

    def _find_withheld(self) -> tuple[Path, ...]:
        withholds = self.guard.withholds
        return () if withholds is None else find_withheld(self.place.worktree.tree, withholds)

    def _empty_place(self) -> None:
        """Make the place as it is before a model's bytes come in, set up for the source."""
        self.place.empty()
        self._ran.clear()
        # A set-up often needs the network, so it runs outside, on the user's own files alone. Where
        # a sandbox is required nothing does.
        required = self.guard.consent.policy is Policy.REQUIRE
        shell = self._make_shell(_Choice(self.sandbox)) if required else open_shell
        source = self.guard.source
        self.place.prepare(source.oid, source.tree, shell)

    def _make_shell(self, chosen: _Choice) -> OpenShell:
        return lambda: confined_shell(
            chosen.sandbox, lambda env: self._make_confinement(env, chosen)
        )

    def _make_confinement(self, env: Mapping[str, str], chosen: _Choice) -> Confinement:
        worktree = self.place.worktree
        withheld = () if chosen.reads else self._find_withheld()
        veiled = (*find_secrets(worktree.tree, worktree.git), *withheld)
        return confine_to_worktree(worktree, env, veiled=veiled)


def _add_remarks(outcome: Outcome, restored: Restored) -> Outcome:
    """A command that changed what git executes has failed, with any status."""
    lines = [f"the command changed '{name}', which was put back" for name in restored.names]
    lines += describe_restored(restored)
    if not lines:
        return outcome
    printed = outcome.output
    if printed and not printed.endswith(b"\n"):
        printed += b"\n"
    status = outcome.status or (1 if restored.names else 0)
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    return replace(outcome, status=status, output=printed + text)
