"""A command that failed, and what it complains of."""

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.diagnostic import Diagnostic
    from git_retcon.run.shell_command import Outcome

_NOT_FOUND = 127  # the exit status of a shell that did not find a command


@dataclass(frozen=True)
class Failure:
    """A failed step. ``output`` is bounded: its head and its tail.

    ``step`` is "build", "test", or "setup" where the set-up before them failed. The diagnostics
    are read from the output once, when somebody first asks: several readers (the terminal, the
    repair, the measure of headway) share one value.
    """

    step: str
    command: str
    status: int
    output: bytes
    timed_out: bool = False

    @functools.cached_property
    def diagnostics(self) -> "tuple[Diagnostic, ...]":
        """What the tools complain of, in order; empty where no known tool printed anything."""
        # A few hundred regular expressions, which a run that builds at once does not need.
        from git_retcon.code.diagnostics.build_failures import read_failures

        return read_failures(self.output)

    @functools.cached_property
    def missing_command(self) -> str | None:
        """The command that the shell did not find, where it ended for that."""
        if self.status != _NOT_FOUND:
            return None
        last = self.output.decode("utf-8", "replace").rstrip().rpartition("\n")[2]
        found = re.search(r"([^\s:]+): (?:command )?not found$", last)
        return found[1] if found else None

    @functools.cached_property
    def headline(self) -> str:
        """The cause in a few words, for one line."""
        if self.timed_out:
            return "timed out"
        if self.missing_command is not None:
            return f"{self.missing_command} is not found"
        from git_retcon.code.diagnostics.build_failures import headline

        return headline(self.diagnostics, self.output)


def read_failure(step: str, outcome: "Outcome", redact: Callable[[bytes], bytes]) -> Failure:
    """The failure of a step that ended so.

    ``redact`` masks secrets. It is applied here, before anybody else sees the output, so that no
    secret that a command prints reaches a terminal, a note, a file of ours or a prompt.
    """
    output = redact(outcome.output)
    return Failure(step, outcome.command, outcome.status, output, outcome.timed_out)
