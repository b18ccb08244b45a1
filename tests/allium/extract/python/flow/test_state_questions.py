"""What conditions ask of a field that has states."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.state_questions import AskedStates, StateQuestions
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import Choice, Field, Type
from tests.allium.extract.declared import declare_python

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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("self.status < Status.PAID", ("paid", "gone")),
        ("self.status >= Status.PAID", ("new",)),
        ("self.status > Status.PAID", ("new", "paid")),
        ("self.status <= Status.PAID", ("gone",)),
        ("self.status < limit", None),
        ("Status.PAID < self.status", ("new", "paid")),
        ("Status.PAID >= self.status", ("gone",)),
        ("limit >= self.status", None),
    ],
)
def test_numbers_have_an_order_and_what_does_not_hold_is_told(
    text: str, left: tuple[str, ...] | None
) -> None:
    names = ("new", "paid", "gone")
    numbered = tuple(Choice(n, each.upper(), each) for n, each in enumerate(names))
    states = States("Status", numbered)
    subject = SUBJECT._replace(states={"status": states})
    assert StateQuestions(subject, "status", states, resolve).read_compared(compare(text)) == left


def test_texts_have_none() -> None:
    assert QUESTIONS.read_compared(compare("self.status < Status.PAID")) is None


@pytest.mark.parametrize(("text", "states"), [("code == 1", ()), ("code == Status.NEW", ("new",))])
def test_a_number_alone_is_no_state_of_those_that_have_names(
    text: str, states: tuple[str, ...]
) -> None:
    numbers = States("Status", (Choice(1, "NEW", "new"), Choice(2, "PAID", "paid")))
    questions = StateQuestions(SUBJECT, "status", numbers, resolve)
    assert questions.read_asked_states(compare(text)).states == frozenset(states)
    assert questions.read_demanded(compare(text))[1] == frozenset(states)


MOVES = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    OVER = 3

class Order:
    def __init__(self):
        self.state = State.NEW

    def _move(self, target, sources=None):
        before = self.state
        if sources is None or before in sources:
            self.state = target
        else:
            raise ValueError(target)

    def open(self):
        self._move(State.OPEN, [State.NEW])

    def end(self):
        self._move(State.OVER)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("sources is None or before in sources", "not sources or before in sources"),
        ("sources is None or before in", "not (sources is not None and before not in"),
    ],
)
def test_a_question_whether_something_is_given_is_answered_by_the_call(old: str, new: str) -> None:
    source = MOVES.replace(old, new).replace("not in sources", "not in sources)")
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> open", "new -> over", "open -> over"]
    assert "requires: order.state = new\n" in told


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("none is None or a", "True"),
        ("filled is None or a", "a"),
        ("filled and a", "a"),
        ("not filled and a", "False"),
        ("target is not None and a", "a"),
        ("other is None or a", "other is None|a"),
        ("spread or a", "spread|a"),
        ("filled and target is not None", "True"),
    ],
)
def test_what_is_given_decides_parts_of_a_condition(text: str, left: str) -> None:
    given = {**GIVEN, "none": "None", "filled": "[Status.NEW]", "spread": "[*others]"}
    questions = StateQuestions(
        SUBJECT,
        "status",
        STATES,
        lambda e: parse(given[e.id]) if isinstance(e, ast.Name) and e.id in given else e,
    )
    test = parse(text)
    assert isinstance(test, ast.BoolOp)
    assert "|".join(map(ast.unparse, questions.list_open(test))) == left
