"""From scores to a plan that can build: units that stay together, and definitions before uses.

A local repair, not an exact minimum cut. A broken constraint is first fixed on the side that costs
the words least. What is still broken is fixed by moving definitions earlier; that always ends,
because then labels only fall. (Decoding all labels jointly, by a CRF over pairs of atoms, was
tried: it gained nothing on branches that it was not fitted on.)
"""

import math
from collections import deque
from collections.abc import Collection, Iterator, Sequence

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.planner.constraints import Constraints
from git_retcon.retcon.planner.facts import Facts, Origin, Pair

# A fix may break another constraint; what a few rounds leave broken, ``_pull`` fixes.
_ROUNDS = 3
_MOST_PUSHED = 200  # more users than this are not moved for one definition; bounds the search


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: its atoms, and the log probability of every commit (minus infinity: never).

    ``claim`` is how much it costs beside others to fill an empty commit with it.
    """

    atoms: tuple[int, ...]
    logs: Sequence[float]
    weight: float
    claim: float = 1.0

    @property
    def best(self) -> int:
        return self.logs.index(max(self.logs))

    @property
    def is_decided(self) -> bool:
        """Whether one commit alone may have it."""
        return sum(value > -math.inf for value in self.logs) == 1

    def allows(self, k: int) -> bool:
        return self.logs[k] > -math.inf


def group_atoms(
    constraints: Constraints,
    origins: Sequence[Origin],
    fixed: Sequence[bool],
    answered: Collection[int] = (),
    ties: Sequence[Pair] = (),
) -> list[tuple[int, ...]]:
    """The atoms (one for each of ``origins``) in groups that stay together; ``fixed`` ones alone.

    ``together`` binds only atoms that some source commit brought together, and none that is
    answered: what that says of the others is weighed by how alike they are. ``ties`` are further
    pairs that stay together.
    """
    leader = list(range(len(origins)))

    def find(at: int) -> int:
        while leader[at] != at:
            # Union-find; halving the path on the way keeps it near linear.
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    agreed = [
        (a, b)
        for a, b in constraints.together
        if _share_origin(origins[a], origins[b]) and a not in answered and b not in answered
    ]
    for a, b in (*constraints.inseparable, *ties, *agreed):
        if not fixed[a] and not fixed[b]:
            first, second = sorted((find(a), find(b)))
            # The lower one leads, so a group does not depend on the order of its pairs.
            leader[second] = first
    groups: dict[int, list[int]] = {}
    for at in range(len(origins)):
        groups.setdefault(find(at), []).append(at)
    return [tuple(group) for group in groups.values()]


def _share_origin(a: Origin, b: Origin) -> bool:
    return not a or not b or bool(a.keys() & b.keys())


class Order:
    """A label (the position of a commit) for each unit, changed until the constraints hold.

    ``count`` is the number of commits. ``fillers`` are the units that ``fill`` moved.
    """

    def __init__(self, units: Sequence[Unit], constraints: Constraints, count: int) -> None:
        self.units = units
        self._count = count
        self._unit = [0] * sum(len(unit.atoms) for unit in units)  # atom → its unit
        for at, unit in enumerate(units):
            for atom in unit.atoms:
                self._unit[atom] = at
        self.labels = [unit.best for unit in units]
        self.fillers: set[int] = set()
        edges = {(self._unit[a], self._unit[b]) for a, b in constraints.order}
        self._edges = sorted((a, b) for a, b in edges if a != b)
        self._sources: list[list[int]] = [[] for _ in units]
        self._targets: list[list[int]] = [[] for _ in units]
        for a, b in self._edges:
            self._sources[b].append(a)
            self._targets[a].append(b)
        self._constraints = constraints

    def label_atoms(self) -> Sequence[int]:
        """The commit of each atom."""
        return [self.labels[unit] for unit in self._unit]

    def settle(self) -> None:
        """Fix broken constraints where all that has to move costs the words least.

        ``enforce`` weighs one unit against another, whatever hangs on them: one weak use would
        draw forward all that the use needs, or one wrong answer of a model all the right ones.
        """
        for _ in range(_ROUNDS):
            self._follow_all()
            broken = [(a, b) for a, b in self._edges if self.labels[a] > self.labels[b]]
            if not broken:
                break
            for a, b in broken:
                self._settle_order(a, b)

    def _settle_order(self, a: int, b: int) -> None:
        """Bring a unit and a later one that it must not follow to one commit."""
        best, least = None, math.inf
        for label in range(self.labels[b], self.labels[a] + 1):
            moved = self._find_moves(a, b, label)
            cost = sum(self._find_cost(unit, label) for unit in moved)
            if moved and cost < least:
                best, least = (label, moved), cost
        if best is not None:
            label, moved = best
            for unit in moved:
                self.labels[unit] = label

    def _find_moves(self, a: int, b: int, label: int) -> list[int]:
        """What moves with two units to a commit between them, so that no other constraint breaks;
        none where that is too much."""
        found: list[int] = []
        for unit, neighbours, is_early in ((a, self._sources, False), (b, self._targets, True)):
            reached, seen = [unit], {unit}
            for at in reached:
                for other in neighbours[at]:
                    is_before = self.labels[other] < label
                    if other not in seen and self.labels[other] != label and is_before == is_early:
                        seen.add(other)
                        reached.append(other)
                if len(reached) > _MOST_PUSHED:
                    return []
            found += (at for at in reached if self.labels[at] != label)
        return found

    def enforce(self) -> None:
        """Fix broken constraints, cheapest side first, then all that are left."""
        for _ in range(_ROUNDS):
            self._follow_all()
            broken = [(a, b) for a, b in self._edges if self.labels[a] > self.labels[b]]
            if not broken:
                break
            for a, b in broken:
                self._fix_order(a, b)
        self._follow_all()
        # After the fixes: a lock file that follows its manifest only helps where that has arrived.
        # Before pulling, which must have the last word.
        self._follow_manifests()
        self._pull_units()

    def _fix_order(self, a: int, b: int) -> None:
        early, late = self.labels[b], self.labels[a]
        # An earlier fix of this round may have put it right.
        if late <= early:
            return
        if self._find_cost(a, early) <= self._find_cost(b, late):
            self._move_unit(a, early)
        else:
            self._move_unit(b, late)

    def _find_cost(self, unit: int, label: int) -> float:
        one = self.units[unit]
        if not one.allows(label):
            return math.inf
        return one.weight * (one.logs[self.labels[unit]] - one.logs[label])

    def _move_unit(self, unit: int, label: int) -> None:
        if self.units[unit].allows(label):
            self.labels[unit] = label

    def _follow_all(self) -> None:
        """Move atoms that say nothing by themselves (imports, heads) to what they are for."""
        for at, others in self._constraints.with_first.items():
            # An import line that is tied to a definition goes where that goes.
            if len(self.units[self._unit[at]].atoms) == 1:
                self._move_unit(
                    self._unit[at], min(self.labels[self._unit[other]] for other in others)
                )
        for at, others in self._constraints.with_last.items():
            if len(self.units[self._unit[at]].atoms) == 1:
                self._move_unit(
                    self._unit[at], max(self.labels[self._unit[other]] for other in others)
                )

    def _follow_manifests(self) -> None:
        for at, manifest in self._constraints.manifests.items():
            labels = [self.labels[self._unit[other]] for other in manifest]
            if self.labels[self._unit[at]] not in labels:
                self._move_unit(self._unit[at], min(labels))

    def _pull_units(self) -> None:
        """Move definitions to their first use. Where a unit may not go there, move the use later,
        with all that needs it, if that costs the words less than going earlier still."""
        waiting = deque(range(len(self.units)))
        pushes = [1] * len(self.units)  # one each, so that pushes and pulls cannot take turns
        while waiting:
            b = waiting.popleft()
            for a in self._sources[b]:
                if self.labels[a] <= self.labels[b]:
                    continue
                early = self._first_allowed(a, range(self.labels[b], -1, -1))
                may_push = early != self.labels[b] and pushes[b]
                late, pushed = self._find_later(b, self.labels[a]) if may_push else (0, [])
                if pushed and (early is None or self._is_cheaper(pushed, late, a, early)):
                    pushes[b] -= 1
                    for unit in pushed:
                        self.labels[unit] = late
                    waiting.extend(pushed)
                elif early is not None:
                    self.labels[a] = early
                    waiting.append(a)

    def _find_later(self, unit: int, earliest: int) -> tuple[int, list[int]]:
        """The first commit from one on that may have a unit and all that needs it, and those."""
        tries = ((late, self._find_users(unit, late)) for late in range(earliest, self._count))
        return next((found for found in tries if found[1]), (0, []))

    def _find_users(self, unit: int, late: int) -> list[int]:
        """A unit and what may come no earlier, as far as it comes before a commit; none where one
        of them may not wait for that commit, or they are too many."""
        found, seen = [unit], {unit}
        for at in found:
            if not self.units[at].allows(late) or len(found) > _MOST_PUSHED:
                return []
            for user in self._targets[at]:
                if user not in seen and self.labels[user] < late:
                    seen.add(user)
                    found.append(user)
        return found

    def _is_cheaper(self, pushed: Sequence[int], late: int, unit: int, early: int) -> bool:
        """Whether to push some units later, rather than to move one earlier."""
        return sum(self._find_cost(at, late) for at in pushed) < self._find_cost(unit, early)

    def _first_allowed(self, unit: int, labels: range) -> int | None:
        one = self.units[unit]
        return next((k for k in labels if one.allows(k)), None)

    def fill(self, wanted: Sequence[int]) -> None:
        """Give every commit in ``wanted`` at least one unit, where the constraints leave one."""
        held = [0] * self._count
        for label in self.labels:
            held[label] += 1
        odds = [(unit.claim, unit.logs) for unit in self.units]
        for k in wanted:
            if held[k]:
                continue
            chosen = self._find_cheapest(k, held, odds)
            if chosen is not None:
                held[self.labels[chosen]] -= 1
                self.labels[chosen] = k
                self.fillers.add(chosen)
                held[k] += 1

    def _find_cheapest(
        self, k: int, held: Sequence[int], odds: Sequence[tuple[float, Sequence[float]]]
    ) -> int | None:
        """The unit that commit ``k`` gets at the least cost, the first of equal ones. ``odds`` are
        the claim and the logarithms of each unit."""
        # Not weighed by size: a small unit must not go just because it is small. Where a unit may
        # not go, its cost is infinite; taking a commit's only unit would leave that one empty.
        costs = [
            claim * (logs[label] - logs[k]) if held[label] > 1 else math.inf
            for (claim, logs), label in zip(odds, self.labels, strict=True)
        ]
        while (least := min(costs, default=math.inf)) < math.inf:
            at = costs.index(least)
            if self._fits_commit(at, k):
                return at
            costs[at] = math.inf
        return None

    def _fits_commit(self, unit: int, k: int) -> bool:
        return all(self.labels[a] <= k for a in self._sources[unit]) and all(
            self.labels[b] >= k for b in self._targets[unit]
        )


def score_group(
    group: tuple[int, ...], facts: Sequence[Facts], logs: Sequence[Sequence[float]]
) -> Iterator[Unit]:
    """A group as one unit; atom by atom where no commit may have all of it."""
    if len(group) == 1:
        yield Unit(group, logs[group[0]], facts[group[0]].weight)
        return
    weight = sum(facts[at].weight for at in group)
    count = len(logs[group[0]])
    # Averages of logs: one atom that may not go to a commit (minus infinity) keeps them all out.
    mean = [sum(facts[at].weight * logs[at][k] for at in group) / weight for k in range(count)]
    if max(mean) > -math.inf:
        yield Unit(group, mean, weight)
    else:
        yield from (Unit((at,), logs[at], facts[at].weight) for at in group)
