"""Which heals are proved where they are applied; the rest is tried with the settlement."""

import pytest

from git_retcon.heal.records.heals import Decision, Heal, HealVerdict
from git_retcon.heal.review.proved_tree import explain_doubt

ELSEWHERE = "the files around it are not those that it was proved with"


@pytest.mark.parametrize(
    ("verdict", "reason", "tree", "doubt"),
    [
        (HealVerdict.HEALED, "", "1" * 40, ""),
        (HealVerdict.HEALED, "", "2" * 40, ELSEWHERE),
        (HealVerdict.UNVERIFIED, "the step still fails", "1" * 40, "the step still fails"),
        (HealVerdict.UNVERIFIED, "", "1" * 40, "it was not proved"),
        # Applied where it could not be judged, undone, and applied where it can.
        (HealVerdict.UNVERIFIED, ELSEWHERE, "1" * 40, ""),
        (HealVerdict.UNVERIFIED, ELSEWHERE, "2" * 40, ELSEWHERE),
        (HealVerdict.UNVERIFIED, ELSEWHERE, "", ELSEWHERE),
    ],
)
def test_a_proof_holds_for_its_own_tree(
    verdict: HealVerdict, reason: str, tree: str, doubt: str
) -> None:
    heal = Heal(
        None, "", "", b"a.py", "offline", "", b"", (), ({"step": "lint", "tree": "1" * 40},),
        verdict, Decision.OPEN, "", 0.0, 0.0, reason, (),
    )  # fmt: skip
    assert explain_doubt(heal, tree) == doubt
