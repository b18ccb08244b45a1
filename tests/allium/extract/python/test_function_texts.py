"""Answers about functions, which those of one text share."""

import ast
from collections.abc import Callable

import pytest

from git_retcon.allium.extract.python.function_texts import (
    Function,
    answer_once,
    forget_text,
    has_text,
    note_texts,
)
from git_retcon.allium.extract.python.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.reader import read_python

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
