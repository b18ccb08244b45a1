"""Answers about functions, which those of one text share."""

import ast
import re
from collections.abc import Callable, Mapping

import pytest

from git_retcon.allium.extract.python.classes.class_aliases import replace_aliases
from git_retcon.allium.extract.python.file_versions import read_python
from git_retcon.allium.extract.python.rewriting.enum_groups import list_groups
from git_retcon.allium.extract.python.rewriting.named_values import name_values
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    has_text,
    may_have,
    note_texts,
    rewrite_text,
)
from git_retcon.allium.extract.python.syntax.local_values import inline_values
from git_retcon.allium.extract.python.syntax.names import read_imports
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree

SOURCE = b"""\
class Order:
    @logged
    def pay(self):
        self.is_paid = True
"""


def open_method(source: bytes) -> Function:
    """The only method of the last class, with the text that it has there."""
    owner = ast.parse(source).body[-1]
    assert isinstance(owner, ast.ClassDef)
    (node,) = owner.body
    assert isinstance(node, ast.FunctionDef)
    note_texts(source, [node])
    return node


class Counter:
    """A question, and how often it had to be answered."""

    def __init__(self) -> None:
        self.count = 0
        self.ask = answer_once(self._spell)

    def _spell(self, node: Function) -> str:
        self.count += 1
        return ast.unparse(node)


@pytest.mark.parametrize(
    ("other", "count"),
    [
        (b"import time\n\n\n" + SOURCE, 1),
        (SOURCE.replace(b"\n", b"\r\n"), 1),
        (b"# -*- coding: utf-8 -*-\n" + SOURCE, 1),
        (SOURCE.replace(b"True", b"False"), 2),
        (SOURCE.replace(b"@logged", b"@timed"), 2),
        # The same bytes are another text in another encoding.
        (b"# -*- coding: latin-1 -*-\n" + SOURCE, 2),
    ],
)
def test_functions_of_one_text_are_asked_once(other: bytes, count: int) -> None:
    question = Counter()
    first, second = open_method(SOURCE), open_method(other)
    assert [question.ask(first), question.ask(second)] == [ast.unparse(first), ast.unparse(second)]
    assert question.count == count


def test_a_function_without_a_text_is_asked_each_time() -> None:
    question = Counter()
    node = ast.parse("def pay(): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert question.ask(node) == question.ask(node)
    assert question.count == 2


def test_a_function_that_was_written_otherwise_shares_other_answers() -> None:
    question = Counter()
    asked, one, two = (open_method(SOURCE) for _ in range(3))
    assert question.ask(asked) == ast.unparse(asked)
    for node in (one, two):
        node.body = [ast.Pass()]
        rewrite_text(node, "nothing")
    assert question.ask(one) == question.ask(two) == ast.unparse(one)
    assert question.ask(asked) == ast.unparse(asked)
    assert question.count == 2


def test_a_function_that_became_another_one_answers_for_itself() -> None:
    question = Counter()
    node = open_method(SOURCE)
    question.ask(node)
    forget_text(node)
    node.name = "settle"
    assert not has_text(node)
    assert "def settle" in question.ask(node)
    assert "def pay" in question.ask(open_method(SOURCE))


@pytest.mark.parametrize("copy", [copy_node, copy_tree])
def test_a_copy_has_no_text(copy: Callable[[Function], Function]) -> None:
    node = open_method(SOURCE)
    assert not has_text(copy(node))
    assert has_text(node)


_CLASS = b"""\
class Order:
    def __init__(self):
        self._closed = False

    def close(self):
        if self._closed:
            raise Closed
        self._closed = True

    def ship(self):
        %s
        self.sent = 1
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # What is written into "ship" is in the rest of its file.
        (b"self.check()", b"self.check()\n\n    def check(self):\n        pass"),
        (b"state = find()\n        self.state = state", b"self.state = find()"),
    ],
)
def test_a_file_reads_the_same_whatever_was_read_before(first: bytes, second: bytes) -> None:
    end = b"\n\ndef find():\n    return 'open' if now() else 'shut'\n"
    alone = [read_python(b"a.py", _CLASS % each + end) for each in (first, second)]
    again = [read_python(b"a.py", _CLASS % each) for each in (first, second)]
    mixed = [read_python(b"a.py", _CLASS % each + end) for each in (first, second)]
    assert alone == mixed
    assert again == [read_python(b"a.py", _CLASS % each) for each in (first, second)]


_STATES = """\
import enum
from threading import Event
from dataclasses import replace
from typing import TypedDict

class State(enum.Enum):
    NEW = 1
    OPEN = 2
    SHUT = 3
    @classmethod
    def ended(cls):
        return [cls.OPEN, cls.SHUT]

class Row(TypedDict):
    state: State

def is_new(state):
    return state == State.NEW

def choose(door):
    if door.count:
        return State.OPEN
    return State.SHUT

def unshut(method):
    def wrapper(self, *args):
        if self._state == State.SHUT:
            raise ValueError
        return method(self, *args)
    return wrapper

class Door:
    Kind = State
    def __init__(self):
        self._state = State.NEW
        self.count = 0
        self.rows: dict[str, Row] = {}
    @property
    def state(self):
        return self._state
    @state.setter
    def state(self, value):
        if self._state == State.SHUT:
            raise ValueError
        self._state = value
    def _give(self, state):
        self._state = state
    def _update(self, number, state=None):
        row = self.find(number)
        if state is not None:
            row.state = state
    def act(self):
        %s
"""


@pytest.mark.parametrize(
    "code",
    [
        "pass\n\nclass Gate:\n    def __init__(self):\n        self.is_set = Event()\n"
        "    def leave(self):\n        self.is_set.set()",
        "pass\n\nclass Gate:\n    flow = State(default=1)\n"
        "    @flow.transition(source=1, target=2)\n    def leave(self):\n        pass",
        "if self._state in State.ended():\n            raise ValueError",
        "self.state = State.OPEN",
        "if not is_new(self._state):\n            raise ValueError",
        "self._state = choose(self)",
        "self._state = self.Kind.OPEN",
        "pass\n    def leave(self, row: Row):\n        row['state'] = State.OPEN",
        "loop.call_soon(self._give, State.OPEN)",
        "self._update(3, State.OPEN)",
        "self.rows[3].state = State.OPEN",
        "return replace(self, _state=State.OPEN)",
        "pass\n    @unshut\n    def leave(self):\n        self.count += 1",
    ],
)
def test_a_function_with_a_text_is_what_that_says(code: str) -> None:
    written, fresh = write_functions(_STATES % code), list_functions(ast.parse(_STATES % code))
    # Without the rest of the file, a function becomes this.
    meant = {name: ast.dump(inline_values(node)) for name, node in fresh.items()}
    changed = {name for name, node in written.items() if ast.dump(node) != meant[name]}
    assert changed & {"act", "leave"}
    assert not [name for name in changed if has_text(written[name])]


@pytest.mark.parametrize(
    "code",
    [
        "setattr(self, '_state', State.OPEN)",
        "def on_open():\n            self._state = State.OPEN\n        self.then(on_open)",
    ],
)
def test_a_function_that_is_written_otherwise_by_itself_is_one_of_a_text(code: str) -> None:
    question = Counter()
    one, two = (write_functions(_STATES % code + after)["act"] for after in ("", "\n# The end.\n"))
    assert has_text(one)
    assert question.ask(one) == question.ask(two) == ast.unparse(one)
    assert question.count == 1


def write_functions(source: str) -> Mapping[str, Function]:
    """The functions of a file, as all that it says is written into them."""
    tree = ast.parse(source)
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    imports = read_imports(b"a.py", tree.body)
    content = source.encode()
    name_values(content, content, tree.body, classes, imports, list_groups(classes))
    for each in classes:
        replace_aliases(each, each.name, content)
    return list_functions(tree)


def list_functions(tree: ast.Module) -> Mapping[str, Function]:
    """The functions and methods of a file by name, but for the properties."""
    classes = (each for each in tree.body if isinstance(each, ast.ClassDef))
    items = [*tree.body, *(item for each in classes for item in each.body)]
    listed = (each for each in items if isinstance(each, Function))
    return {item.name: item for item in listed if item.name != "state"}


def test_a_function_may_have_what_its_text_has_and_anything_when_it_is_something_else() -> None:
    node = open_method(SOURCE)
    assert may_have(node, re.compile(rb"is_paid"))
    assert not may_have(node, re.compile(rb"import time"))
    rewrite_text(node, "paid")
    assert may_have(node, re.compile(rb"import time"))
    assert may_have(copy_tree(node), re.compile(rb"import time"))


def test_a_pattern_in_the_place_of_another_one_has_its_own_answer() -> None:
    content = b"def pay(order):\n    order.paid = 1\n"
    node = ast.parse(content).body[0]
    assert isinstance(node, ast.FunctionDef)
    note_texts(content, [node])
    for number in range(200):
        re.purge()  # the next pattern may be made where the last one was
        word = "paid" if number % 2 else "lost"
        assert may_have(node, re.compile(rf"\.{word}{{1,{number + 1}}}".encode())) == (
            word == "paid"
        )
