"""Outcomes as people decide on them: fixes that share a file are one, and a part is another fix."""

from git_retcon.files.beneath import File
from git_retcon.heal.engine import Attempt, Item
from git_retcon.heal.healing.fix_proof import Proof, StepProof
from git_retcon.heal.healing.heal_flow import Healed, Outcome
from git_retcon.heal.healing.heal_run import describe_part, group_outcomes, take_part
from git_retcon.heal.healing.work_items import StepIdentity
from git_retcon.heal.patches import FileChange
from git_retcon.heal.records.heals import HealVerdict
from tests.heal.records.databases import find_error

HEALED, UNVERIFIED, LEFT = HealVerdict.HEALED, HealVerdict.UNVERIFIED, HealVerdict.LEFT


def change(path: bytes, new: bytes = b"new\n") -> FileChange:
    return FileChange(path, File(b"old\n", 0o644), File(new, 0o644))


def outcome(path: str, *paths: bytes, verdict: HealVerdict = HEALED, reason: str = "") -> Outcome:
    item = Item(path.encode(), (find_error(path, 1, "x"),))
    changes = tuple(map(change, paths))
    return Outcome(item, verdict, reason, (Attempt("ruff check --fix"),), changes)


def test_fixes_that_share_a_file_are_decided_together() -> None:
    a, b = outcome("src/a.py", b"src/a.py", b"shared"), outcome("src/b.py", b"src/b.py")
    c = outcome("src/a.py", b"other", b"shared")
    proposals = group_outcomes(Healed((a, b, outcome("src/a.py"), c), None))
    assert [[change.path for change in one.changes] for one in proposals] == [
        [b"src/b.py"], [b"other", b"shared", b"src/a.py"],
    ]  # fmt: skip
    assert (proposals[1].path, proposals[1].how) == (b"src/a.py", "ruff check --fix")


def test_a_group_is_healed_only_where_all_of_it_is() -> None:
    doubted = outcome("src/b.py", b"x", verdict=UNVERIFIED, reason="it could hide the error")
    (both,) = group_outcomes(Healed((outcome("src/a.py", b"x"), doubted), None))
    assert (both.verdict, both.reason) == (UNVERIFIED, "it could hide the error")


def test_the_proof_that_is_shown_is_that_of_the_steps_which_named_the_errors() -> None:
    identity = StepIdentity(b".github/workflows/ci.yml", "lint-1", 0)
    step = StepProof(identity, "lint", "ruff", 1, 0, 0.1, True, 1)
    proof = Proof(
        (
            step._replace(step="mypy"),
            step,
            step._replace(identity=identity._replace(workflow=b"other.yml")),
        )
    )
    (one,) = group_outcomes(Healed((outcome("src/a.py", b"x"),), proof))
    assert one.proof == (step,)


def test_a_part_is_what_was_chosen_and_the_rest_is_left() -> None:
    a, b = outcome("src/a.py", b"src/a.py", b"shared"), outcome("src/b.py", b"src/b.py", b"shared")
    (whole,) = group_outcomes(Healed((a, b), None))
    part = take_part(whole, (change(b"src/a.py"),), proved=True)
    assert [one.verdict for one in part.outcomes] == [HEALED, LEFT]
    assert part.outcomes[1].changes == () and "nothing of its fix" in part.outcomes[1].reason
    assert part.verdict is HEALED
    alone = take_part(whole, (change(b"src/a.py"),), proved=False)
    assert alone.verdict is UNVERIFIED and "does not pass by itself" in alone.reason
    kept = describe_part(alone, Proof((), tree="t"))
    assert b"shared" not in kept.patch and kept.verdict is UNVERIFIED
