"""The graphs of states that rules show, with the words of their file that may give a state.

A member of an enum that no such word names, as conditions only ask for it, is entered nowhere in
the file: no operation that leaves it was left unseen.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.source_facts import Doubt, Edge, Graph, Rule
from git_retcon.allium.extract.spelling import name_value, spell_member

_LONGEST = 40  # of a text that may be a state


def observe_graphs(
    rules: Sequence[Rule], whole: Set[str], words: Callable[[], frozenset[str]]
) -> Sequence[Graph]:
    """What rules show of the states of fields whose ``whole`` graph is not declared."""
    seen: dict[str, dict[Edge, None]] = {}
    doubtful: set[str] = set()  # what a rule moves from nobody knows where
    for rule in rules:
        if rule.field:
            seen.setdefault(rule.field, {}).update(dict.fromkeys(rule.edges))
            doubtful |= set() if rule.edges else {rule.field}
    return [
        Graph(
            name, tuple(each), is_whole=False, given=None if name in doubtful else words(),
            doubted=list_doubted(rules, name),
        )
        for name, each in seen.items()
        if name not in whole and each
    ]  # fmt: skip


def list_doubted(rules: Iterable[Rule], field: str) -> tuple[Doubt, ...]:
    """The edges of a field that some rule may have and none has for certain."""
    listed = [each for each in rules if each.field == field]
    sure = {edge for each in listed for edge in each.edges}
    found = (Doubt(e.evidence[0].symbol, edge) for e in listed for edge in e.doubted)
    return tuple(dict.fromkeys(each for each in found if each.edge not in sure))


def list_given_words(statements: Iterable[ast.stmt], enums: Collection[str]) -> frozenset[str]:
    """They, spelled as states are; without those of the ``enums`` themselves, by their names."""
    found: set[str] = set()
    waiting: list[ast.AST] = [*statements]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function):
            words, classes = _read_function(node)
            found |= words
            waiting += classes
        elif not (isinstance(node, ast.ClassDef) and node.name in enums):
            found.update(_list_words(node))
            waiting += _list_giving(node)
    return frozenset(found)


class _Given(NamedTuple):
    """The words of a function that may give a state, without those of the classes in it."""

    words: frozenset[str]
    classes: Sequence[ast.ClassDef]


@answer_once
def _read_function(node: Function) -> _Given:
    found: set[str] = set()
    classes: list[ast.ClassDef] = []
    waiting: list[ast.AST] = [*ast.iter_child_nodes(node)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.ClassDef):
            classes.append(each)
        else:
            found.update(_list_words(each))
            waiting += _list_giving(each)
    return _Given(frozenset(found), classes)


def _list_giving(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a node that may give a state."""
    match node:
        case ast.Compare():
            parts = (node.left, *node.comparators)
            return [each for each in parts if isinstance(each, ast.Call)]
        case ast.match_case(guard=guard, body=body):
            return [*body, *([guard] if guard is not None else [])]
        # OFF, ON = range(2) gives nothing but their names.
        case ast.Assign(targets=[ast.Tuple()], value=ast.Call(func=ast.Name(id="range"))):
            return []
    return ast.iter_child_nodes(node)


def is_given(state: str, words: Collection[str]) -> bool:
    """Whether a word may mean a state: constants may have more in front, ``STATE_OPEN``."""
    return any(each == state or each.endswith(f"_{state}") for each in words)


def _list_words(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            yield spell_member(name)
        case ast.Constant(value=str(text)) if len(text) < _LONGEST:
            yield from filter(None, [name_value(text)])
