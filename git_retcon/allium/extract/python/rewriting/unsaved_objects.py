"""What a model does with an object that is not stored yet, which is how it begins.

::

    def save(self, *args, **kwargs):
        if self.pk is None:
            self.status = Status.NEW
        super().save(*args, **kwargs)

leads from no state to another. Such a condition is ``False`` of what is stored.
"""

import ast
import re
from collections.abc import Set

from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# Most methods ask none of them.
_MAY_ASK = re.compile(rb"\bself\.(?:pk|id)\b|\b_state\.adding\b")
_KEY, _NUMBER = "self.pk", "self.id"
_ADDING = "self._state.adding"


def store_objects(node: ast.ClassDef) -> None:
    """Write the methods of a model as those of its stored objects. One that says itself what its
    ``id`` is may have states before it has one.
    """
    names = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
    is_own = any(isinstance(each, ast.Name) and each.id == "id" for each in names)
    storer = _Storer(frozenset({_KEY} if is_own else {_KEY, _NUMBER}))
    for at, item in enumerate(node.body):
        if not isinstance(item, Function) or not may_have(item, _MAY_ASK):
            continue
        if any(map(storer.answer, walk_nodes(item))):
            method = copy_node(item)
            block = copy_tree(ast.Module(item.body, []))
            storer.generic_visit(block)
            method.body = block.body
            forget_text(method)
            node.body[at] = ast.fix_missing_locations(method)


class _Storer(ast.NodeTransformer):
    """Answers whether an object is stored, which has one of these ``keys`` then."""

    def __init__(self, keys: Set[str]) -> None:
        self._keys = keys

    def visit(self, node: ast.AST) -> ast.AST:
        answer = self.answer(node)
        return answer if answer is not None else self.generic_visit(node)

    def answer(self, node: ast.AST) -> ast.Constant | None:
        """The truth of a condition on whether an object is stored; None for any other."""
        match node:
            case ast.Compare(left=left, ops=[sign], comparators=[ast.Constant(value=None)]) if (
                spell_dotted(left) in self._keys
            ):
                return ast.Constant(isinstance(sign, ast.IsNot | ast.NotEq))
            case ast.UnaryOp(op=ast.Not(), operand=operand) if spell_dotted(operand) in self._keys:
                return ast.Constant(False)
            case ast.Attribute() if spell_dotted(node) == _ADDING:
                return ast.Constant(False)
        return None
