"""Running what a model wrote: in a worktree of its own, in the sandbox.

Its worktree is another than the one for the user's own commits, because what is ignored is kept
between builds: a script of a model's could leave something there that runs later, unconfined.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from git_retcon.git.graph import Commit
from git_retcon.retcon.quarantine import Quarantine
from git_retcon.retcon.workplace import Manner, Workplace
from git_retcon.run.command import Outcome
from git_retcon.run.environment import command_environment, sandboxed_environment
from git_retcon.run.sandbox.confinement import confined_to_worktree
from git_retcon.run.sandbox.fitness import Misfit
from git_retcon.run.sandbox.level import Level, Policy, Sandbox
from git_retcon.show.question import Asker, ask_person

CONFINED_ID = "retcon-confined"


@dataclass(frozen=True)
class Guard:
    """What is distrusted, and how. ``source`` is a commit of the user's own bytes alone, on which
    a command is seen to work in the sandbox before its verdicts there count.
    """

    quarantine: Quarantine
    policy: Policy
    source: Commit
    ask: Asker = ask_person


@dataclass
class Confined:
    """The place for trees that hold what a model wrote. ``warn`` is told what runs unconfined."""

    place: Workplace
    sandbox: Sandbox
    guard: Guard
    warn: Callable[[str], None]
    _plain: Manner = field(init=False)
    _inside: Manner = field(init=False)
    _manners: dict[str, Manner] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        env = sandboxed_environment()
        self._plain = Manner(command_environment())
        self._inside = Manner(
            env, self.sandbox.prefix(confined_to_worktree(self.place.worktree, env))
        )
        # Nothing of a model's is here yet, and a set-up often needs the network.
        source = self.guard.source
        self.place.prepare(source.oid, source.tree, self._plain)

    def outcome(
        self, command: str, oid: str, tree: str, passed_outside: Callable[[], bool]
    ) -> Outcome:
        """Run a command on such a tree.

        ``passed_outside`` says whether it passes on the source's own files, unconfined. Raises
        Refused where it does, fails inside on the very same files, and nobody allows otherwise.
        """
        if command not in self._manners:
            self._manners[command] = self._fitting(command, passed_outside)
        return self.place.outcome(command, oid, tree, self._manners[command])

    def record(self, command: str) -> str:
        """What confined a command, for notes; empty while it has not run."""
        manner = self._manners.get(command)
        if manner is None:
            return ""
        allowed = manner is self._plain and self.sandbox.level is not Level.NONE
        return "none (allowed)" if allowed else self.sandbox.record

    def _fitting(self, command: str, passed_outside: Callable[[], bool]) -> Manner:
        if self.sandbox.level is Level.NONE:
            return self._plain
        if not passed_outside():
            return self._inside
        source = self.guard.source
        inside = self.place.outcome(command, source.oid, source.tree, self._inside)
        if inside.passed:
            return self._inside
        found = Misfit(inside)
        question = f"{found.message}; run it without the sandbox?"
        if self.guard.policy is Policy.REQUIRE or not self.guard.ask(question):
            raise found.refusal()
        self.warn(f"{found.message}; it runs without")
        return self._plain
