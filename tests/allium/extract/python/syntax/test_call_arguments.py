"""What each parameter of a method gets in a call."""

import ast

import pytest

from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments


@pytest.mark.parametrize(
    ("parameters", "call", "given"),
    [
        ("self, state, reason=None", "OPEN, 'asked'", {"state": "OPEN", "reason": "'asked'"}),
        ("self, state, reason=None", "OPEN", {"state": "OPEN", "reason": "None"}),
        ("self, state, reason=None", "reason=1, state=OPEN", {"state": "OPEN", "reason": "1"}),
        ("self, state=SHUT", "", {"state": "SHUT"}),
        ("self, *, state, quiet=True", "state=OPEN", {"state": "OPEN", "quiet": "True"}),
        ("self, *states", "OPEN, SHUT", {"states": "(OPEN, SHUT)"}),
        ("self, door, *states", "A", {"door": "A", "states": "()"}),
        # Which one a spread list or mapping gives is open.
        ("self, state, reason=None", "*both", {}),
        ("self, state, reason=None, *rest", "OPEN, *both", {"state": "OPEN"}),
        ("self, state, reason=None", "OPEN, **rest", {"state": "OPEN"}),
    ],
)
def test_a_parameter_gets_what_is_given_or_its_default(
    parameters: str, call: str, given: dict[str, str]
) -> None:
    method = ast.parse(f"def set({parameters}): pass").body[0]
    called = ast.parse(f"self.set({call})", mode="eval").body
    assert isinstance(method, ast.FunctionDef) and isinstance(called, ast.Call)
    found = bind_arguments(method, called)
    assert {name: ast.unparse(value) for name, value in found.items()} == given
