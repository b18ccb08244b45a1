"""54: invariant expressions must evaluate to a boolean type."""

import pytest

from tests.allium.language.specimen import diagnose

ACCOUNT = (
    "entity Account {\n    balance: Decimal\n    is_open: Boolean\n    tags: Set<String>\n    %s\n}"
)


@pytest.mark.parametrize(
    "claim",
    ["balance >= 0", "is_open", "not is_open", "is_open implies balance > 0", "this.is_open",
     "let half = balance / 2\n half > 0", "tags.all(t => t.ok)", "exists tags",
     "if is_open: balance > 0 else: balance = 0", "unknown"],
)  # fmt: skip
def test_a_claim_is_true_or_false(claim: str) -> None:
    assert diagnose(ACCOUNT % f"invariant I {{ {claim} }}") == []


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("balance - 1", "a calculation"),
        ("balance", "the Decimal 'balance'"),
        ("this.balance", "the Decimal 'balance'"),
        ("not balance", "the Decimal 'balance'"),
        ("is_open and 3", "a value"),
        ("is_open implies tags", "the field 'tags'"),
        ("tags.count", "a count"),
        ("if is_open: 1 else: is_open", "a value"),
        ("{is_open, balance}", "a collection"),
    ],
)
def test_a_claim_that_is_something_else(claim: str, kind: str) -> None:
    found = diagnose(ACCOUNT % f"invariant I {{ {claim} }}")
    assert [line.partition(" ")[2] for line in found] == [
        f"error invariant.notBoolean: invariant 'I' is {kind}, and not true or false"
    ]


def test_each_of_a_loop_is_claimed() -> None:
    text = ACCOUNT % "" + "\ninvariant I {\n    for a in Accounts: %s\n}"
    assert diagnose(text % "a.balance > 0") == []
    assert len(diagnose(text % "a.balance + 1")) == 1
