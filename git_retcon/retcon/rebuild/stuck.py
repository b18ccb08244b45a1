"""Remember what a run got stuck on: with nothing changed, the next run would end the same way."""

import hashlib

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.progress import Position
from git_retcon.retcon.rebuild.options import Decisions
from git_retcon.retcon.spec.history import Status, Stuck
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.failure import Failure
from git_retcon.run.verdicts import Verdicts


@dataclass(frozen=True)
class Memory:
    """Keeps in the verdict cache what a run got stuck on."""

    verdicts: Verdicts
    decisions: Decisions
    engine: str

    def keep(self, spec: Spec, position: Position, index: int) -> None:
        """Remember that this commit is stuck, in exactly this state."""
        commit = spec.commits[index]
        name = self._make_key(spec, position, commit)
        self.verdicts.keep_memo(name, commit.last_summary or "")

    def find_stuck(self, spec: Spec, position: Position) -> int | None:
        """The index of a commit that is stuck in the same state as when ``keep`` was called."""
        for index, commit in enumerate(spec.commits):
            if commit.status is Status.COMPLETE:
                continue
            known = commit.status is Status.STUCK and self._knows_commit(spec, position, commit)
            return index if known else None
        return None

    def _knows_commit(self, spec: Spec, position: Position, commit: LogicalCommit) -> bool:
        return self.verdicts.memo(self._make_key(spec, position, commit)) is not None

    def _make_key(self, spec: Spec, position: Position, commit: LogicalCommit) -> str:
        digests = [each.digest for each in spec.commits]
        # How often it was stuck already changes nothing.
        others = [event for event in commit.history if not isinstance(event, Stuck)]
        decisions = self.decisions
        parts = (
            position.tip, position.difference.target, *digests, *decisions.commands.all,
            str(decisions.commands.timeout), decisions.leftover.value, self.engine,
            repr(others),
        )  # fmt: skip
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
        return f"stuck {digest}"


def blame_source(source: str, failure: Failure) -> str:
    """Why no choice of hunks helps where the source fails too."""
    if failure.missing_command is not None:
        return (
            f"the {failure.step} command '{failure.missing_command}' is not found: correct it, or "
            "install what it names"
        )
    return (
        f"'{source}' itself fails this {failure.step} (exit status {failure.status}): "
        "fix the source, or the command, first"
    )
