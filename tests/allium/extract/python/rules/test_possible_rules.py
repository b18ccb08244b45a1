"""A first look at methods: which of them may be rules."""

import ast

import pytest

from git_retcon.allium.extract.python.rules.possible_rules import may_be_rule
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import BOOLEAN, Choice, Field

SOURCE = """
class Door:
    def run(self, key):
{body}
    def _check(self):
        if not self.key:
            raise ValueError
    def _look(self):
        return self.open
    def count(self):
        return self.total
"""
IS_OPEN = Field("open", BOOLEAN, "open")


def look(body: str, states: States | None = None, *fields: Field, flags: str = "") -> bool:
    """Whether an operation with this body may be a rule."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    (owner,) = ast.parse(SOURCE.format(body=lines)).body
    assert isinstance(owner, ast.ClassDef)
    methods = {each.name: each for each in owner.body if isinstance(each, ast.FunctionDef)}
    listed, known = {each.symbol: each for each in fields}, {"state": states or States()}
    subject = Subject("self", "door", listed, known, {}, {})
    subject = subject._replace(methods=methods, flags=frozenset(flags.split()))
    return may_be_rule(methods["run"], subject)


@pytest.mark.parametrize(
    "body",
    [
        "if not key:\n    raise ValueError",
        "if not key:\n    return\nself.turn(key)",
        "if not key:\n    return self\nself.turn(key)",
        "if not key:\n    return False, 'none'\nself.turn(key)",
        "with lock:\n    for each in key:\n        if each:\n            raise ValueError",
        "try:\n    self.turn()\nexcept OSError:\n    if key:\n        raise ValueError",
        "self.begin()\nself._check()\nself.turn(key)",
        "await self._check()",
        "log(key)\nif key:\n    self.turn()",
    ],
)
def test_what_may_refuse_something_may_be_a_rule(body: str) -> None:
    assert look(body)


@pytest.mark.parametrize(
    "body",
    [
        "self.turn(key)",
        "for each in key:\n    if each:\n        self.turn()",
        "if key:\n    self.turn()\nelse:\n    return\nself.turn()",
        "if key:\n    self.turn()\n    return None\nself.turn()",
        "if key:\n    raise TypeError\nself.turn()",
        "def later():\n    if key:\n        raise ValueError\nself.turn(later)",
        "self._look()\nself.open = True",
        "self.run()",
    ],
)
def test_what_refuses_nothing_is_none(body: str) -> None:
    assert not look(body)


def test_anything_may_move_a_state() -> None:
    assert look("self.turn(key)", States(choices=(Choice("shut", "", "shut"),)))
    assert look("self.turn(key)", States(enum="State"))
    assert not look("self.turn(key)", States())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("self.open = True", True),
        ("self.turn(self._look())", True),
        ("self.turn(self.count())", False),
    ],
)
def test_what_is_about_a_stored_boolean_may_be_a_rule(body: str, expected: bool) -> None:
    assert look(body, None, IS_OPEN, flags="open") is expected
    assert not look(body, None, IS_OPEN)
