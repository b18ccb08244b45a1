"""What was tried in one assessment, with the outcome: the same atoms are built once."""

from collections.abc import Callable

from git_retcon.retcon.engine import Trial
from git_retcon.retcon.repair.problems import (
    Problem,
    Problems,
    is_answered,
    is_nearer,
    read_problems,
)
from git_retcon.run.failure import Failure


class Trials:
    """Trials on top of a failure, as many as ``trial`` affords."""

    def __init__(self, failure: Failure, trial: Trial) -> None:
        self._failure = failure
        self._before = read_problems(failure)
        self._trial = trial
        self._made: dict[frozenset[str], Failure | None] = {}
        self._released: dict[frozenset[str], Failure | None] = {}

    @property
    def remaining(self) -> int:
        return self._trial.remaining

    def affords(self, trials: int) -> bool:
        return self.remaining >= trials

    def is_known(self, atoms: frozenset[str]) -> bool:
        """Whether asking about these costs nothing."""
        return atoms in self._made

    def limit(self, most: int) -> Callable[[frozenset[str]], bool]:
        """Whether asking about some is within ``most`` further trials from now on."""
        limit = max(0, self.remaining - most)
        return lambda atoms: self.is_known(atoms) or self.remaining > limit

    def outcome(self, atoms: frozenset[str]) -> Failure | None:
        """The failure with these atoms; the present one where no trial is left."""
        if atoms not in self._made:
            # As if nothing had changed: the search then stops with the best that it has found.
            if not self.affords(1):
                return self._failure
            self._made[atoms] = self._trial(atoms)
        return self._made[atoms]

    def helps_without(self, released: frozenset[str]) -> bool:
        """Whether the commit passes, or comes nearer to that, without some of its hunks."""
        if released not in self._released:
            if not self.affords(1):
                return False
            self._released[released] = self._trial((), released)
        outcome = self._released[released]
        return is_nearer(self._before, None if outcome is None else read_problems(outcome))

    def problems(self, atoms: frozenset[str]) -> Problems | None:
        """What the failure with these atoms complains of; None where everything passes."""
        outcome = self.outcome(atoms)
        return None if outcome is None else read_problems(outcome)

    def passes(self, atoms: frozenset[str]) -> bool:
        return self.outcome(atoms) is None

    def is_nearer(self, atoms: frozenset[str]) -> bool:
        """Whether these atoms bring the commit nearer to passing."""
        return is_nearer(self._before, self.problems(atoms))

    def answers(self, atoms: frozenset[str], asked: frozenset[Problem]) -> bool:
        """Whether these atoms end some of the problems that they were chosen for."""
        return is_answered(self._before, self.problems(atoms), asked)
