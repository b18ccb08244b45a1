"""The objects that a function works on, as it seems."""

import ast

import pytest

from git_retcon.allium.extract.touched_objects import Touched, read_touched

NOTHING = Touched((), (), ())


def read(body: str) -> Touched:
    lines = "\n    ".join(body.splitlines())
    node = ast.parse(f"def pay(order, total):\n    {lines}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    return read_touched(node)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("order.total = total", ["order"]),
        ("order.count += 1", ["order"]),
        ("order.set_total(total)", ["order"]),
        ("order.move(State.PAID)", ["order"]),
        ("if order.is_paid:\n    raise Refused", ["order"]),
        ("assert order.state == State.NEW", ["order"]),
        ("first.a = 1\nsecond.b = 2\nfirst.c = 3", ["first", "second"]),
        # It only asks, or sets nothing that lasts.
        ("print(order.total)", []),
        ("total = order.total", []),
    ],
)
def test_what_is_set_or_refused_is_touched(body: str, names: list[str]) -> None:
    assert [*read(body).names] == names


def test_a_variable_that_gets_a_state_says_of_which_enum() -> None:
    assert [*read("order.state = State.PAID\norder.total = total").moved] == [("order", "State")]


def test_what_is_reached_through_others_has_a_name_of_its_own() -> None:
    assert [*read("self._order.total = 1\nself.pay().order.total = 1").chains] == [
        ("order", "self._order")
    ]


def test_what_is_too_long_is_no_operation() -> None:
    assert read("\n".join(["order.total = 1"] * 121)) == NOTHING
