"""30: triggers in ``provides`` are external stimuli of rules."""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import diagnose, read

RULES = (
    "rule Pay {\nwhen: PayOrder(order)\nensures: Sent()\n}\n"
    "rule Late {\nwhen: o: Order.status becomes late\nensures: Sent()\n}\n"
    "entity Order { status: String }\ndeferred Refunds.all -- see: refunds.md\n"
)


def surface(*lines: str) -> list[str]:
    text = RULES + "surface S {\nprovides:\n    " + "\n    ".join(lines) + "\n}"
    return [line.partition(" ")[2] for line in diagnose(text)]


@pytest.mark.parametrize(
    "lines",
    [
        ["PayOrder(order)"],
        ["PayOrder(order) when order.open"],
        ["for o in orders:", "    PayOrder(o)"],
        ["Pay(order)"],
        ["Refunds(order)"],
    ],
)
def test_what_some_rule_listens_for(lines: list[str]) -> None:
    assert surface(*lines) == []


def test_what_no_rule_listens_for() -> None:
    assert surface("PayOrder(o)", "Cancel(o) when o.open", "for o in os:", "    Sent(o)") == [
        "warning surface.undefinedProvidesTrigger: no rule has the trigger 'Cancel'",
        "warning surface.undefinedProvidesTrigger: no rule has the trigger 'Sent'",
    ]


def test_a_trigger_of_another_file() -> None:
    text = 'use "./o.allium" as o\nsurface S {\nprovides:\n    o/%s(x)\n}'
    other = read(RULES, b"o.allium")
    assert check([read(text % "PayOrder")], [other]) == []
    assert [each.code for each in check([read(text % "Refund")], [other])] == [
        "allium.reference.unknownName", "allium.surface.undefinedProvidesTrigger"
    ]  # fmt: skip
