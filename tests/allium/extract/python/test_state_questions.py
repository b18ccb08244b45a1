"""What conditions ask of a field that has states."""

import ast

import pytest

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.constants import States
from git_retcon.allium.extract.python.state_questions import AskedStates, StateQuestions
from git_retcon.allium.extract.source_facts import Choice, Field, Type

STATES = States("Status", tuple(Choice(each, each.upper(), each) for each in ("new", "paid")))
FIELD = Field("status", Type("", source="Status"), "status")
GIVEN = {"target": "Status.PAID"}


def parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def resolve(node: ast.expr) -> ast.expr:
    return parse(GIVEN[node.id]) if isinstance(node, ast.Name) and node.id in GIVEN else node


SUBJECT = Subject(
    "self", "order", {"status": FIELD}, {"status": STATES}, {},
    {"is_new": parse("self.status == Status.NEW"), "odd": parse("check(self.status)")},
)  # fmt: skip
QUESTIONS = StateQuestions(SUBJECT, "status", STATES, resolve)


def compare(text: str) -> ast.Compare:
    found = parse(text)
    assert isinstance(found, ast.Compare)
    return found


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("self.status == Status.NEW", ("new",)),
        ("Status.NEW != self.status", ("new",)),
        ("self.status in [Status.NEW, target]", ("new", "paid")),
        ("self.status == target", ("paid",)),
        ("self.status == other", None),
        ("self.status in [Status.NEW, other]", None),
        ("self.total == Status.NEW", None),
    ],
)
def test_the_states_that_a_comparison_is_about(text: str, states: tuple[str, ...] | None) -> None:
    assert QUESTIONS.read_compared(compare(text)) == states


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("target == Status.PAID", True),
        ("target is not Status.PAID", False),
        ("target in (Status.NEW,)", False),
        ("target not in (Status.NEW,)", True),
        ("other == Status.PAID", None),
        ("target > Status.NEW", None),
        ("self.status == target", None),
    ],
)
def test_a_comparison_of_what_is_given_is_decided(text: str, answer: bool | None) -> None:
    assert QUESTIONS.decide(compare(text)) is answer


@pytest.mark.parametrize(
    ("text", "is_understood"),
    [
        ("not (self.status == Status.NEW or self.total)", True),
        ("self.is_new", True),
        ("self.status is not None", True),
        ("self.odd", False),
        ("check(self.status)", False),
        ("self.status == Status.NEW if target == Status.PAID else self.total > 1", True),
        ("self.status == Status.NEW if target == Status.PAID else check(self.status)", False),
    ],
)
def test_what_is_known_of_a_condition(text: str, is_understood: bool) -> None:
    assert QUESTIONS.understands(parse(text)) is is_understood


@pytest.mark.parametrize(
    ("text", "is_null"),
    [
        ("self.status is None", True),
        ("self.status != None", False),
        ("self.total is None", None),
        ("self.status == Status.NEW", None),
        ("self.status in None", None),
    ],
)
def test_a_comparison_may_ask_whether_there_is_a_state(text: str, is_null: bool | None) -> None:
    assert QUESTIONS.read_null(compare(text)) is is_null


@pytest.mark.parametrize(
    ("text", "states", "is_named"),
    [
        ("status == Status.NEW and total", {"new"}, True),
        ("wanted in (Status.NEW, Status.PAID)", {"new", "paid"}, False),
        ("status == Status.NEW or wanted == Status.PAID", {"new", "paid"}, False),
        # What is given is known, and the field says itself what it is.
        ("target == Status.NEW", set(), False),
        ("self.status == Status.NEW", set(), False),
        ("status != Status.NEW", set(), False),
    ],
)
def test_a_variable_may_hold_the_state(text: str, states: set[str], is_named: bool) -> None:
    assert QUESTIONS.read_asked_states(parse(text)) == AskedStates(frozenset(states), is_named)
