"""Functions that remember what they are asked without the text of a file."""

import ast

from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    note_texts,
)
from git_retcon.allium.extract.python.syntax.lone_functions import keep_answers, keep_answers_of
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree

SOURCE = "async def pay(): pass"
_asked: list[Function] = []


@answer_once
def spell(node: Function) -> str:
    _asked.append(node)
    return ast.unparse(node)


def ask(*nodes: Function) -> int:
    """How many of these had to look themselves for what they answer."""
    _asked.clear()
    assert [*map(spell, nodes)] == [*map(ast.unparse, nodes)]
    return len(_asked)


def open_function() -> Function:
    (node,) = ast.parse(SOURCE).body
    assert isinstance(node, Function)
    return node


def test_a_function_without_a_text_answers_once_and_for_itself_alone() -> None:
    one, two = keep_answers(open_function()), keep_answers(open_function())
    two.name = "settle"
    assert ask(one, two, one, two) == 2


def test_a_function_that_is_changed_or_copied_answers_again() -> None:
    node = keep_answers(open_function())
    assert ask(node, copy_tree(node), keep_answers(copy_tree(node))) == 3
    forget_text(node)
    node.name = "settle"
    assert ask(node, node) == 2
    keep_answers(node)
    assert ask(node, node) == 1


def test_a_function_of_a_text_goes_on_to_share_its_answers() -> None:
    one, two = open_function(), open_function()
    note_texts(SOURCE.encode(), [one, two])
    keep_answers_of([one, two, ast.Pass()])
    assert ask(one, two) == 1
