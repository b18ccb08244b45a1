"""Builds and tests for a model: on the tree it has put together, a bounded number of them."""

from collections.abc import Iterable

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.redaction import Redactor
from git_retcon.model.toolloop import ToolFault
from git_retcon.retcon.engines.claude.quotations import Quotations
from git_retcon.retcon.engines.claude.repeated_output import shorten_repeated
from git_retcon.run.checks import Checks
from git_retcon.run.failure import Failure
from git_retcon.run.output import hide_place, shorten
from git_retcon.run.stalled import without_durations

_HEAD, _TAIL = 6_000, 10_000  # characters of output shown


@dataclass
class Bench:
    """The builds of one conversation, of which ``remaining`` are left.

    ``quoted`` is the output that the conversation quoted last.
    """

    checks: Checks
    redactor: Redactor
    quotations: Quotations
    remaining: int
    quoted: str = ""

    def run(self, step: str, tree: str, written: Iterable[bytes]) -> str:
        """Run a step on a tree and say how it ended.

        ``written`` are paths that the model wrote: with any, the step runs in the sandbox. Raises
        ToolFault where there is no such step, or no trial is left.
        """
        if step not in dict(self.checks.commands.steps):
            raise ToolFault(f"there is no {step} command; nothing was run")
        if self.remaining <= 0:
            raise ToolFault(f"no trials are left; the {step} was not run")
        # Counted before it runs: a step that hangs until its deadline has cost the time all the
        # same.
        self.remaining -= 1
        self.checks.distrust(written)
        failure = self.checks.try_step(step, tree)
        trials = f"{self.remaining} trials left"
        if failure is None:
            return f"the {step} passed ({trials})"
        return f"the {step} failed: {self.describe_failure(failure, tree)}\n({trials})"

    def describe_failure(self, failure: Failure, tree: str) -> str:
        """How a command failed and what it printed that was not quoted before.

        The output is bounded, without secrets and withheld lines.
        """
        how = "timed out" if failure.timed_out else f"exit status {failure.status}"
        before, self.quoted = self.quoted, self._quote_output(failure.output, tree)
        return f"{how}\n{shorten_repeated(self.quoted, before)}"

    def _quote_output(self, output: bytes, tree: str) -> str:
        text = self.redactor.redact_bytes(output).decode("utf-8", "backslashreplace")
        for place in self.checks.places:
            text = hide_place(text, place)
        # Durations differ from run to run: a replayed conversation would not match its recording.
        text = without_durations(text)
        return shorten(self.quotations.hide(text, tree), _HEAD, _TAIL)
