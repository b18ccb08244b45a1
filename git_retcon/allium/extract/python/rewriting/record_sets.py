"""What a method of Odoo does with its records, as it does so with each of them, ``self``."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.guards import is_quiet
from git_retcon.allium.extract.python.syntax.function_texts import Function
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# The same records with other rights, or in other words.
_SAME = frozenset({
    "sudo", "with_context", "with_company", "with_user", "with_env", "exists", "sorted",
})  # fmt: skip
_SELF = "self"
# What has to be asked of a record for it to be in a set; None where that is no set of them.
_Asked = Sequence[ast.expr] | None


class RecordSets:
    """Reads one method; its variables may hold some of the records."""

    def __init__(self, method: Function) -> None:
        self._sets: dict[str, Sequence[ast.expr]] = {_SELF: ()}
        stored = [
            each.id
            for each in walk_nodes(method)
            if isinstance(each, ast.Name) and isinstance(getattr(each, "ctx", None), ast.Store)
        ]
        for each in walk_statements(method.body):
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    asked = self._read(value)
                    if asked is not None and stored.count(name) == 1:
                        self._sets[name] = asked

    def open(self, body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        """Statements as they are for one record."""
        found: list[ast.stmt] = []
        for number, each in enumerate(body):
            is_last = all(map(_leaves_plainly, body[number + 1 :]))
            for one in self._open(each, is_last=is_last):
                found.append(ast.fix_missing_locations(ast.copy_location(one, each)))
        return found

    def _open(self, node: ast.stmt, *, is_last: bool) -> Iterator[ast.stmt]:
        looped = self._read_looped(node, is_last=is_last)
        written = self._read_written(node)
        if looped is not None:
            yield from _ask(looped[0], self.open(looped[1]))
        elif written is not None:
            one = ast.Name(_SELF, ast.Load())
            asked, given = written
            yield from _ask(
                asked,
                [ast.Assign([ast.Attribute(one, n, ast.Store())], e) for n, e in given.items()],
            )
            if isinstance(node, ast.Return):
                yield ast.Return(value=ast.Constant(True))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield self._open_blocks(node)
        else:
            yield node

    def _open_blocks(self, node: ast.stmt) -> ast.stmt:
        found = copy_node(node)
        if isinstance(found, ast.If):
            found.test = self._ask_set(_Tests().visit(copy_tree(found.test)))
        for name in ("body", "orelse", "finalbody"):
            if hasattr(found, name):
                setattr(found, name, [*self.open(getattr(found, name))])
        return found

    def _read_looped(
        self, node: ast.stmt, *, is_last: bool
    ) -> tuple[Sequence[ast.expr], Sequence[ast.stmt]] | None:
        """What a loop does with each record, with what is asked of these before."""
        match node:
            case ast.For(target=ast.Name(id=name), iter=among, body=body, orelse=[]):
                asked, leaving = self._read(among), _list_leaving(body)
                is_broken = any(isinstance(each, ast.Break) for each in leaving)
                if asked is None or is_broken or (leaving and not is_last):
                    return None
                given = {name: ast.Name(_SELF, ast.Load())}
                return asked, [replace_names(_leave(each), given) for each in body]
        return None

    def _ask_set(self, test: ast.expr) -> ast.expr:
        """``if drafts:`` asks whether a record is one of them."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(ast.Not(), self._ask_set(operand))
            case ast.Name() | ast.Call():
                return _join(self._read(test) or ()) or test
        return test

    def _read(self, node: ast.expr) -> _Asked:
        match node:
            case ast.Name(id=name):
                return self._sets.get(name)
            case ast.Call(func=ast.Attribute(value=inner, attr=called)) if called in _SAME:
                return self._read(inner)
            case ast.Call(func=ast.Attribute(value=inner, attr="filtered"), args=[asked]):
                before = self._read(inner)
                match asked:
                    case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body):
                        test = replace_names(body, {name: ast.Name(_SELF, ast.Load())})
                    case ast.Constant(value=str(field)) if field.isidentifier():
                        test = ast.Attribute(ast.Name(_SELF, ast.Load()), field, ast.Load())
                    case _:
                        return None
                return None if before is None else [*before, test]
        return None

    def _read_written(
        self, node: ast.stmt
    ) -> tuple[Sequence[ast.expr], Mapping[str, ast.expr]] | None:
        """``records.write({"state": "done"})``, with what is asked of these."""
        match node.value if isinstance(node, ast.Expr | ast.Return) else None:
            case ast.Call(
                func=ast.Attribute(value=records, attr="write" | "update"),
                args=[ast.Dict(keys=keys, values=values)],
                keywords=[],
            ):
                asked = self._read(records)
                names = [each.value if isinstance(each, ast.Constant) else "" for each in keys]
                texts = [each for each in names if isinstance(each, str) and each.isidentifier()]
                if asked is not None and len(texts) == len(keys):
                    return asked, dict(zip(texts, values, strict=True))
        return None


class _Tests(ast.NodeTransformer):
    """``any(record.state != "draft" for record in self)`` as what is asked of each."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(
                func=ast.Name(id="any" | "all"),
                args=[
                    ast.GeneratorExp(
                        elt=asked, generators=[ast.comprehension(ast.Name(id=name), among, [], 0)]
                    )
                ],
            ) if isinstance(among, ast.Name) and among.id == _SELF:
                return replace_names(asked, {name: ast.Name(_SELF, ast.Load())})
        self.generic_visit(node)
        return node


def _join(asked: Sequence[ast.expr]) -> ast.expr | None:
    if len(asked) < 2:
        return copy_tree(asked[0]) if asked else None
    return ast.BoolOp(ast.And(), [*map(copy_tree, asked)])


def _ask(asked: Sequence[ast.expr], body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    test = _join(asked)
    if test is None:
        yield from body
    else:
        yield ast.If(test, [*body], [])


def _leaves_plainly(node: ast.stmt) -> bool:
    """Whether a statement only ends a method, with nothing or a constant."""
    match node:
        case ast.Return(value=None | ast.Constant()):
            return True
    return is_quiet(node)


def _list_leaving(body: Iterable[ast.stmt]) -> Sequence[ast.stmt]:
    """What leaves a round of a loop, or the loop."""
    found: list[ast.stmt] = []
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Continue | ast.Break):
            found.append(node)
        elif not isinstance(node, ast.For | ast.While):
            for name in BLOCKS.get(node.__class__, ()):
                for each in getattr(node, name):
                    waiting += each.body if hasattr(each, "pattern") else [each]
                    waiting += each.body if isinstance(each, ast.ExceptHandler) else []
    return found


def _leave(node: ast.stmt) -> ast.stmt:
    """A statement of a loop that leaves the method where it goes on with the next record."""
    found: ast.stmt = _Left().visit(copy_tree(node))
    return found


class _Left(ast.NodeTransformer):
    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return ast.copy_location(ast.Return(value=None), node)

    def visit_For(self, node: ast.For) -> ast.stmt:
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        return node
