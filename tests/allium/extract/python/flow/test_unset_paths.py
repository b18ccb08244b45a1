"""Ways through a method on which a value is not there yet."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.unset_paths import Lasting, Moves, find_left

STEPS = ast.parse("""
def _set(self):
    if self.job is None:
        self.job = Job()
        self.state = NEW

def _try(self):
    try:
        self.state = NEW
        self.job = Job()
    except ValueError:
        self.tell()

def _again(self):
    self._again()
""").body
METHODS = {each.name: each for each in STEPS if isinstance(each, ast.FunctionDef)}
JOB = Lasting("job", False, frozenset({"run", *METHODS}))
MOVES = Moves(
    "state",
    lambda value: ast.unparse(value).lower() if isinstance(value, ast.Name) else None,
    frozenset({"_move", *METHODS}),
    METHODS,
)


@pytest.mark.parametrize(
    ("body", "states"),
    [
        ("self.job = job; self.state = NEW", ""),
        ("self.state = NEW; self.job = job", ""),
        ("self.state = NEW; self.job = None", "new"),
        ("if self.job is None: self.job = job\nself.state = NEW", ""),
        ("if not self.job or early: self.job = job\nself.state = NEW", ""),
        ("if early: self.job = job\nself.state = NEW", "new"),
        ("self._move()\nif early: return\nself.job = job", "*"),
        ("if early: return\nself._move()\nself.job = job", ""),
        ("for each in jobs:\n  self.job = each\nself.state = NEW", "new"),
        ("for each in jobs:\n  self.state = NEW\n  break\nelse:\n  self.job = job", "new"),
        ("with lock:\n  self.job = job\nself.state = NEW", ""),
        ("try:\n  self.state = NEW\n  self.job = job\nexcept E:\n  raise", "new"),
        ("try:\n  self.job = job\n  self.state = NEW\nfinally:\n  self.state = OLD", "old"),
        ("match job:\n  case None:\n    self.job = job\nself.state = NEW", "new"),
        ("def later():\n  self.state = NEW\nself.job = job", "*"),
        ("print(self.state)", ""),
        ("self.state = find()", "*"),
        ("self._set()\nself.state = OLD", ""),
        ("self._try()\nself.state = OLD", "old"),
        ("await self._try()", "new"),
        ("try:\n  self._try()\n  self.job = job\nexcept E:\n  pass", "new"),
        ("self._set(job)", "*"),
        ("self._again()\nself.state = OLD", "old"),
    ],
)
def test_a_method_moves_the_state_without_the_value(body: str, states: str) -> None:
    method = ast.parse("async def run(self, job):\n  " + body.replace("\n", "\n  ")).body[0]
    assert isinstance(method, ast.AsyncFunctionDef)
    assert find_left(method, JOB, MOVES) == {*states.split()}
