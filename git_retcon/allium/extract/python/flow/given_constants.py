"""What a comparison of a constant that a parameter is given with another one says.

::

    def _on_event(self, kind):
        if kind == "end":
            self.state = State.CLOSED

    def feed(self, data):
        self._on_event("data")

``feed`` closes nothing.
"""

import ast

from git_retcon.allium.extract.python.syntax.constants import Constants

_LISTED = ast.List | ast.Tuple | ast.Set
_Plain = str | int | float | bytes


def compare_constants(
    left: ast.expr, op: ast.cmpop, right: ast.expr, constants: Constants
) -> bool | None:
    """What a comparison of two constants says; None where that is open."""
    if isinstance(op, ast.In | ast.NotIn):
        found = constants.get(right.id, right) if isinstance(right, ast.Name) else right
        if not isinstance(found, _LISTED):
            return None
        same = [_are_same(left, each, constants) for each in found.elts]
        is_in = True if True in same else None if None in same else False
        return None if is_in is None else is_in is isinstance(op, ast.In)
    is_even = isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot)
    is_same = _are_same(left, right, constants) if is_even else None
    return None if is_same is None else is_same is isinstance(op, ast.Eq | ast.Is)


def _are_same(one: ast.expr, two: ast.expr, constants: Constants) -> bool | None:
    """Whether two constants are the same; None where one is none, or of another type."""
    values = [_read_plain(each, constants) for each in (one, two)]
    first, second = values
    if first is not None and type(first) is type(second):
        return first == second
    # Members of one enum, or constants of one class.
    match one, two:
        case (
            ast.Attribute(value=ast.Name(id=owner), attr=name),
            ast.Attribute(value=ast.Name(id=other), attr=named),
        ) if owner == other and owner[:1].isupper() and name[:1].isupper():
            return name == named
    return None


def _read_plain(node: ast.expr, constants: Constants) -> _Plain | None:
    found = constants.get(node.id, node) if isinstance(node, ast.Name) else node
    value = found.value if isinstance(found, ast.Constant) else None
    return value if isinstance(value, _Plain) else None
