"""A parameter that is asked for again and again leads one way or the other."""

import ast

import pytest

from git_retcon.allium.extract.python.syntax.flag_parameters import list_flags, split_flags
from tests.allium.extract.declared import declare_python

LOADER = """
from enum import Enum

class State(Enum):
    IDLE = 0
    BUSY = 1
    LOST = 2

class Loader:
    def __init__(self):
        self.state = State.IDLE

    def lose(self):
        self.state = State.LOST

    def load(self, script, background):
        if not script:
            return False
        elif not background and self.state != State.IDLE:
            return False
        else:
            try:
                if not background:
                    self.state = State.BUSY
                self.send(script)
            finally:
                if not background:
                    self.state = State.IDLE
        return True
"""


def list_edges(source: str) -> list[str]:
    told = declare_python(source)
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_what_it_lets_pass_is_not_there_where_it_is_asked_again() -> None:
    assert list_edges(LOADER) == ["idle -> busy", "idle -> lost", "busy -> idle", "busy -> lost"]
    changed = LOADER.replace(
        "            try:", "            background = script.is_late\n            try:"
    )
    assert "lost -> busy" in list_edges(changed)


def test_it_is_so_in_a_step_that_is_given_it() -> None:
    source = LOADER.replace(
        "def load(",
        "def run(self, script, late):\n        self._load(script, late)\n\n    def _load(",
    )
    assert list_edges(source) == list_edges(LOADER)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if wide: pass\nif not wide and self.state: pass", ["wide"]),
        ("if wide: pass", []),
        ("if wide: pass\nwhile wide: wide = False", []),
        ("if wide: pass\nif wide == 3: pass\nif wide: pass", []),
        ("if wide: pass\nif wide: self.wide = wide", []),
        ("if wide and self.a: pass\nif wide: a = move(wide)", ["wide"]),
        ("if wide: pass\nif wide and a: a = move(wide)", []),
        ("if wide: pass\na = self.a if wide else self.b", []),
        ("with a as wide: pass\nif wide and self.a: pass\nif wide: pass", []),
        ("match a:\n    case wide: pass\nif wide and self.a: pass\nif wide: pass", []),
        ("if wide: pass\nfor wide in deep: a = b if wide else c", []),
        ("if wide: pass\ndef open(wide):\n    if wide: pass", []),
        ("if wide and deep: pass\nif wide or not deep or self.a: pass", ["wide", "deep"]),
    ],
)
def test_only_what_is_asked_for_again_and_not_set_is_a_flag(body: str, names: list[str]) -> None:
    lines = body.replace("\n", "\n    ")
    method = ast.parse(f"def move(self, wide, *, deep):\n    {lines}").body[0]
    assert isinstance(method, ast.FunctionDef)
    assert list_flags(method) == names
    assert len([*split_flags(method, {})]) == 2 ** len(names)
    assert len([*split_flags(method, {"wide": ast.Constant(1), "deep": ast.Constant(0)})]) == 1
