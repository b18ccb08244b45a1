"""Fixes that were found side by side, joined: what each found alone must be true of all together.

All are tried at once. Where that fails, halves are joined, the first one first, down to the fix
that fails beside those before it: this one is left out.
"""

from collections.abc import Callable, Sequence

from git_retcon.heal.healing.fix_proof import Complaint, Proof
from git_retcon.heal.healing.item_work import Work
from git_retcon.lazy_named_tuple import NamedTuple

Prove = Callable[[frozenset[bytes]], Proof]


class Unit(NamedTuple):
    """Works whose fixes share files: they are joined together or not at all."""

    works: tuple[Work, ...]

    @property
    def paths(self) -> frozenset[bytes]:
        return frozenset(path for work in self.works for path in work.paths)

    @property
    def answered(self) -> frozenset[Complaint]:
        """What their steps do not complain of any more."""
        return frozenset(_name_complaint(work) for work in self.works if not work.left)


class LeftOut(NamedTuple):
    """A unit that fails beside those before it, and how."""

    unit: Unit
    why: str


class Joined(NamedTuple):
    """What holds together, with the last proof of it, None where nothing does."""

    units: tuple[Unit, ...]
    left_out: tuple[LeftOut, ...]
    proof: Proof | None


def make_units(works: Sequence[Work]) -> list[Unit]:
    """The works that have fixes, those that share files together, in their order."""
    units: list[Unit] = []
    for work in works:
        if not work.paths:
            continue
        same = [unit for unit in units if unit.paths & work.paths]
        merged = Unit((*(one for unit in same for one in unit.works), work))
        at = units.index(same[0]) if same else len(units)
        units = [unit for unit in units if unit not in same]
        units.insert(at, merged)
    return units


def join_units(units: Sequence[Unit], prove: Prove) -> Joined:
    """Join all that hold together. ``prove`` proves the fixes of some paths."""
    return _join_more(Joined((), (), None), units, prove)


def _join_more(joined: Joined, units: Sequence[Unit], prove: Prove) -> Joined:
    if not units:
        return joined
    every = (*joined.units, *units)
    proof = prove(frozenset(path for unit in every for path in unit.paths))
    why = _explain_failure(proof, every)
    if not why:
        return joined._replace(units=every, proof=proof)
    if len(units) == 1:
        return joined._replace(left_out=(*joined.left_out, LeftOut(units[0], why)))
    half = len(units) // 2
    return _join_more(_join_more(joined, units[:half], prove), units[half:], prove)


def _explain_failure(proof: Proof, units: Sequence[Unit]) -> str:
    """How fixes fail together; empty where they do not."""
    if proof.broken:
        return proof.broken[0]
    answered = frozenset().union(*(unit.answered for unit in units))
    back = next((one for one in proof.left if one in answered), None)
    if back is None:
        return ""
    works = (work for unit in units for work in unit.works)
    work = next(work for work in works if _name_complaint(work) == back)
    path = (back.path or b"").decode("utf-8", "replace") or "what names no file"
    return f"{work.failed.seen.ready.plan.name}: the errors of {path} are back"


def _name_complaint(work: Work) -> Complaint:
    return Complaint(work.failed.identity, work.item.path)
