"""Ways through a method on which a value is not there yet."""

import ast

import pytest

from git_retcon.allium.extract.python.unset_paths import Lasting, moves_unset

JOB = Lasting("job", False, frozenset({"run"}))


@pytest.mark.parametrize(
    ("body", "moves"),
    [
        ("self.job = job; self.state = NEW", False),
        ("self.state = NEW; self.job = job", False),
        ("self.state = NEW; self.job = None", True),
        ("if self.job is None: self.job = job\nself.state = NEW", False),
        ("if not self.job or early: self.job = job\nself.state = NEW", False),
        ("if early: self.job = job\nself.state = NEW", True),
        ("self._move()\nif early: return\nself.job = job", True),
        ("if early: return\nself._move()\nself.job = job", False),
        ("for each in jobs:\n  self.job = each\nself.state = NEW", True),
        ("for each in jobs:\n  self.state = NEW\n  break\nelse:\n  self.job = job", True),
        ("with lock:\n  self.job = job\nself.state = NEW", False),
        ("try:\n  self.state = NEW\n  self.job = job\nexcept E:\n  raise", True),
        ("try:\n  self.job = job\n  self.state = NEW\nfinally:\n  self.state = OLD", True),
        ("match job:\n  case None:\n    self.job = job\nself.state = NEW", True),
        ("def later():\n  self.state = NEW\nself.job = job", True),
        ("print(self.state)", False),
    ],
)
def test_a_method_moves_the_state_without_the_value(body: str, moves: bool) -> None:
    method = ast.parse("def run(self, job):\n  " + body.replace("\n", "\n  ")).body[0]
    assert isinstance(method, ast.FunctionDef)
    assert moves_unset(method, JOB, "state", frozenset({"_move"})) is moves
