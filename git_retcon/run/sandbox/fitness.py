"""Whether a command works in the sandbox at all, asked before anything is built on its verdict.

A command that passed outside is first run unchanged inside. Without that, a test that needs the
network would fail inside, and a model would be asked to fix what is not broken.
"""

from collections.abc import Callable
from dataclasses import dataclass

from git_retcon.errors import Reason, Refused
from git_retcon.run.shell_command import Outcome

# How bubblewrap and our launcher begin when they themselves fail. A command can say the same, and
# gains nothing: it is then not believed to have run at all.
_OWN_FAULTS = {1: b"bwrap: ", 125: b"error: cannot start the sandbox"}


def did_not_start(inside: Outcome) -> bool:
    """Whether the sandbox itself failed, so that nothing is known about the command."""
    fault = _OWN_FAULTS.get(inside.status)
    return fault is not None and inside.output.startswith(fault)


@dataclass(frozen=True, slots=True)
class Misfit:
    """A command that passes outside and fails inside, on the same tree."""

    inside: Outcome

    @property
    def message(self) -> str:
        """One line for people."""
        if did_not_start(self.inside):
            said = self.inside.output.decode("utf-8", "replace").splitlines()[0]
            return (
                f"'{self.inside.command}' cannot be sandboxed: the sandbox did not start ({said})"
            )
        how = "times out" if self.inside.timed_out else f"ends with status {self.inside.status}"
        return f"'{self.inside.command}' cannot be sandboxed: it passes outside and {how} inside"

    def refusal(self, reason: Reason = Reason.NO_SANDBOX) -> Refused:
        """For where a sandbox is required, nobody can be asked, or the answer was no."""
        return Refused(
            self.message,
            hint="'--sandbox=off' runs it without; it may need the network, or to write elsewhere",
            reason=reason,
            again=["--yes"] if reason is Reason.NEEDS_ANSWER else None,
        )


def require_start(outcome: Outcome) -> None:
    """Raise Refused where the sandbox did not start: then this is no verdict on the command."""
    if did_not_start(outcome):
        raise Misfit(outcome).refusal()


def find_misfit(
    run_inside: Callable[[], Outcome], passes_outside: Callable[[], bool]
) -> Misfit | None:
    """Run a command inside, then, if it fails, outside on the same tree; None where it fits.

    Of a command that fails on both sides nothing can be said. Most pass inside, and then nothing
    runs outside.
    """
    inside = run_inside()
    return None if inside.passed or not passes_outside() else Misfit(inside)
