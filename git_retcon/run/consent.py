"""Consent to run outside the sandbox what would have to run in it.

A command that passes outside is first run unchanged inside. If it fails there, the command
cannot be sandboxed: a person is asked, or ``--sandbox=off`` was given. Nobody is asked twice for
one command, and no answer weakens a sandbox that is required.
"""

from collections.abc import Callable
from dataclasses import dataclass

from git_retcon.errors import Reason, Refused
from git_retcon.run.sandbox.fitness import Misfit, find_misfit
from git_retcon.run.sandbox.level import UNCONFINED, Level, Policy, Sandbox
from git_retcon.run.shell_command import Outcome
from git_retcon.show.question import Asker, reason_of_no


@dataclass(frozen=True, slots=True)
class Trial:
    """Two runs of one command on files of the user's alone.

    Only there does a failure say something about the sandbox: with a model's bytes in the tree,
    it may be theirs.
    """

    run_inside: Callable[[], Outcome]
    passes_outside: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Consent:
    """Who decides: the policy, then a person. ``warn`` is told of all that runs unconfined."""

    policy: Policy
    ask: Asker
    warn: Callable[[str], None]

    def choose_sandbox(self, sandbox: Sandbox, trial: Trial) -> Sandbox:
        """The sandbox for a command: ``sandbox``, or none where somebody agreed to that.

        Raises Refused where the command cannot be sandboxed and nobody agrees.
        """
        if sandbox.level is Level.NONE:
            return sandbox
        found = find_misfit(trial.run_inside, trial.passes_outside)
        if found is None:
            return sandbox
        self._request(found)
        return UNCONFINED

    def recall(self, command: str) -> Sandbox:
        """No sandbox, for a command that somebody agreed to before.

        Raises Refused where a sandbox is required now.
        """
        if self.policy is Policy.REQUIRE:
            raise Refused(
                f"'{command}' cannot be sandboxed, and a sandbox is required",
                hint="leave out '--sandbox=require', or build with another command",
                reason=Reason.NO_SANDBOX,
            )
        self.warn(f"'{command}' runs without a sandbox, as was agreed to")
        return UNCONFINED

    def _request(self, found: Misfit) -> None:
        if self.policy is Policy.REQUIRE:
            raise found.refusal()
        if not self.ask(f"{found.message}; run it without the sandbox?"):
            raise found.refusal(reason_of_no())
        self.warn(f"{found.message}; it runs without")
