"""States by their places in a tuple of the class, written as what is there.

::

    STEPS = ("new", "packed", "sent")

    def __init__(self):
        self.status = self.STEPS[0]

    def go_on(self):
        for at, step in enumerate(self.STEPS):
            if step == self.status:
                self.status = self.STEPS[at + 1]
                return

One "if" for each state comes in place of the loop, and in place of
``self.status = self.STEPS[self.STEPS.index(self.status) + 1]``.
"""

import ast
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.constants import read_constants
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_MOST = 20  # states of a list
_COUNTING: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mod: operator.mod,
}  # fmt: skip
Lists = Mapping[str, Sequence[ast.Constant]]


def open_listed_steps(node: ast.ClassDef) -> None:
    """Write in a class what its methods have by places in its lists of texts and numbers."""
    lists = _read_lists(node)
    for at, item in enumerate(node.body) if lists else ():
        if isinstance(item, Function) and _has_places(item, lists):
            method = copy_node(item)
            method.body = [copy_tree(each) for each in item.body]
            forget_text(method)
            node.body[at] = ast.fix_missing_locations(_Opener(lists).visit(method))


def _read_lists(node: ast.ClassDef) -> Lists:
    found: dict[str, list[ast.Constant]] = {}
    for name, value in read_constants(node.body).items():
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        constants = [each for each in parts if isinstance(each, ast.Constant)]
        if name.isupper() and 0 < len(parts) <= _MOST and len(constants) == len(parts):
            for owner in ("self", "cls", node.name):
                found[f"{owner}.{name}"] = constants
    return found


def _has_places(node: Function, lists: Lists) -> bool:
    subscripts = (each for each in walk_nodes(node) if isinstance(each, ast.Subscript))
    return any(spell_dotted(each.value) in lists for each in subscripts)


class _Opener(ast.NodeTransformer):
    """Writes elements for places, where ``places`` are variables of which these are known."""

    def __init__(self, lists: Lists, places: Mapping[str, int | ast.Constant] = {}) -> None:
        self._lists = lists
        self._places = places

    def visit_For(self, node: ast.For) -> ast.AST:
        opened = self._open_loop(node)
        return opened if opened is not None else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        opened = self._open_index(node)
        return opened if opened is not None else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant) and isinstance(test.value, bool):
            kept = ast.Module(node.body if test.value else node.orelse, [])
            self.generic_visit(kept)
            return kept.body or [ast.Pass()]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        place = self._places.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return place if isinstance(place, ast.Constant) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        listed = self._lists.get(spell_dotted(node.value), ())
        place = self._count(node.slice) if isinstance(node.ctx, ast.Load) else None
        if place is not None and -len(listed) <= place < len(listed):
            return listed[place]
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        sides = [self._count(each) for each in (node.left, *node.comparators)]
        match node.ops, sides:
            case [ast.Lt()], [int(left), int(right)]:
                return ast.Constant(left < right)
            case [ast.Eq()], [int(left), int(right)]:
                return ast.Constant(left == right)
        return self.generic_visit(node)

    def _count(self, node: ast.expr) -> int | None:
        """The number that an expression is, of places and lengths of lists."""
        match node:
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                return number
            case ast.Name(id=name):
                place = self._places.get(name)
                return place if isinstance(place, int) else None
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                return -number
            case ast.Call(func=ast.Name(id="len"), args=[listed], keywords=[]):
                return len(self._lists.get(spell_dotted(listed), ())) or None
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _COUNTING:
                one, two = self._count(left), self._count(right)
                if one is not None and two:
                    return _COUNTING[type(op)](one, two)
        return None

    def _open_loop(self, node: ast.For) -> ast.AST | None:
        """``for at, step in enumerate(STEPS)`` that only looks for one of them, and then leaves."""
        match node:
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=step)]),
                iter=ast.Call(func=ast.Name(id="enumerate"), args=[listed], keywords=[]),
                body=[ast.If(test=ast.Compare(ops=[ast.Eq()]), orelse=[]) as found],
                orelse=[],
            ) if spell_dotted(listed) in self._lists and isinstance(found.body[-1], ast.Return):
                elements = self._lists[spell_dotted(listed)]
                ways: list[dict[str, int | ast.Constant]] = [
                    {place: at, step: each} for at, each in enumerate(elements)
                ]
                return _chain([self._write(found, each) for each in ways])
        return None

    def _open_index(self, node: ast.Assign) -> ast.AST | None:
        """``self.status = STEPS[STEPS.index(self.status) + 1]``."""
        match node.value:
            case ast.Subscript(value=listed, slice=place) if spell_dotted(listed) in self._lists:
                name = spell_dotted(listed)
            case _:
                return None
        for each in walk_nodes(place):
            match each:
                case ast.Call(func=ast.Attribute(attr="index", value=searched), args=[asked]):
                    if spell_dotted(searched) == name:
                        return self._open_each(node, each, asked, self._lists[name])
        return None

    def _open_each(
        self, node: ast.Assign, index: ast.Call, asked: ast.expr, elements: Sequence[ast.Constant]
    ) -> ast.AST:
        text = ast.unparse(index)
        chain: list[ast.If] = []
        for at, each in enumerate(elements):
            body = ast.parse(ast.unparse(node).replace(text, str(at))).body
            moved = self._write(ast.If(ast.Compare(asked, [ast.Eq()], [each]), body, []), {})
            # Behind the last one there is none: that fails.
            is_open = any(isinstance(e, ast.Subscript) for e in walk_nodes(moved.body[0]))
            chain.append(ast.If(moved.test, [ast.Raise()] if is_open else moved.body, []))
        return _chain([*chain, ast.If(ast.Constant(True), [ast.Raise()], [])])

    def _write(self, node: ast.If, places: Mapping[str, int | ast.Constant]) -> ast.If:
        written = _Opener(self._lists, {**self._places, **places}).visit(copy_tree(node))
        assert isinstance(written, ast.If)
        return written


def _chain(parts: Sequence[ast.If]) -> ast.AST:
    """One "if" with the others as what it does else."""
    for first, other in itertools.pairwise(parts):
        first.orelse = [other]
    return parts[0]
