"""Statements that set attributes in other ways, read as one assignment each.

``object.__setattr__(self, "status", DONE)``, as classes do whose objects are frozen, and
``setattr(order, "status", DONE)`` mean ``order.status = DONE``, and ``getattr(order, "status")`` is
``order.status``; ``self.status, self.error = DONE, None`` sets one after the other, as
``self.local = self.remote = DONE`` does, and ``self.db_set("status", "Done")`` of a document of
Frappe. What a condition gives a name, ``if (state := self.state)
== DONE``, is read before it.
"""

import ast
import re
from collections.abc import Collection, Iterable, Sequence

from git_retcon.allium.extract.python.syntax.function_texts import (
    answer_once,
    may_have,
    rewrite_text,
)
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Most files have none of them.
_MAY_SET = re.compile(
    rb"[sg]etattr|\bdb_set\(|\bset_value\(|:=\s*\w+\.\w|\.\w+,[^=()]*=[^=]|,\s*\w+\.\w+\s*=[^=]|=\s*\w+\.\w+\s*=[^=]|\.\w+\s*=\s*\w+\s*=[^=]"
)


def replace_setters(content: bytes, functions: Iterable[_Function]) -> None:
    """Write the functions of a file so. The functions themselves are changed."""
    # Visiting takes long, and hardly any function has one.
    found = [(node, places) for node in functions if (places := _list_places(node))]
    for node, places in found if found and _MAY_SET.search(content) is not None else ():
        rewrite_text(node, "setters")
        body: list[ast.stmt] = []
        for number, each in enumerate(node.body):
            changed = _Assigned().visit(each) if number in places else each
            body += changed if isinstance(changed, list) else [changed]
        node.body = body


@answer_once
def _list_places(node: _Function) -> Collection[int]:
    """The numbers of those statements of a function that have such a thing in them."""
    listed = enumerate(node.body) if may_have(node, _MAY_SET) else ()
    return {number for number, each in listed if _has_setter(each)}


def _has_setter(node: ast.stmt) -> bool:
    listed = [*walk_statements([node])]
    return (
        any(map(_split_setter, listed))
        or any(map(_list_named, listed))
        or any(_read_named(each) is not None for each in walk_nodes(node))
    )


class _Assigned(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        return _split_setter(node) or node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        return _split_setter(node) or node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return _read_named(node) or node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        named = _list_named(node)
        self.generic_visit(node)
        node.test = _Unnamed().visit(node.test) if named else node.test
        return [*(_assign(each.target, each.value, node) for each in named), node]


class _Unnamed(ast.NodeTransformer):
    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        return node.value if _is_plain(node) else node


def _list_named(node: ast.stmt) -> list[ast.NamedExpr]:
    """The attributes that a condition gives a name: ``if (state := self.state) == DONE``."""
    parts = walk_nodes(node.test) if isinstance(node, ast.If) else ()
    return [each for each in parts if isinstance(each, ast.NamedExpr) and _is_plain(each)]


def _read_named(node: ast.AST) -> ast.expr | None:
    """``order.status`` for ``getattr(order, "status", None)``; None for anything else."""
    match node:
        case ast.Call(
            func=ast.Name(id="getattr"),
            args=[owner, ast.Constant(value=str(name)), *others],
            keywords=[],
        ) if len(others) < 2 and name.isidentifier() and spell_dotted(owner):
            found = ast.Attribute(value=owner, attr=name, ctx=ast.Load())
            return ast.fix_missing_locations(ast.copy_location(found, node))
    return None


def _is_plain(node: ast.NamedExpr) -> bool:
    return isinstance(node.value, ast.Attribute) and bool(spell_dotted(node.value))


def _split_setter(node: ast.stmt) -> list[ast.stmt]:
    """The assignments that a statement means; none where it is one, or anything else."""
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="setattr")
                | ast.Attribute(value=ast.Name(id="object"), attr="__setattr__"),
                args=[owner, ast.Constant(value=str(name)), value],
                keywords=[],
            )
        ) if name.isidentifier():
            target = ast.Attribute(value=owner, attr=name, ctx=ast.Store())
            return [_assign(target, value, node)]
        case ast.Expr(value=ast.Call() as call) if stored := _read_stored(call):
            return [_assign(target, value, node) for target, value in stored]
        case ast.Assign(targets=[_, _, *_], value=value):
            # The same for all of them; a variable may be one of them.
            sets_any = any(isinstance(each, ast.Attribute) for each in node.targets)
            is_plain = not any(isinstance(each, ast.Tuple | ast.List) for each in node.targets)
            names = {each.id for each in node.targets if isinstance(each, ast.Name)}
            if sets_any and is_plain and _is_fixed(value, names):
                return [_assign(each, value, node) for each in node.targets]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            sets_any = any(isinstance(each, ast.Attribute) for each in targets)
            names = {each.id for each in targets if isinstance(each, ast.Name)}
            is_fixed = all(
                _is_fixed(each, names)
                or _is_before(each, targets[:number])
                or _is_apart(each, targets)
                for number, each in enumerate(values)
            )
            if sets_any and len(targets) == len(values) and is_fixed:
                pairs = zip(targets, values, strict=True)
                return [_assign(target, value, node) for target, value in pairs]
    return []


def _read_stored(call: ast.Call) -> list[tuple[ast.expr, ast.expr]]:
    """What a document of Frappe is given at once and in its table, with the attributes."""
    match call:
        case ast.Call(func=ast.Attribute(value=owner, attr="db_set"), args=args):
            given = args
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="frappe"), attr="db")
            ) as asked,
            args=[
                ast.Attribute(value=one, attr="doctype"),
                ast.Attribute(value=owner, attr="name"),
                *args,
            ],
        ) if asked.attr == "set_value" and ast.unparse(one) == ast.unparse(owner):
            given = args
        case _:
            return []
    match given:
        case [ast.Constant(value=str(name)), value, *_]:
            pairs = [(name, value)]
        case [ast.Dict(keys=keys, values=values), *_]:
            texts = [each.value if isinstance(each, ast.Constant) else "" for each in keys]
            pairs = [(str(name), each) for name, each in zip(texts, values, strict=True)]
        case _:
            return []
    is_plain = bool(spell_dotted(owner)) and all(name.isidentifier() for name, _ in pairs)
    targets = [ast.Attribute(value=owner, attr=name, ctx=ast.Store()) for name, _ in pairs]
    return [*zip(targets, (each for _, each in pairs), strict=True)] if is_plain else []


def _is_fixed(node: ast.expr, names: Collection[str]) -> bool:
    """Whether nothing that is set before it changes a value: a constant, a name of one, or a
    variable that is none of these.
    """
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name not in names
        case ast.Attribute(attr=name):
            return name.isupper()
    return False


def _is_before(node: ast.expr, targets: Sequence[ast.expr]) -> bool:
    """Whether a value is an attribute that nothing sets before it: ``old, self.state = self.state,
    DONE``.
    """
    text = spell_dotted(node) if isinstance(node, ast.Attribute) else ""
    return bool(text) and not any(
        f"{text}.".startswith(f"{spell_dotted(each)}.") or not spell_dotted(each)
        for each in targets
    )


def _is_apart(node: ast.expr, targets: Sequence[ast.expr]) -> bool:
    """Whether a value is computed of nothing that has to do with what is set, as ``now()`` is."""
    nodes = [*walk_nodes(node)]
    read = {each.id for each in nodes if isinstance(each, ast.Name)}
    parts = (part for each in targets for part in walk_nodes(each))
    is_waiting = any(isinstance(e, ast.Await | ast.Yield | ast.YieldFrom) for e in nodes)
    is_plain = not is_waiting and not any(isinstance(e, ast.NamedExpr | ast.Lambda) for e in nodes)
    return is_plain and read.isdisjoint(e.id for e in parts if isinstance(e, ast.Name))


def _assign(target: ast.expr, value: ast.expr, node: ast.stmt) -> ast.stmt:
    found = ast.Assign(targets=[target], value=value)
    return ast.fix_missing_locations(ast.copy_location(found, node))
