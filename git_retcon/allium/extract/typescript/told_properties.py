"""Properties that tell one of several values, where methods compare them.

::

    get state() {
        if (this.closed) return 'closed';
        return this._state;
    }

``this.state === 'open'`` asks whether the object is not closed, and ``this._state`` is ``'open'``.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.statements import negate
from git_retcon.allium.extract.grammar.translated_methods import Method
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree

_MOST = 4  # values that a property tells


class _Told(NamedTuple):
    """A value that a property tells where a condition holds, and none before it; None for all the
    rest.
    """

    test: ast.expr | None
    value: ast.expr


def open_compared(methods: Sequence[Method]) -> None:
    """Write what methods ask of such properties as what these tell. The methods are changed."""
    told = {
        each.symbol: found
        for each in methods
        if each.member == each.symbol and (found := [*_list_told(each.node.body)])
    }
    opener = _Opener({name: each for name, each in told.items() if _is_known(each)})
    for each in methods if opener.told else ():
        opener.open(each.node)


def _list_told(body: Sequence[ast.stmt]) -> Iterator[_Told]:
    for node in body:
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)], orelse=[]):
                yield _Told(test, value)
            case ast.Return(value=ast.IfExp(test=test, body=value, orelse=other)):
                yield from (_Told(test, value), _Told(None, other))
            case ast.Return(value=ast.expr() as value):
                yield _Told(None, value)
            case _:
                return


def _is_known(told: Sequence[_Told]) -> bool:
    """Whether some are constants, the last a field, and all that is asked is of the object."""
    tests = [each.test for each in told if each.test is not None]
    names = (n for test in tests for n in ast.walk(test) if isinstance(n, ast.Call | ast.Name))
    is_whole = told[-1].test is None and len(tests) == len(told) - 1
    is_open = not _is_field(told[-1].value) or not 1 < len(told) <= _MOST
    if not is_whole or is_open or not all(map(_is_own, names)):
        return False
    return all(_is_constant(each.value) or _is_field(each.value) for each in told)


def _is_own(node: ast.expr) -> bool:
    """Whether a name is that of the object, or of a type, and nothing is called."""
    return isinstance(node, ast.Name) and (node.id == "self" or node.id[:1].isupper())


def _is_field(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return not name.isupper()
    return False


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | int)
    owner, _, name = spell_dotted(node).rpartition(".")
    return name.isupper() and owner.rpartition(".")[2][:1].isupper()


def _name_kind(node: ast.expr) -> str:
    """What may be the same as a constant: others of its type."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    return spell_dotted(node).rpartition(".")[0]


class _Opener(ast.NodeTransformer):
    def __init__(self, told: Mapping[str, Sequence[_Told]]) -> None:
        self.told = told
        self._is_changed = False

    def open(self, node: Function) -> None:
        self._is_changed = False
        node.body = [self.visit(each) for each in node.body]
        if self._is_changed:
            ast.fix_missing_locations(node)
            forget_text(node)

    def _knows(self, name: str, values: Sequence[ast.expr]) -> bool:
        """Whether these are constants of one kind with those that a property tells."""
        told = [each.value for each in self.told.get(name, ()) if _is_constant(each.value)]
        kinds = {_name_kind(each) for each in (*told, *values)}
        return bool(told and values) and all(map(_is_constant, values)) and len(kinds) == 1

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id="self"), attr=name),
                ops=[ast.Eq() | ast.NotEq() as op],
                comparators=[value],
            ) if self._knows(name, [value]):
                found = _ask(self.told[name], value)
                self._is_changed = True
                return found if isinstance(op, ast.Eq) else negate(found)
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id="self"), attr=name),
                ops=[ast.In()],
                comparators=[ast.List(elts=[*values])],
            ) if self._knows(name, values):
                self._is_changed = True
                asked = [_ask(self.told[name], each) for each in values]
                return ast.BoolOp(ast.Or(), asked) if len(asked) > 1 else asked[0]
        return node


def _ask(told: Sequence[_Told], value: ast.expr) -> ast.expr:
    """Whether a property tells a value."""
    found: list[ast.expr] = []
    before: list[ast.expr] = []
    for each in told:
        test = [] if each.test is None else [copy_tree(each.test)]
        if _is_field(each.value):
            same: list[ast.expr] = [
                ast.Compare(copy_tree(each.value), [ast.Eq()], [copy_tree(value)])
            ]
        else:
            same = [] if _is_same(each.value, value) else [ast.Constant(value=False)]
        parts = [*map(copy_tree, before), *test, *same]
        if not (same and isinstance(same[0], ast.Constant)):
            found.append(ast.BoolOp(ast.And(), parts) if len(parts) > 1 else parts[0])
        before += map(negate, test)
    return ast.BoolOp(ast.Or(), found) if len(found) > 1 else found[0]


def _is_same(one: ast.expr, two: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(two)
