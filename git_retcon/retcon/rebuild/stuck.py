"""Notice that a commit is stuck and nothing has changed: a run would only end the same way."""

import hashlib
from dataclasses import dataclass

from git_retcon.retcon.branch.progress import Position
from git_retcon.retcon.rebuild.options import Wishes
from git_retcon.retcon.spec.history import Status, Stuck
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.verdicts import Verdicts


@dataclass(frozen=True)
class Memory:
    """Remembers, in the verdict cache, exactly what a run got stuck on."""

    verdicts: Verdicts
    wishes: Wishes
    engine: str

    def keep(self, spec: Spec, position: Position, index: int) -> None:
        """Remember that this commit is stuck, just like this."""
        commit = spec.commits[index]
        summaries = [event.summary for event in commit.history if isinstance(event, Stuck)]
        self.verdicts.keep_memo(
            self._name(spec, position, commit), summaries[-1] if summaries else ""
        )

    def stuck(self, spec: Spec, position: Position) -> int | None:
        """The index of a commit that is stuck just like it was when ``keep`` was told."""
        for index, commit in enumerate(spec.commits):
            if commit.status is Status.COMPLETE:
                continue
            known = commit.status is Status.STUCK and self._knows(spec, position, commit)
            return index if known else None
        return None

    def _knows(self, spec: Spec, position: Position, commit: LogicalCommit) -> bool:
        return self.verdicts.memo(self._name(spec, position, commit)) is not None

    def _name(self, spec: Spec, position: Position, commit: LogicalCommit) -> str:
        digests = [each.digest for each in spec.commits]
        others = [event for event in commit.history if not isinstance(event, Stuck)]
        wishes = self.wishes
        parts = (
            position.tip, position.difference.target, *digests, *wishes.commands.all,
            str(wishes.commands.timeout), str(wishes.keep_leftover), self.engine, repr(others),
        )  # fmt: skip
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
        return f"stuck {digest}"
