"""Methods that hand on the state that they are given."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.given_states import find_given_states
from git_retcon.allium.extract.python.flow.moves import Function

CODE = """
class Link:
    def move(self, state, reason=None):
        self._move(reason, state)
    def _move(self, reason, state):
        self.state = state
        self.reason = reason
    def fail(self, reason):
        self._move(reason, State.FAILED)
    def ask(self, state):
        self.move(state)
    def again(self, state):
        self.again(state)
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("_move", {"state"}),
        ("move", {"state"}),
        ("ask", {"state"}),
        # It is given no state.
        ("fail", set()),
        ("again", set()),
    ],
)
def test_what_becomes_a_state_is_found_through_other_methods(name: str, found: set[str]) -> None:
    owner = ast.parse(CODE).body[0]
    assert isinstance(owner, ast.ClassDef)
    methods = {each.name: each for each in owner.body if isinstance(each, Function)}

    def is_field(node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "state"

    assert find_given_states(methods[name], is_field, methods) == found
