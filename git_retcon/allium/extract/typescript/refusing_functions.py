"""Functions of a TypeScript file that do nothing but refuse what they are given.

``requireOpen(this.state)`` with ``if (state !== OPEN) { throw new Error(); }`` is a guard of what
calls it.
"""

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.statements import Statements, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.flow.guards import is_quiet
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect

_ARROW = "arrow_function"
_LONGEST = 1_000  # characters; what is longer does more
_PLAIN = ast.Attribute | ast.Name | ast.Constant | ast.List | ast.Compare | ast.BoolOp | ast.UnaryOp
_FILES = 2  # a file's classes and functions are read one after the other


class RefusingFunction(NamedTuple):
    """The parameters of a function, and what it does."""

    parameters: tuple[str, ...]
    body: tuple[ast.If, ...]


def open_refusals(statements: Statements, functions: Mapping[str, RefusingFunction]) -> None:
    """Write what such functions refuse in place of their calls. The statements are changed."""
    for at in reversed(range(len(statements) if functions else 0)):
        node = statements[at]
        match node:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args)) if name in functions:
                statements[at : at + 1] = _give(functions[name], args)
            case _:
                for block in _list_blocks(node):
                    open_refusals(block, functions)


def _list_blocks(node: ast.stmt) -> Iterator[Statements]:
    for part in (node, *getattr(node, "handlers", ())):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(part, name, None)
            if isinstance(block, list):
                yield block


def _give(function: RefusingFunction, args: list[ast.expr]) -> Iterator[ast.stmt]:
    given = {each: make_unknown() for each in function.parameters}
    known = (e if isinstance(e, _PLAIN) else make_unknown() for e in args)
    given |= dict(zip(function.parameters, known, strict=False))
    for each in function.body:
        test = _Given(given).visit(copy_tree(each.test))
        yield ast.If(test=test, body=[copy_tree(each.body[-1])], orelse=[])


class _Given(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def list_refusing(node: Node | None) -> Mapping[str, RefusingFunction]:
    """Those of the file that a node is in, by their names."""
    while node is not None and node.parent is not None:
        node = node.parent
    return _read_file(node) if node is not None else {}


@functools.lru_cache(maxsize=_FILES)
def _read_file(root: Node) -> Mapping[str, RefusingFunction]:
    found = ((name, _read_function(each)) for name, each in _list_functions(root))
    return {name: each for name, each in found if each is not None}


def _list_functions(root: Node) -> Iterator[tuple[str, Node]]:
    for node in root.named_children:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "function_declaration":
            yield read_name(declared), declared
        elif declared.type == "lexical_declaration":
            for each in list_children(declared, "variable_declarator"):
                value = each.child_by_field_name("value")
                if value is not None and value.type == _ARROW:
                    yield read_name(each), value


def _read_function(node: Node) -> RefusingFunction | None:
    """A function as one that refuses; None for one that does anything else, or later."""
    body, text = node.child_by_field_name("body"), read_text(node)
    is_later = any(each.type in ("async", "*") for each in node.children)
    if body is None or is_later or "throw" not in text or len(text) > _LONGEST or "this" in text:
        return None
    statements = Bodies(TypeScriptDialect(), Scope()).translate_block([body])
    refusing = [each for each in statements if isinstance(each, ast.If) and not _is_local(each)]
    names = [*_list_parameters(node)]
    others = (each for each in statements if each not in refusing)
    if not refusing or not all(map(_is_local, others)) or not all(map(_refuses, refusing)):
        return None
    local = {*_list_assigned(statements)}
    asked = {n.id for each in refusing for n in ast.walk(each.test) if isinstance(n, ast.Name)}
    # What it makes of what it is given is no longer that.
    return None if asked & local else RefusingFunction(tuple(names), tuple(refusing))


def _refuses(node: ast.If) -> bool:
    """Whether a condition does nothing but lead to an error."""
    *before, last = node.body
    return isinstance(last, ast.Raise) and not node.orelse and all(map(_is_local, before))


def _is_local(node: ast.stmt) -> bool:
    """Whether a statement only makes something for this function, or tells people."""
    match node:
        case ast.If(body=body, orelse=orelse):
            return all(map(_is_local, [*body, *orelse]))
        case ast.AugAssign(target=ast.Name()):
            return True
    return is_quiet(node)


def _list_assigned(statements: Statements) -> Iterator[str]:
    for part in statements:
        for each in ast.walk(part):
            targets = getattr(each, "targets", [getattr(each, "target", None)])
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _list_parameters(node: Node) -> Iterator[str]:
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        yield read_text(alone)
    for each in list_inner(node, "parameters"):
        pattern = each.child_by_field_name("pattern") or each.child_by_field_name("left")
        yield read_text(pattern or each)
