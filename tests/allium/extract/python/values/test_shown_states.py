"""A first look at classes: which of them may show states by what they set."""

import ast

import pytest

from git_retcon.allium.extract.python.values.shown_states import is_heir, may_show_states

CLASS = """
class Door({bases}):
    def __init__(self, size):
        self._size = size
        self.begin()
    def begin(self):
        self.count = 0
    @property
    def total(self):
        return self._size
    def run(self, key):
        {line}
"""


def look(line: str, bases: str = "", *first: str) -> bool:
    (node,) = ast.parse(CLASS.format(bases=bases, line=line)).body
    assert isinstance(node, ast.ClassDef)
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    return may_show_states(node, methods, first)


@pytest.mark.parametrize(
    "line",
    [
        "self.kind = OPEN",
        "self.kind = kinds.OPEN",
        "return self.count == 1",
        "return self._size == 1",
        "return self.total == 1",
        "self.count = 'open'",
    ],
)
def test_what_is_given_or_compared_may_be_a_state(line: str) -> None:
    assert look(line)


@pytest.mark.parametrize(
    "line", ["self.kind = key", "self.kind = 'open'", "return self.kind == 1", "self.run(self)"]
)
def test_other_attributes_are_none(line: str) -> None:
    assert not look(line)
    assert not look(line, "ABC")
    assert not look(line, "", "door")


def test_what_begins_in_the_class_may_be_one_as_well() -> None:
    assert look("pass", "", "status")
    assert look("return self.kind == 1", "", "kind")


def test_an_heir_may_set_what_begins_elsewhere() -> None:
    assert look("self.kind = 'open'", "Gate")
    assert not look("self.kind = key", "Gate")


@pytest.mark.parametrize(("bases", "expected"), [("", False), ("abc.ABC", False), ("Gate", True)])
def test_a_class_of_others_is_an_heir(bases: str, expected: bool) -> None:
    (node,) = ast.parse(CLASS.format(bases=bases, line="pass")).body
    assert isinstance(node, ast.ClassDef)
    assert is_heir(node) is expected
