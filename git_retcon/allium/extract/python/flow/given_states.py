"""Which parameters of a method become a state: it sets a field to them, or another method does."""

import ast
from collections.abc import Callable, Mapping, Sequence, Set

from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEEPEST = 3  # methods that hand on what they are given


def find_given_states(
    method: _Function,
    is_field: Callable[[ast.expr], bool],
    methods: Mapping[str, _Function],
    left: int = _DEEPEST,
) -> Set[str]:
    """The names of these parameters. ``methods`` are those of the same class."""
    first, *others = _list_names(method)
    names = {*others}
    found: set[str] = set()
    for node in _list_giving(method):
        match node:
            case ast.Assign(targets=targets, value=value) if (
                name := read_kept_name(value)
            ) in names:
                found |= {name} if any(map(is_field, targets)) else set()
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attribute)):
                run = methods.get(attribute) if owner == first and left else None
                given = bind_arguments(run, node) if run is not None else {}
                handed = {p: e.id for p, e in given.items() if isinstance(e, ast.Name)}
                if run is not None and not names.isdisjoint(handed.values()):
                    states = find_given_states(run, is_field, methods, left - 1)
                    found |= names & {handed[each] for each in states & handed.keys()}
    return found


@answer_once
def _list_giving(method: _Function) -> Sequence[ast.AST]:
    """Where a method keeps what it is given, or runs another one of its object."""
    first, *others = _list_names(method)
    found: list[ast.AST] = []
    for node in walk_nodes(method) if others else ():
        match node:
            case ast.Assign(value=value) if read_kept_name(value) in others:
                found.append(node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=[_, *_]):
                found += [node] if owner == first else []
    return found


def read_kept_name(value: ast.expr) -> str:
    """The variable that a value is, or that a member of an enum is taken by: ``State(name)``."""
    match value:
        case ast.Name(id=name):
            return name
        case (
            ast.Call(func=owner, args=[ast.Name(id=name)], keywords=[])
            | ast.Subscript(value=owner, slice=ast.Name(id=name))
        ) if get_last(spell_dotted(owner))[:1].isupper():
            return name
    return ""


def _list_names(method: _Function) -> list[str]:
    return [each.arg for each in (*method.args.args, *method.args.kwonlyargs)] or [""]
