"""Whether a command works in the sandbox at all, asked before anything is built on its verdict.

A command is first run inside on the user's own files. Without that, a test that needs the network
would fail inside, and a model would be asked to fix what is not broken.
"""

from git_retcon.errors import Reason, Refused
from git_retcon.run.sandbox.boot import FAULT
from git_retcon.run.shell_command import Outcome

# How these programs and our launcher begin when they themselves fail. A command can say the same,
# and gains nothing: it is then not believed to have run at all.
_OWN_FAULTS = {1: (b"bwrap: ", b"unshare: ", b"setpriv: "), 125: (FAULT.encode(),)}


def did_not_start(inside: Outcome) -> bool:
    """Whether the sandbox itself failed, so that nothing is known about the command."""
    fault = _OWN_FAULTS.get(inside.status)
    return fault is not None and inside.output.startswith(fault)


def describe_failure(inside: Outcome) -> str:
    """One line for people on a command that does not pass inside, on the user's own files."""
    if did_not_start(inside):
        said = inside.output.decode("utf-8", "replace").splitlines()[0]
        return f"the sandbox did not start for '{inside.command}' ({said})"
    how = "times out" if inside.timed_out else f"ends with status {inside.status}"
    return f"'{inside.command}' {how} in the sandbox, before a model wrote anything"


def refuse_to_leave(inside: Outcome, reason: Reason = Reason.NO_SANDBOX) -> Refused:
    """For where a sandbox is required, nobody can be asked, or the answer was no."""
    return Refused(
        f"{describe_failure(inside)}, and nobody agreed to run it outside",
        hint="'--sandbox=off' runs it without, '--sandbox=require' keeps it inside; "
        "it may need the network, or to write elsewhere",
        reason=reason,
        again=["--yes"] if reason is Reason.NEEDS_ANSWER else None,
    )


def require_start(outcome: Outcome) -> None:
    """Raise Refused where the sandbox did not start: then this is no verdict on the command."""
    if did_not_start(outcome):
        raise refuse_to_leave(outcome)
