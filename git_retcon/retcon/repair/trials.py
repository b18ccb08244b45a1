"""What was tried in one assessment, and what came of it: the same pieces are built once."""

from collections.abc import Callable

from git_retcon.retcon.engine import Trial
from git_retcon.retcon.repair.problems import Problem, Problems, answered, nearer, problems
from git_retcon.run.failure import Failure


class Trials:
    """Trials on top of a failure, as many as ``trial`` affords."""

    def __init__(self, failure: Failure, trial: Trial) -> None:
        self._failure = failure
        self._before = problems(failure)
        self._trial = trial
        self._made: dict[frozenset[str], Failure | None] = {}

    @property
    def remaining(self) -> int:
        return self._trial.remaining

    def affords(self, trials: int) -> bool:
        return self.remaining >= trials

    def known(self, atoms: frozenset[str]) -> bool:
        """Whether asking about these costs nothing."""
        return atoms in self._made

    def limited(self, most: int) -> Callable[[frozenset[str]], bool]:
        """Whether asking about some is within ``most`` further trials from now on."""
        limit = max(0, self.remaining - most)
        return lambda atoms: self.known(atoms) or self.remaining > limit

    def outcome(self, atoms: frozenset[str]) -> Failure | None:
        """The failure with these atoms; the present one where no trial is left."""
        if atoms not in self._made:
            if not self.affords(1):
                return self._failure
            self._made[atoms] = self._trial(atoms)
        return self._made[atoms]

    def after(self, atoms: frozenset[str]) -> Problems | None:
        outcome = self.outcome(atoms)
        return None if outcome is None else problems(outcome)

    def passes(self, atoms: frozenset[str]) -> bool:
        return self.outcome(atoms) is None

    def nearer(self, atoms: frozenset[str]) -> bool:
        return nearer(self._before, self.after(atoms))

    def answers(self, atoms: frozenset[str], asked: frozenset[Problem]) -> bool:
        return answered(self._before, self.after(atoms), asked)
