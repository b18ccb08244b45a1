"""Consent to run with less than a sandbox that protects everything.

A sandbox that cannot stop everything, or none, is asked about before anything runs in it. A
command is first run unchanged inside. If it fails there, a person is asked before it is run
outside, on the user's own files; if it passes there, it cannot be sandboxed, and that answer lets
it out. Nobody is asked twice for one command, and where a sandbox is required nothing ever runs
outside.
"""

from collections.abc import Callable, Sequence
from dataclasses import field

from git_retcon.errors import Reason, Refused
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.sandbox.fitness import describe_failure, did_not_start, refuse_to_leave
from git_retcon.run.sandbox.level import INSTALL, UNCONFINED, Level, Policy, Sandbox
from git_retcon.run.shell_command import Outcome
from git_retcon.show.counting import some_of
from git_retcon.show.question import Asker, reason_of_no


@dataclass(frozen=True, slots=True)
class Trial:
    """Two runs of one command on files of the user's alone.

    Only there does a failure say something about the sandbox: with a model's bytes in the tree,
    it may be theirs. ``may_be_broken``: these files may fail anywhere, as repairing them may be the
    task; then a command stays inside where nobody is there to ask.
    """

    run_inside: Callable[[], Outcome]
    passes_outside: Callable[[], bool]
    may_be_broken: bool = False


@dataclass(frozen=True, slots=True)
class Consent:
    """Who decides: the policy, then a person. ``warn`` gets a line for all that runs unconfined."""

    policy: Policy
    ask: Asker
    warn: Callable[[str], None]
    _admitted: set[str] = field(default_factory=set, init=False, compare=False)

    def admit(self, sandbox: Sandbox) -> None:
        """Let commands run in a sandbox that cannot stop everything, once a run.

        Raises Refused where nobody agrees. A sandbox that was switched off needs no answer.
        """
        if not sandbox.gaps or sandbox.record in self._admitted:
            return
        if not self.ask(f"{sandbox.description}; run what a model wrote all the same?"):
            raise Refused(
                f"what a model wrote would run with too little protection: {sandbox.description}",
                hint=f"{INSTALL}, or go on with what there is by '--yes'",
                reason=(reason := reason_of_no()),
                again=["--yes"] if reason is Reason.NEEDS_ANSWER else None,
            )
        self._admitted.add(sandbox.record)

    def choose_sandbox(self, sandbox: Sandbox, trial: Trial) -> Sandbox:
        """The sandbox for a command: ``sandbox``, or none where somebody agreed to that.

        Raises Refused where nobody agrees to what this needs.
        """
        self.admit(sandbox)
        if sandbox.level is Level.NONE:
            return sandbox
        inside = trial.run_inside()
        if inside.passed:
            return sandbox
        stays = trial.may_be_broken and not did_not_start(inside)
        if self.policy is Policy.REQUIRE:
            return self._stay_inside(sandbox, inside, stays, Reason.NO_SANDBOX)
        question = "if it passes outside, run it without the sandbox?"
        if not self.ask(f"{describe_failure(inside)}; {question}"):
            reason = reason_of_no()
            return self._stay_inside(
                sandbox, inside, stays and reason is Reason.NEEDS_ANSWER, reason
            )
        if not trial.passes_outside():
            return sandbox  # the command is broken on both sides, and the sandbox is not the cause
        how = "times out" if inside.timed_out else f"ends with status {inside.status}"
        self.warn(
            f"'{inside.command}' cannot be sandboxed: it passes outside and {how} inside; "
            "it runs without"
        )
        return UNCONFINED

    def uncover(self, command: str, names: Sequence[str]) -> None:
        """Let a command read, inside the sandbox, files that are never to leave this machine.

        It does not pass without them, and what it prints of them can be sent. Raises Refused where
        nobody agrees.
        """
        listed = some_of(names, 3)
        if not self.ask(f"'{command}' does not pass without {listed}; let it read that inside?"):
            raise Refused(
                f"'{command}' does not pass without {listed}, which 'retcon.neverSend' names",
                hint="let it read that by '--yes', or take the path out of 'retcon.neverSend'",
                reason=(reason := reason_of_no()),
                again=["--yes"] if reason is Reason.NEEDS_ANSWER else None,
            )
        self.warn(f"'{command}' reads {listed} in the sandbox, as was agreed to")

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

    def _stay_inside(self, sandbox: Sandbox, inside: Outcome, may: bool, reason: Reason) -> Sandbox:
        if not may:
            raise refuse_to_leave(inside, reason)
        self.warn(f"{describe_failure(inside)}; whether it passes outside was not tried")
        return sandbox
