"""The names that a Python module binds, and those that nothing binds."""

import pytest

from git_retcon.code.unbound_names import read_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import os\nprint(os.name, __file__)\n", set()),
        ("def f(a, *b, c=later, **d):\n    return a, b, c, d, e\n", {"later", "e"}),
        ("@route\nclass A(Base):\n    x: Kind = 1\n    y = x\n", {"route", "Base", "Kind"}),
        # A class's names are not those of its methods.
        ("class A:\n    x = 1\n    def f(self):\n        return x\n", {"x"}),
        ("def f():\n    def g():\n        return y\n    y = 1\n    return g\n", set()),
        ("def f():\n    global cache\n    cache = 1\n\ndef g():\n    return cache\n", set()),
        ("try:\n    pass\nexcept E as e:\n    raise e\n[z for z in zs]\n", {"E", "zs"}),
        ("from __future__ import annotations\ndef f(a: A) -> B: ...\n", {"A", "B"}),
    ],
)
def test_what_nothing_binds_is_found(text: str, names: set[str]) -> None:
    found = read_names(text.encode())
    assert found is not None
    assert found.unbound == frozenset(names)


def test_what_the_module_itself_binds_is_found() -> None:
    text = """
import a.b, c as d
from e import f as g

if d:
    x = 1

try:
    def h(parameter):
        global late
        late = local = 1
except E:
    class K:
        inner = 1
"""
    found = read_names(text.encode())
    assert found is not None
    assert found.bound == {"a", "d", "g", "x", "h", "late", "K"}


@pytest.mark.parametrize("text", ["def f(:\n", "from os import *\nprint(name)\n", "a = '\0'\n"])
def test_of_some_modules_nothing_can_be_told(text: str) -> None:
    assert read_names(text.encode()) is None
