"""Running what a model wrote: in a worktree of its own, in the sandbox.

Its worktree is another than the one for the user's own commits, because what is ignored is kept
between builds: a model's script could leave something there that runs later, unconfined.
"""

from collections.abc import Callable, Mapping
from dataclasses import field

from git_retcon.git.graph import Commit
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.consent import Consent, Trial
from git_retcon.run.prepared_worktree import PreparedWorktree
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.confinement import Confinement, confine_to_worktree
from git_retcon.run.sandbox.fitness import require_start
from git_retcon.run.sandbox.level import Level, Policy, Sandbox
from git_retcon.run.shell import Shell, confined_shell, open_shell
from git_retcon.run.shell_command import Outcome


@dataclass(frozen=True, slots=True)
class Guard:
    """What is distrusted, and who may let it out. ``source`` is a commit of the user's own bytes
    alone, on which a command is seen to work in the sandbox before its verdicts there count.
    """

    quarantine: Quarantine
    consent: Consent
    source: Commit


@dataclass
class ConfinedWorktree:
    """The place for trees that hold what a model wrote."""

    place: PreparedWorktree
    sandbox: Sandbox
    guard: Guard
    _chosen: dict[str, Sandbox] = field(default_factory=dict, init=False)
    _ran: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.guard.consent.admit(self.sandbox)
        self._empty()

    def is_pure(self, tree: str) -> bool:
        """Whether no command has run here on another tree that a model wrote into.

        Only then is what a command says of this tree not due to something that another one left
        in an ignored file.
        """
        return self._ran <= {tree, self.guard.source.tree}

    def purify(self, tree: str) -> None:
        """Remove what commands on other trees left, so that the next verdict is this tree's own."""
        if not self.is_pure(tree):
            self._empty()

    def run(self, command: str, oid: str, tree: str, passes_outside: Callable[[], bool]) -> Outcome:
        """Run a command on such a tree.

        ``passes_outside`` says whether it passes on the source's own files, unconfined. Raises
        Refused where it fails inside on the same files, and nobody agrees to run it outside.
        """
        # Asked once for each command: the answer is about what it needs, not about one tree.
        if command not in self._chosen:
            source = self.guard.source

            def run_inside() -> Outcome:
                return self.place.run(command, source.oid, source.tree, self._shell(self.sandbox))

            trial = Trial(run_inside, passes_outside)
            self._chosen[command] = self.guard.consent.choose_sandbox(self.sandbox, trial)
        chosen = self._chosen[command]
        self._ran.add(tree)
        outcome = self.place.run(command, oid, tree, self._shell(chosen))
        if chosen.level is not Level.NONE:
            require_start(outcome)
        return outcome

    def record(self, command: str) -> str:
        """What confined a command, for notes; empty while it has not run."""
        chosen = self._chosen.get(command)
        return "" if chosen is None else chosen.record

    def _empty(self) -> None:
        """Make the place as it is before a model's bytes come in, set up for the source."""
        self.place.empty()
        self._ran.clear()
        # A set-up often needs the network, so it runs outside, on the user's own files alone. Where
        # a sandbox is required nothing does.
        required = self.guard.consent.policy is Policy.REQUIRE
        shell = self._shell(self.sandbox) if required else open_shell()
        source = self.guard.source
        self.place.prepare(source.oid, source.tree, shell)

    def _shell(self, sandbox: Sandbox) -> Shell:
        return confined_shell(sandbox, self._confinement)

    def _confinement(self, env: Mapping[str, str]) -> Confinement:
        return confine_to_worktree(self.place.worktree, env)
