"""Where the methods of a class give an attribute something, or take it away again."""

import ast
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_assigned

_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break


def list_places(name: str, subject: Subject) -> Sequence[tuple[Sequence[ast.stmt], ast.expr]]:
    """The blocks that give an attribute something, with what they do."""
    return [
        (block, given)
        for method in subject.methods.values()
        for block in list_blocks(method.body)
        for each in block
        for given in list_given(each, name)
    ]


def list_blocks(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    yield body
    for each in walk_statements(body):
        for name in BLOCKS.get(each.__class__, ()):
            parts = getattr(each, name)
            is_listed = name in ("handlers", "cases")
            yield from [part.body for part in parts] if is_listed else [parts]


def list_given(node: ast.stmt, name: str) -> Iterator[ast.expr]:
    """What a statement gives an attribute."""
    match node:
        case (
            ast.Assign(targets=[ast.Attribute(ast.Name("self"), symbol)], value=ast.expr() as given)
            | ast.AnnAssign(
                target=ast.Attribute(ast.Name("self"), symbol), value=ast.expr() as given
            )
        ) if symbol == name:
            yield given


def name_given(node: ast.Assign | ast.AnnAssign) -> str:
    """The attribute that a statement gives something, as ``list_given`` has it; "" for none."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    match targets, node.value:
        case [ast.Attribute(ast.Name("self"), name)], ast.expr():
            return name
    return ""


def list_beside(
    block: Sequence[ast.stmt], taken: ast.expr, subject: Subject, symbol: str
) -> Sequence[ast.expr]:
    """What a field is given where a value is taken away: last before that, and all behind it; none
    where it may be given nothing.
    """
    at = next(n for n, each in enumerate(block) if getattr(each, "value", None) is taken)
    before = [e for each in block[:at] for e in list_given(each, symbol)]
    behind: list[ast.expr] = []
    for around, place in _list_around(block, at, subject):
        rest = around[place + 1 :]
        behind += [e for each in walk_statements(rest) for e in list_given(each, symbol)]
        for each in rest:
            if any(True for _ in list_given(each, symbol)):
                return behind
            if any(isinstance(e, _LEAVING) for e in walk_statements([each])):
                return [*before[-1:], *behind] if before else []
    return [*before[-1:], *behind] if before else []


def _list_around(
    block: Sequence[ast.stmt], at: int, subject: Subject
) -> Iterator[tuple[Sequence[ast.stmt], int]]:
    """A block with the place of a statement, and those around it that go on behind a condition."""
    yield block, at
    for method in subject.methods.values():
        for outer in list_blocks(method.body):
            for place, each in enumerate(outer):
                if isinstance(each, ast.If) and (each.body is block or each.orelse is block):
                    yield from _list_around(outer, place, subject)


def find_made(block: Sequence[ast.stmt], given: ast.expr) -> ast.expr:
    """What a variable holds that a block has made before; nothing where that may be another one."""
    if not isinstance(given, ast.Name):
        return given
    found: ast.expr = given
    for each in block:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == given.id:
                found = value
            case ast.Assign(value=value) if value is given:
                break
            case _ if _binds(each, given.id):
                found = ast.Constant(None)
    return found


def _binds(node: ast.stmt, name: str) -> bool:
    """Whether a statement may give a variable something."""
    return any(
        name in (getattr(each, "name", None), getattr(each, "rest", None))
        or (isinstance(each, ast.Name) and each.id == name and _is_set(each))
        or (isinstance(each, ast.stmt) and name in list_assigned(each))
        for each in walk_nodes(node)
    )


def _is_set(node: ast.Name) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def takes_away(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value in (None, False)


def is_none(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value is None
