"""Operations of which the object that they work on is there."""

import ast

from git_retcon.allium.extract.python.flow.moves import Function


def assume_found(node: Function, name: str) -> Function:
    """An operation without what it does where it did not find an object of this name: a rule is
    about one that is there. The function itself is changed.
    """
    found: Function = _Found(name).visit(node)
    return found


class _Found(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        node.test = self._fold(node.test)
        match node.test:
            case ast.Constant(value=bool(value)):
                return (node.body if value else node.orelse) or [ast.Pass()]
        return node

    def _fold(self, test: ast.expr) -> ast.expr:
        """A condition without what asks whether the object is there."""
        match test:
            case ast.Name(id=self._name):
                return ast.Constant(value=True)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = _read_known(self._fold(operand))
                return ast.Constant(value=not known) if known is not None else test
            case ast.Compare(
                left=ast.Name(id=self._name), ops=[op], comparators=[ast.Constant(value=None)]
            ):
                return ast.Constant(value=isinstance(op, ast.NotEq | ast.IsNot))
            case ast.BoolOp(op=op, values=values):
                return _join_tests(op, [self._fold(each) for each in values])
        return test


def _join_tests(op: ast.boolop, tests: list[ast.expr]) -> ast.expr:
    decisive = isinstance(op, ast.Or)
    if decisive in map(_read_known, tests):
        return ast.Constant(value=decisive)
    left = [each for each in tests if _read_known(each) is None]
    if len(left) > 1:
        return ast.BoolOp(op=op, values=left)
    return left[0] if left else ast.Constant(value=not decisive)


def _read_known(test: ast.expr) -> bool | None:
    match test:
        case ast.Constant(value=bool(value)):
            return value
    return None
