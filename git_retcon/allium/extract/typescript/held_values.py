"""Fields that hold a value of their own: ``state$ = new BehaviorSubject<State>(State.Idle)``.

What sets and asks the value sets and asks the field: ``this.state$.next(State.Open)``,
``this.state$.value``; of signals ``this.state.set('open')`` and ``this.state()``.
"""

import ast
from collections.abc import Mapping

from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)

_HOLDING = frozenset({"BehaviorSubject", "signal"})
_SETTING = frozenset({"next", "set"})


def find_held(value: Node | None) -> tuple[Node | None, Node] | None:
    """The type, if that is written, and the first value of what holds one; None for all else."""
    if value is None or value.type not in ("new_expression", "call_expression"):
        return None
    made = value.child_by_field_name("constructor") or value.child_by_field_name("function")
    given, written = list_inner(value, "arguments"), list_inner(value, "type_arguments")
    if read_text(made) not in _HOLDING or not given:
        return None
    return (written[0] if written else None), given[0]


def list_holders(body: Node | None) -> Mapping[str, str]:
    """The fields of a class that hold a value, each with what it is called without a dollar."""
    fields = list_children(body, "public_field_definition")
    held = (e for e in fields if find_held(e.child_by_field_name("value")) is not None)
    return {name: name.rstrip("$") for each in held for name in [read_name(each).lstrip("#")]}


def open_holders(statements: Statements, names: Mapping[str, str]) -> Statements:
    """Statements in which fields with these names are what they hold."""
    if not names:
        return statements
    opener = _Opener(names)
    return [opener.visit(each) for each in statements]


class _Opener(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(func=ast.Attribute(value=holder, attr=name), args=[value]) if (
                name in _SETTING and (field := self._find_field(holder)) is not None
            ):
                return ast.Assign(targets=[field], value=self.visit(value))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Attribute(value=holder, attr="getValue"), args=[]) if (
                field := self._find_field(holder)
            ) is not None:
                return field
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[]) if (
                name.endswith("()") and name[:-2] in self._names
            ):
                return ast.Attribute(value=ast.Name("self"), attr=self._names[name[:-2]])
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        field = self._find_field(node.value) if node.attr == "value" else None
        self.generic_visit(node)
        return node if field is None else field

    def _find_field(self, node: ast.expr) -> ast.expr | None:
        """What a holder is read as; None for anything else."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in self._names:
                return ast.Attribute(value=ast.Name("self"), attr=self._names[name])
        return None
