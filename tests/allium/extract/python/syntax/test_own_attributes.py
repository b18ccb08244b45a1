"""What the methods of a class do with its attributes."""

import ast

from git_retcon.allium.extract.python.syntax.function_texts import note_texts
from git_retcon.allium.extract.python.syntax.local_values import inline_values
from git_retcon.allium.extract.python.syntax.own_attributes import (
    list_asked,
    list_begun,
    list_compared,
    list_own_names,
    list_owned,
    list_read,
    list_set_values,
    list_texts,
    list_touches,
)

JOB = ast.parse("""
def __init__(self, name):
    self.name = name
    self._reset()
def _reset(self):
    self.state = self.NEW
def run(self):
    if self.state != "new" or self.kind in ("a", "b"):
        return
    self.state = "done"
    self.count += 1
    for self.at in range(3):
        pass
""").body
METHODS = [each for each in JOB if isinstance(each, ast.FunctionDef)]
RUN = METHODS[-1]


def test_an_attribute_begins_where_the_class_begins_or_in_a_step_of_that() -> None:
    assert [*list_begun(METHODS)] == ["name", "state"]


def test_what_is_set_has_a_value_or_is_open() -> None:
    found = [pair for each in ast.walk(RUN) for pair in list_set_values(each)]
    shown = {name: ast.unparse(value) if value is not None else None for name, value in found}
    assert shown == {"state": "'done'", "count": None, "at": None}


def test_what_is_compared_is_known_with_the_texts_that_are_asked_for() -> None:
    assert list_compared(RUN) == {"state", "kind"}
    asked = {(name, ast.unparse(e)) for each in ast.walk(RUN) for name, e in list_asked(each)}
    assert {("state", "'new'"), ("kind", "'a'"), ("kind", "'b'")} <= asked


def test_texts_and_constants_of_the_class_are_told_apart() -> None:
    assert [*list_texts(RUN)] == ["state"]
    assert [*list_owned(METHODS[1])] == [("state", "self.NEW")]


def test_a_method_that_only_gives_an_attribute_reads_it() -> None:
    source = """
def get_state(self):
    "The state."
    return self._state
def get_name(self):
    self.count()
    return self._name
"""
    methods = [e for e in ast.parse(source).body if isinstance(e, ast.FunctionDef)]
    assert list_read(methods) == {"get_state": "_state"}


def test_what_a_function_names_of_its_object_is_listed_once_for_each_time() -> None:
    function = ast.parse("def go(self):\n    self.a = self.b(self.a)\n    other.c = cls.d").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert sorted(list_own_names(function)) == ["a", "a", "b", "d"]


def test_what_a_method_was_asked_before_it_named_its_attributes_is_another_question() -> None:
    code = "def is_open(self):\n    state = self.state\n    return state == 'open'\n"
    for _ in range(2):
        (node,) = ast.parse(code).body
        assert isinstance(node, ast.FunctionDef)
        note_texts(code.encode(), [node])
        assert list_touches(node) == []
        node.body = inline_values(node).body
        assert list_compared(node) == {"state"}
