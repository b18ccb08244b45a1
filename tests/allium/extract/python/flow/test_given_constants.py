"""What a comparison of a constant that a parameter is given with another one says."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.given_constants import compare_constants
from tests.allium.extract.declared import declare_python

CONSTANTS = {"END": ast.Constant("end"), "OVER": ast.parse("('end', 'fail')", mode="eval").body}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("'end' == 'end'", True),
        ("'end' != END", False),
        ("'data' == END", False),
        ("'data' in ('end', 'fail')", False),
        ("'end' in OVER", True),
        ("'end' not in OVER", False),
        ("Event.END is Event.DATA", False),
        ("Event.END == Event.END", True),
        # Other languages may take these for the same.
        ("1 == '1'", None),
        ("1 == True", None),
        ("'end' == other", None),
        ("'end' in others", None),
        ("'end' in ('fail', other)", None),
        ("'end' > 'data'", None),
        ("Event.END == Kind.END", None),
        ("event.end == event.data", None),
    ],
)
def test_constants_are_compared_where_both_are_known(text: str, answer: bool | None) -> None:
    asked = ast.parse(text, mode="eval").body
    assert isinstance(asked, ast.Compare)
    found = compare_constants(asked.left, asked.ops[0], asked.comparators[0], CONSTANTS)
    assert found is answer


FEED = """
from enum import Enum

class State(Enum):
    OPEN = 1
    SHUT = 2
    FAILED = 3

class Feed:
    def __init__(self):
        self.state = State.OPEN

    def feed(self, data):
        if self.state == State.OPEN:
            self._tell("data", data)

    def close(self):
        if self.state == State.OPEN:
            self._tell("end")

    def fail(self):
        if self.state == State.SHUT:
            self._tell(KIND)

    def _tell(self, kind, data=None):
        if kind == "end":
            self.state = State.SHUT
        elif kind == "fail":
            self.state = State.FAILED
"""


@pytest.mark.parametrize("kind", ['"fail"', "self.find_kind()"])
def test_a_step_does_what_the_constant_says_that_it_is_given(kind: str) -> None:
    told = declare_python(FEED.replace("KIND", kind))
    assert "        open -> shut\n        shut -> failed\n" in told


def test_a_step_with_an_open_argument_may_do_anything() -> None:
    told = declare_python(FEED.replace('"data"', "self.find_kind()"))
    assert "        open -> shut\n        open -> failed\n        shut -> failed\n" in told
