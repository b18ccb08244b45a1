"""What was found apart is joined as far as it holds together, and nothing is lost in silence."""

from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.engine import Item
from git_retcon.heal.healing.fix_proof import Complaint, Proof
from git_retcon.heal.healing.item_work import Work, begin_work
from git_retcon.heal.healing.joined_fixes import Unit, join_units, make_units
from git_retcon.heal.healing.work_items import FailedJob, StepIdentity

STEP = StepIdentity(b"ci.yml", "ci-1", 0)


def fail_job(step: StepIdentity) -> FailedJob:
    ready = SimpleNamespace(plan=SimpleNamespace(name="ci"))
    return cast(FailedJob, SimpleNamespace(identity=step, seen=SimpleNamespace(ready=ready)))


def find_work(path: bytes, *changed: bytes, step: StepIdentity = STEP) -> Work:
    work = begin_work(Item(path, ()), fail_job(step))
    work.paths.update(changed or (path,))
    return work


def name(units: Any) -> list[bytes]:
    return [min(unit.paths) for unit in units]


def test_works_that_share_a_file_are_joined_together_or_not_at_all() -> None:
    works = [find_work(b"a"), find_work(b"b"), find_work(b"c", b"c", b"a"), find_work(b"d", b"d")]
    works[3].paths.clear()
    assert [sorted(unit.paths) for unit in make_units(works)] == [[b"a", b"c"], [b"b"]]


@given(st.lists(st.sets(st.integers(0, 11), min_size=2, max_size=3), max_size=4))
def test_all_are_kept_but_those_that_fail_beside_the_ones_before(bad: list[set[int]]) -> None:
    units = [Unit((find_work(b"%02d" % number),)) for number in range(12)]

    def prove(paths: frozenset[bytes]) -> Proof:
        have = {int(path) for path in paths}
        return Proof((), broken=tuple("other: it breaks" for one in bad if one <= have))

    joined = join_units(units, prove)
    # One after the other, as somebody would by hand.
    kept: set[int] = set()
    for number in range(12):
        if not any(one <= kept | {number} for one in bad):
            kept.add(number)
    assert [int(path) for path in name(joined.units)] == sorted(kept)
    assert {int(p) for p in name(one.unit for one in joined.left_out)} == set(range(12)) - kept
    assert joined.proof is not None and joined.proof.broken == ()


def test_an_error_that_was_gone_and_is_back_fails_and_one_that_never_went_does_not() -> None:
    gone, stays = find_work(b"a"), find_work(b"b")
    stays.left.append(stays.item)
    units = make_units([gone, stays])

    def prove(paths: frozenset[bytes]) -> Proof:
        back = (b"a",) if len(paths) > 1 else ()
        return Proof((), left=tuple(Complaint(STEP, one) for one in (*back, b"b")))

    joined = join_units(units, prove)
    assert name(joined.units) == [b"a"]
    assert [one.why for one in joined.left_out] == ["ci: the errors of a are back"]


def test_what_another_job_of_the_same_name_complains_of_is_not_back() -> None:
    units = make_units([find_work(b"a")])
    for step in (STEP._replace(job="ci-2"), STEP._replace(position=1)):
        proof = Proof((), left=(Complaint(step, b"a"),))
        joined = join_units(units, lambda _, proof=proof: proof)  # type: ignore[misc]
        assert joined.left_out == ()


def test_nothing_to_join_proves_nothing() -> None:
    joined = join_units([], lambda _: Proof(()))
    assert (joined.units, joined.proof) == ((), None)
