"""Steps that answer several things at once, of which conditions ask one.

::

    def _check(self):
        if self.state != "open":
            return False, "not open"
        return True, ""

    def send(self):
        allowed, message = self._check()
        if not allowed:
            raise ValueError(message)

``_check`` is read as answering this one alone, and ``allowed`` as all that is kept of it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.rewriting.held_answers import asks_first, list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.own_attributes import list_own_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes


class _Unpacked(NamedTuple):
    """What a statement keeps of the answers of a step of its object; ``asked`` is the number of
    the one that the next condition asks, -1 for none.
    """

    step: str
    size: int
    asked: int


def answer_parts(classes: Iterable[ast.ClassDef]) -> None:
    """Let the methods of classes answer what is asked. The methods are changed."""
    for each in classes:
        methods = [item for item in each.body if isinstance(item, Function)]
        counts = {m.name: n for m in methods if (n := _count_answers(m))}
        parts = _choose_parts(methods, counts) if counts else {}
        for method in methods if parts else ():
            _keep_parts(method, parts)


@answer_once
def _count_answers(node: Function) -> int:
    """How many things a method answers each time; 0 where it is not always as many."""
    found = {
        len(each.value.elts) if isinstance(each.value, ast.Tuple) else 0
        for each in walk_statements(node.body)
        if isinstance(each, ast.Return)
    }
    return min(found) if len(found) == 1 and not node.decorator_list else 0


def _choose_parts(methods: Sequence[Function], counts: Mapping[str, int]) -> Mapping[str, int]:
    """The numbers of the answers that are asked, by the names of steps whose answers are kept
    wherever they run.
    """
    asked: dict[str, set[int]] = {}
    kept: dict[str, int] = dict.fromkeys(counts, 0)
    for method in methods:
        for each in _list_unpacked(method):
            if each.step in counts and each.size == counts[each.step]:
                kept[each.step] += 1
                asked.setdefault(each.step, set()).update({each.asked} - {-1})
        for name in list_own_names(method):
            kept[name] = kept.get(name, 0) - 1
    return {name: min(e) for name, e in asked.items() if len(e) == 1 and not kept[name]}


@answer_once
def _list_unpacked(node: Function) -> Sequence[_Unpacked]:
    # What would be left out is no longer what the method was given.
    given = {each.arg for each in walk_nodes(node.args) if isinstance(each, ast.arg)}
    return [
        each
        for block in list_blocks(node)
        for statement, each in _read_block(block)
        if given.isdisjoint(
            e.id for e in walk_nodes(statement.targets[0]) if isinstance(e, ast.Name)
        )
    ]


def _read_block(block: Sequence[ast.stmt]) -> Iterator[tuple[ast.Assign, _Unpacked]]:
    for number, each in enumerate(block):
        match each:
            case ast.Assign(targets=[ast.Tuple(elts=[_, _, *_] as names)], value=value):
                call = value.value if isinstance(value, ast.Await) else value
            case _:
                continue
        after = block[number + 1] if number + 1 < len(block) else None
        asked = [
            place
            for place, name in enumerate(names)
            if isinstance(name, ast.Name) and after is not None and asks_first(after, name.id)
        ]
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=step)):
                yield each, _Unpacked(step, len(names), asked[0] if asked else -1)


def _keep_parts(node: Function, parts: Mapping[str, int]) -> None:
    is_step, listed = node.name in parts, _list_unpacked(node)
    if not is_step and parts.keys().isdisjoint(each.step for each in listed):
        return
    forget_text(node)
    for block in list_blocks(node):
        for statement, each in _read_block(block):
            names = statement.targets[0]
            if each.asked >= 0 and each.step in parts and isinstance(names, ast.Tuple):
                statement.targets = [names.elts[each.asked]]
    for returned in walk_statements(node.body) if is_step else ():
        if isinstance(returned, ast.Return) and isinstance(returned.value, ast.Tuple):
            returned.value = returned.value.elts[parts[node.name]]
