"""A private step behind a decorator begins where its class runs it, or in what follows on that."""

import ast

import pytest

from git_retcon.allium.extract.python.rules.decorated_steps import open_decorated
from tests.allium.extract.declared import declare_python

LOADER = """
from enum import Enum

class State(Enum):
    NEW = 0
    OPEN = 1
    LOADING = 2
    LOADED = 3
    SHUT = 4

class Loader:
    def __init__(self):
        self.state = State.NEW

    def open(self):
        if self.state is State.NEW:
            self.state = State.OPEN

    def load(self, name):
        if self.state is not State.OPEN:
            return
        self.state = State.LOADING
        self._load(name)

    def shut(self):
        self.state = State.SHUT

    @work(thread=True)
    def _load(self, name):
        self.content = read(name)
        self.state = State.LOADED
"""


def list_edges(source: str) -> list[str]:
    told = declare_python(source)
    return [line.strip() for line in told.split("\n") if line.endswith("-> loaded")]


def test_it_begins_where_it_is_run_or_in_what_follows() -> None:
    assert list_edges(LOADER) == ["loading -> loaded", "shut -> loaded"]


def test_it_may_run_at_once() -> None:
    source = LOADER.replace(
        "        self._load(name)\n", "        self._load(name)\n        self.state = State.SHUT\n"
    )
    assert list_edges(source) == ["loading -> loaded", "shut -> loaded"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    def shut(", "    def again(self):\n        self._load('')\n\n    def shut("),
        ("_load(", "load_now("),
        ("@work(thread=True)", "@contextmanager"),
    ],
)
def test_it_begins_in_any_state_where_others_may_run_it(old: str, new: str) -> None:
    assert "open -> loaded" in list_edges(LOADER.replace(old, new))


def test_what_its_decorators_make_something_else_of_stays_so() -> None:
    source = (
        "@work\ndef _a(): pass\n@property\ndef _b(): pass\n@work\ndef c(): pass\ndef _d(): pass"
    )
    listed = ast.parse(source).body
    methods = {each.name: each for each in listed if isinstance(each, ast.FunctionDef)}
    opened = open_decorated(methods)
    assert opened.names == {"_a"}
    assert opened.methods["_a"].body is methods["_a"].body
    assert not opened.methods["_a"].decorator_list
    assert {name for name, each in opened.methods.items() if each is not methods[name]} == {"_a"}
