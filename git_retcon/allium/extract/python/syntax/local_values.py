"""Variables that hold what a field says, read as the field itself.

``is_new = self.state == NEW`` and then ``if not is_new`` asks the state as much as the comparison
does. A variable means its value as long as neither it nor what the value names is set again.
"""

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Set

from git_retcon.allium.extract.python.syntax.function_texts import answer_once, has_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_QUESTION = re.compile(r"(?:is|has|can|should|was)(?:_|[A-Z])\w*(?:\(\))?")
_OWN = frozenset({"self", "cls"})

Function = ast.FunctionDef | ast.AsyncFunctionDef

# How tables of what may follow on a state are called.
_TABLE = re.compile(r"(?i)transition|allowed|flow")


def inline_values(node: Function) -> Function:
    """A function that names values where it named variables that hold them."""
    # It takes long, and most functions stay as they are.
    return _inline_body(node) if not has_text(node) or _gains_values(node) else node


@answer_once
def _gains_values(node: Function) -> bool:
    return _inline_body(node) is not node


def _inline_body(node: Function) -> Function:
    if not any(map(_is_held, walk_statements(node.body))):
        return node
    inlined: list[ast.expr] = []
    try:
        body = _Values(inlined).inline(node.body)
    except RecursionError:
        return node  # nested beyond anything that a person writes
    if not inlined:
        return node
    found = copy_node(node)
    found.body = body
    return found


def _is_held(node: ast.stmt) -> bool:
    match node:
        case (
            ast.Assign(targets=[ast.Name()], value=value)
            | ast.AnnAssign(target=ast.Name(), value=value)
        ):
            return value is not None and _is_plain(value)
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression asks what something is, and does nothing."""
    match node:
        case ast.Attribute():
            return _is_chain(node)
        case ast.Compare(left=left, comparators=others):
            return all(map(_is_operand, (left, *others)))
        case ast.BoolOp(values=values):
            return all(map(_is_operand, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_operand(operand)
        case (
            ast.Subscript(value=table, slice=key)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_])
        ):
            # What a table of constants has for a field.
            name = get_last(spell_dotted(table))
            return (name.isupper() or _TABLE.search(name) is not None) and _is_chain(key)
        case ast.Call(func=ast.Attribute(attr=name) as func, args=[], keywords=[]):
            return _QUESTION.fullmatch(name) is not None and _is_chain(func)
    return False


def _is_operand(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_operand, parts))
    return _is_plain(node)


def _is_chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


class _Values:
    """The variables that hold a value, on the way through a function; ``inlined`` gets the values
    that were written for their names.
    """

    def __init__(self, inlined: list[ast.expr], known: Mapping[str, ast.expr] = {}) -> None:
        self._inlined = inlined
        self._known = {**known}

    def inline(self, body: Iterable[ast.stmt]) -> list[ast.stmt]:
        """The statements, with values for names."""
        return [self._inline_statement(each) for each in body]

    def _inline_statement(self, node: ast.stmt) -> ast.stmt:
        # Before the first value, most say nothing.
        if not self._known and node.__class__ not in BLOCKS and not _is_held(node):
            return node
        found = copy_node(node)
        match found:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._inline_assignment(found)
            case ast.If():
                self._inline_branches(found)
            case ast.With() | ast.AsyncWith():
                self._forget_set(item.optional_vars for item in found.items)
                found.body = self.inline(found.body)
            case ast.For() | ast.AsyncFor() | ast.While() | ast.Try() | ast.Match():
                self._inline_blocks(found)
            case ast.Return(value=value) | ast.Expr(value=value) if value is not None:
                found.value = self._replace(value)
                self._forget_called(value)
            case ast.Assert():
                found.test = self._replace(found.test)
            case ast.Raise() | ast.Pass() | ast.Break() | ast.Continue():
                pass
            case _:
                self._forget_inside([node])
        return found

    def _inline_assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if node.value is not None:
            node.value = self._replace(node.value)
            self._forget_called(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        self._forget_set(targets)
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if value is not None and _is_plain(value) and name not in _list_words(value):
                self._known[name] = value

    def _inline_branches(self, node: ast.If) -> None:
        node.test = self._replace(node.test)
        body, orelse = self._fork(), self._fork()
        node.body, node.orelse = body.inline(node.body), orelse.inline(node.orelse)
        for way, block in ((body, node.body), (orelse, node.orelse)):
            if not _leaves(block):
                self._keep_known(way)

    def _inline_blocks(
        self, node: ast.For | ast.AsyncFor | ast.While | ast.Try | ast.Match
    ) -> None:
        """Blocks that run any number of times, or in part."""
        if isinstance(node, ast.Match):
            node.subject = self._replace(node.subject)
        self._forget_inside([node])
        if isinstance(node, ast.While):
            node.test = self._replace(node.test)
        for name in ("body", "orelse", "finalbody"):
            if block := getattr(node, name, None):
                setattr(node, name, self._fork().inline(block))
        for name in ("handlers", "cases"):
            parts = [copy_node(each) for each in getattr(node, name, ())]
            for part in parts:
                part.body = self._fork().inline(part.body)
            if parts:
                setattr(node, name, parts)

    def _replace(self, node: ast.expr) -> ast.expr:
        names = self._known.keys()
        if not names:
            return node
        is_named = any(
            isinstance(each, ast.NamedExpr) or (isinstance(each, ast.Name) and each.id in names)
            for each in walk_nodes(node)
        )
        if not is_named:
            return node
        for each in walk_nodes(node):
            if isinstance(each, ast.NamedExpr):
                self._forget_set([each.target])
        replaced: ast.expr = _Replaced(self._known, self._inlined).visit(copy_tree(node))
        return replaced

    def _fork(self) -> "_Values":
        """What is known where a block begins."""
        return _Values(self._inlined, self._known)

    def _keep_known(self, way: "_Values") -> None:
        """Know only what is still known behind one of the ways that go on."""
        known = self._known.items()
        self._known = {name: each for name, each in known if way._known.get(name) is each}

    def _forget_called(self, node: ast.expr) -> None:
        """Know nothing of fields that a call of an own method may have set."""
        for each in walk_nodes(node) if self._known else ():
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                    if owner in _OWN and not _QUESTION.fullmatch(name):
                        self._known.clear()

    def _forget_inside(self, nodes: Iterable[ast.AST]) -> None:
        """Know nothing of what these set anywhere."""
        for node in nodes if self._known else ():
            for each in walk_nodes(node):
                match each:
                    case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                        self._forget_set(targets)
                    case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                        self._forget_set([target])
                    case ast.NamedExpr(target=target) | ast.For(target=target):
                        self._forget_set([target])
                    case ast.AsyncFor(target=target):
                        self._forget_set([target])
                    case ast.withitem(optional_vars=variable):
                        self._forget_set([variable])
                    case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                        self._forget([name])
                    case ast.Call():
                        self._forget_called(each)

    def _forget_set(self, targets: Iterable[ast.expr | None]) -> None:
        self._forget(word for target in targets if target is not None for word in _list_set(target))

    def _forget(self, words: Iterable[str]) -> None:
        for word in words if self._known else ():
            self._known.pop(word, None)
            self._known = {
                name: each for name, each in self._known.items() if word not in _list_words(each)
            }


class _Replaced(ast.NodeTransformer):
    """Values for the names of variables; what is done with an object of a variable is not that."""

    def __init__(self, known: Mapping[str, ast.expr], inlined: list[ast.expr]) -> None:
        self._known = {**known}
        self._inlined = inlined

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._known:
            return node
        self._inlined.append(value := copy_tree(self._known[node.id]))
        return value

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return node if _is_chain(node) else self._visit_parts(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(each) for each in node.args]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return node if isinstance(node.value, ast.Name) else self._visit_parts(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        value: ast.expr = self.visit(node.value)
        self._inlined.append(value)
        if _is_plain(value):
            self._known[node.target.id] = value
        return value

    def _visit_parts(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        return node


def _list_set(target: ast.expr) -> Iterator[str]:
    """The variables that a target sets, and the fields behind a dot."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for each in parts:
                yield from _list_set(each)
        case ast.Starred(value=value) | ast.Subscript(value=value):
            yield from _list_set(value)
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Name(id=name):
            yield name


# What a variable holds is looked at for each name that is set behind it.
@functools.lru_cache(maxsize=64)
def _list_words(node: ast.expr) -> Set[str]:
    """The variables that an expression names, and the fields behind a dot."""
    words = {each.id for each in walk_nodes(node) if isinstance(each, ast.Name)}
    return words | {f".{each.attr}" for each in walk_nodes(node) if isinstance(each, ast.Attribute)}


def _leaves(block: list[ast.stmt]) -> bool:
    last = block[-1] if block else None
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)
