"""The plan: every atom of a difference placed in one of the logical commits, with a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from git_retcon.files.patterns import Case
from git_retcon.git.difference import Difference
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.engine import Reason
from git_retcon.retcon.spec.model import LogicalCommit

if TYPE_CHECKING:
    from git_retcon.retcon.planner.facts import Origin
    from git_retcon.retcon.planner.planner import Planner
    from git_retcon.retcon.planner.weights import Model


@dataclass(frozen=True)
class Task:
    """What is to be planned.

    ``pending`` are the positions in ``commits`` that may still take atoms; ``taken`` gives the
    commit of each atom that is placed already. ``origin`` gives for an atom's id the source
    commits that its lines came from, ``subjects`` their messages; without both, the source is
    squashed. ``judged`` is the commit that a model named for an atom, ``confirmed`` are those that
    it named twice. ``case`` is how ``files`` and ``exclude`` are read. ``released`` are atoms that
    may go to commits after the one given alone.
    """

    difference: Difference
    commits: Sequence[LogicalCommit]
    pending: Sequence[int]
    taken: Mapping[str, int] = field(default_factory=dict)
    origin: "Mapping[str, Origin]" = field(default_factory=dict)
    subjects: Sequence[str] = ()
    judged: Mapping[str, int] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    case: Case = Case.MATTERS
    released: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an atom goes, and why."""

    commit: int
    reason: Reason


PINNED = Reason.in_words("pinned by 'hunks' of the spec", 1.0)


@dataclass(frozen=True)
class Plan:
    """A placement for every atom that was not taken, by atom id.

    ``remarks`` and ``warnings`` are by commit; a warning says what a pin may cost.
    """

    placements: Mapping[str, Placement]
    remarks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    warnings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def atoms(self, commit: int) -> frozenset[str]:
        """The atoms of one logical commit."""
        return frozenset(
            atom for atom, placement in self.placements.items() if placement.commit == commit
        )


def make_plan(task: Task, fitted: "Model | None" = None) -> Plan:
    """Place every atom. The same task gives the same plan. Raises ValueError with none pending."""
    return PlanMaker(fitted).make_plan(task)


class PlanMaker:
    """Makes plans. Where only pins differ from the plan before, it costs little: see ``Planner``.

    ``fitted`` replaces the usual weights.
    """

    def __init__(self, fitted: "Model | None" = None) -> None:
        self._fitted = fitted
        self._last: tuple[Task, Planner] | None = None

    def make_plan(self, task: Task) -> Plan:
        """Place every atom. Raises ValueError with none pending."""
        if not task.pending:
            raise ValueError("no pending commit to place atoms in")
        if len(task.commits) == 1 and not task.commits[0].hints:
            return _place_all(task)
        return self._open_planner(task).plan(task.commits)

    def weigh_judged(self, task: Task) -> Mapping[str, Sequence[float]]:
        """How likely each commit is for every atom, 0 to 1, with what a model said, by atom id."""
        return self._open_planner(task).weigh_judged() if task.judged else {}

    def _open_planner(self, task: Task) -> "Planner":
        if self._last is None or not _differ_in_pins_alone(self._last[0], task):
            # Late: there is nothing to weigh where there is one commit.
            from git_retcon.retcon.planner.planner import Planner

            self._last = task, Planner(task, self._fitted)
        return self._last[1]


def _differ_in_pins_alone(one: Task, other: Task) -> bool:
    return (
        one.difference is other.difference
        and (one.pending, one.taken, one.subjects) == (other.pending, other.taken, other.subjects)
        and one.origin == other.origin
        and (one.judged, one.confirmed) == (other.judged, other.confirmed)
        and one.released == other.released
        and one.case is other.case
        and list(map(_without_pins, one.commits)) == list(map(_without_pins, other.commits))
    )


def _without_pins(commit: LogicalCommit) -> LogicalCommit:
    return replace(commit, hunks=(), history=())


def _place_all(task: Task) -> Plan:
    """Everything in the only commit there is."""
    reason = Reason.in_words("there is no other commit", 1.0)
    left = (atom.id for atom in task.difference.atoms if atom.id not in task.taken)
    return Plan({atom: Placement(0, reason) for atom in left})
