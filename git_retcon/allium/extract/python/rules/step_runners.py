"""What runs a private step of a class, where it is known to be all.

::

    def execute(self):
        self._check_open()
        self._begin()

Where another file has the states, only there is it known in which of them ``_begin`` runs: what it
needs for that is the methods that run it.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.rules.step_mentions import count_mentions
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_RUNNING = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return
_MOST = 12


def list_runners(
    step: str, methods: Mapping[str, Function], content: bytes, owner: str
) -> Sequence[Function]:
    """The methods that run a private step of the class ``owner``, and what runs those of them that
    are steps; none where anything else may, or an object begins with it.
    """
    found: dict[str, Function] = {}
    waiting = [step] if is_private(step) else []
    while waiting:
        name = waiting.pop()
        way = name, isinstance(methods[name], ast.AsyncFunctionDef)
        sure = {
            key: count for key, each in methods.items() if (count := _list_runs(each).count(way))
        }
        named = sum(_list_named(each).count(name) for each in methods.values())
        if sum(sure.values()) != named or count_mentions(content, name, owner) != named:
            return ()
        if any(each in BEGINNINGS or methods[each].decorator_list for each in sure):
            return ()
        waiting += [each for each in sure if each not in found and is_private(each)]
        found |= {each: methods[each] for each in sure}
    return [*found.values()] if len(found) <= _MOST else ()


@answer_once
def _list_runs(method: Function) -> Sequence[tuple[str, bool]]:
    """The steps that the statements of a method run, each with whether they wait for it."""
    return [*_find_runs(method)]


def _find_runs(method: Function) -> Iterator[tuple[str, bool]]:
    for each in walk_statements(method.body):
        value = each.value if isinstance(each, _RUNNING) else None
        call = value.value if isinstance(value, ast.Await) else value
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name, call is not value


@answer_once
def _list_named(method: Function) -> Sequence[str]:
    """The members of its object that a method names, as often as it does."""
    nodes = (each for each in walk_nodes(method) if isinstance(each, ast.Attribute))
    return [e.attr for e in nodes if isinstance(e.value, ast.Name) and e.value.id == "self"]
