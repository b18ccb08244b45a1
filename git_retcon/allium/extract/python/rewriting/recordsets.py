"""Operations of Odoo's models, which work on many records, written as those of one.

::

    def action_done(self):
        for order in self.filtered(lambda order: order.state == "sent"):
            order.write({"state": "done"})

is ``if self.state == "sent": self.state = "done"`` of each record. What is written to records of
other models stays as it is.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.rewriting.record_loops import open_continues
from git_retcon.allium.extract.python.rewriting.unread_conditions import doubt_rest, leave_open
from git_retcon.allium.extract.python.rewriting.written_values import WrittenValues
from git_retcon.allium.extract.python.syntax.function_texts import Function
from git_retcon.allium.extract.python.syntax.node_copies import Node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_WRITES = frozenset({"write", "update"})
_CHANGES = frozenset({"update", "pop", "popitem", "setdefault", "clear"})  # what changes a dict
_MOST = 200  # pieces of a condition
# What gives the same records.
_SAME = frozenset(
    {"sudo", "with_context", "with_company", "with_user", "with_env", "exists", "sorted"}
)
_BLOCKS = ("body", "orelse", "finalbody")


class _Records(NamedTuple):
    """Records of the object's own that meet a condition, if there is one."""

    condition: ast.expr | None = None


class RecordOpener:
    """Opens the blocks of one method. What variables are is known where each is set once."""

    def __init__(self, method: Function, methods: Mapping[str, Function], states: Set[str]) -> None:
        """``states`` are the fields of the model that have states."""
        self._written_values, self._states = WrittenValues(method, methods), states
        self._records: dict[str, _Records] = {"self": _Records()}
        self._given: dict[str, ast.Dict] = {}
        self._once, self._filled = _list_once(method)
        self._written: set[str] = set()  # of those that are filled
        self._is_inside = False  # a loop over own records, where others may be met

    def open_block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        opened: list[ast.stmt] = []
        for at, each in enumerate(statements):
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=known)) if (
                    name in self._filled and self._is_written(name, known, statements[at + 1 :])
                ):
                    self._written.add(name)
            opened += self._open(each)
        return opened

    def _is_written(
        self, name: str, known: Sequence[ast.expr | None], statements: Sequence[ast.stmt]
    ) -> bool:
        """Whether what is filled in here is written to own records before anything may fail."""
        for each in statements:
            for part in walk_nodes(each):
                match part:
                    case ast.Raise():
                        return False
                    case ast.Subscript(value=ast.Name(id=given), slice=key, ctx=ast.Store()) if (
                        given == name and not _is_new(key, known)
                    ):
                        return False  # what was there first is not written
                    case ast.Call(
                        func=ast.Attribute(value=owner, attr=attr), args=[ast.Name(id=given)]
                    ) if attr in _WRITES and given == name:
                        return self._find(owner) == _Records()
            if isinstance(each, ast.Return):
                return False
        return False

    def _open(self, node: ast.stmt) -> Sequence[ast.stmt]:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="ensure_one"))):
                return [] if self._find(owner) is not None else [node]
            case ast.Expr(value=ast.Call() as call):
                return self._open_write(call) or [node]
            case ast.Return(value=ast.Call() as call) if written := self._open_write(call):
                return [*written, ast.Return(ast.Constant(True))]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as values) if (
                name in self._written
            ):
                return [*_assign(values)]
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self._once:
                return self._keep(name, value, node)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value
            ) if name in self._written:
                return [*_assign(ast.Dict([key], [value]))]
            case ast.For(target=ast.Name(id=name), iter=listed, body=body, orelse=[]):
                records = self._find(listed) if _is_one(name, body) else None
                opened = open_continues(body) if records is not None else None
                if records is not None and opened is not None and not self._is_inside:
                    one = [_rename(each, name) for each in opened]
                    self._is_inside = True
                    within = self.open_block(one)
                    self._is_inside = False
                    return _limit(records, within)
        test = node.test if isinstance(node, ast.If | ast.Assert) else None
        doubted = [doubt_rest()] if test is not None and self._asks_several(test) else []
        return [*doubted, self._open_inner(node)]

    def _keep(self, name: str, value: ast.expr, node: ast.stmt) -> Sequence[ast.stmt]:
        """A variable that is of own records, or of what is written to some."""
        records = self._find(value)
        if records is not None:
            self._records[name] = records
            return []
        if isinstance(value, ast.Dict):
            self._given[name] = value
        return [self._open_inner(node)]

    def _open_inner(self, node: ast.stmt) -> ast.stmt:
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, self.open_block(block) or _fill(name))
        for each in getattr(node, "handlers", ()):
            each.body = self.open_block(each.body) or [ast.Pass()]
        if isinstance(node, ast.If | ast.Assert):
            node.test = self._ask(node.test)
        elif isinstance(node, ast.Return | ast.Assign) and node.value is not None:
            node.value = self._ask_inside(node.value)
        return node

    def _open_write(self, call: ast.Call) -> Sequence[ast.stmt]:
        """What is written to own records, as assignments; nothing for any other call."""
        match call:
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[given]) if (
                name in _WRITES
            ):
                records = self._find(owner)
            case _:
                return []
        if isinstance(given, ast.Name) and given.id in self._written:
            return [ast.Pass()]  # each value is given where it is filled in
        values = self._given.get(given.id) if isinstance(given, ast.Name) else given
        if records is None:
            return []
        if not isinstance(values, ast.Dict) or None in values.keys:
            return [*self._set_anything(given), ast.Expr(call)]
        self._forget()
        return _limit(records, [*_assign(values)])

    def _set_anything(self, given: ast.expr) -> Iterator[ast.stmt]:
        """The states that a write may set to anything."""
        keys = self._written_values.list_keys(given)
        for name in sorted(self._states if keys is None else self._states & keys):
            target = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Store())
            yield ast.Assign([target], leave_open())

    def _asks_several(self, test: ast.expr) -> bool:
        """Whether a condition asks for the states of records in a way that is not read."""
        for each in walk_nodes(self._ask(copy_tree(test))):
            match each:
                case ast.Call(func=ast.Attribute(value=owner, attr="mapped" | "filtered")):
                    listed: ast.expr = owner
                case ast.comprehension(iter=listed):
                    pass
                case _:
                    continue
            if self._find(listed) is not None and not self._states.isdisjoint(_list_named(test)):
                return True
        return False

    def _forget(self) -> None:
        """What records a filter found before a write may be others than it would find now."""
        found = self._records.items()
        self._records = {name: each for name, each in found if each.condition is None}

    def _find(self, node: ast.expr) -> _Records | None:
        """The own records that an expression gives; None for anything else."""
        match node:
            case ast.Name(id=name):
                return self._records.get(name)
            case ast.Call(func=ast.Attribute(value=owner, attr="filtered"), args=[asked]):
                records, condition = self._find(owner), _read_filter(asked)
                if records is None or condition is None or _is_long(records.condition):
                    return None
                return _Records(_join(records.condition, condition))
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _SAME:
                return self._find(owner)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                one, two = self._find(left), self._find(right)
                if one is None or two is None or two.condition is None:
                    return None
                if _is_long(one.condition) or _is_long(two.condition):
                    return None
                return _Records(_join(one.condition, _negate(two.condition)))
        return None

    def _ask(self, node: ast.expr) -> ast.expr:
        """A condition on records as one on each of them."""
        records = self._find(node)
        if records is not None and not _is_self(node):
            return copy_tree(records.condition) if records.condition else ast.Constant(True)
        match node:
            case ast.UnaryOp(op=ast.Not()):
                node.operand = self._ask(node.operand)
            case ast.BoolOp():
                node.values = [self._ask(each) for each in node.values]
            case _:
                return self._ask_inside(node)
        return node

    def _ask_inside(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Call(
                func=ast.Name(id="any" | "all" as word),
                args=[ast.GeneratorExp(elt=asked, generators=[part]) | ast.ListComp(
                    elt=asked, generators=[part])],
            ) if isinstance(part.target, ast.Name):  # fmt: skip
                records = self._find(part.iter)
                if records is None:
                    return node
                condition = records.condition
                for each in part.ifs:
                    condition = _join(condition, _rename(each, part.target.id))
                one = _rename(asked, part.target.id)
                if word == "any":
                    return _join(condition, one)
                return one if condition is None else ast.BoolOp(ast.Or(), [_negate(condition), one])
            case ast.Compare(
                left=ast.Constant() as state, ops=[ast.In() | ast.NotIn() as sign],
                comparators=[ast.Call(func=ast.Attribute(value=owner, attr="mapped"), args=[
                    ast.Constant(value=str(field))])],
            ) if field.isidentifier() and self._find(owner) == _Records():  # fmt: skip
                same = ast.Eq() if isinstance(sign, ast.In) else ast.NotEq()
                return ast.Compare(_name_own(field), [same], [state])
        return node


def _list_once(method: Function) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that a method sets in one place, which it always comes by: those of which it
    sets nothing, and others. What calls a method of one, or hands it on, may change it.
    """
    parts = [*walk_nodes(method)]
    names = (each for each in parts if isinstance(each, ast.Name))
    stored = [each.id for each in names if isinstance(each.ctx, ast.Store)]
    once = {each for each in stored if stored.count(each) == 1} & {
        *_list_given(method.body, _count_asked(method.body))
    }
    changed: set[str] = set()
    for each in parts:
        match each:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                changed.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called)) if (
                called in _CHANGES
            ):
                once.discard(name)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.arg(arg=name):
                once.discard(name)
            case ast.Delete(targets=targets):
                once -= {n.value.id for n in targets if isinstance(n, ast.Subscript)
                         and isinstance(n.value, ast.Name)}  # fmt: skip
            case ast.Call(func=called_by, args=[*given]):
                is_written = isinstance(called_by, ast.Attribute) and called_by.attr in _WRITES
                handed = {n.id for n in given if isinstance(n, ast.Name) and n.id not in ("self",)}
                changed_here = {n for n in handed if not is_written}
                dictionaries = {n for n in changed_here if n in stored}
                once -= dictionaries
    return frozenset(once - changed), frozenset(once & changed)


def _list_given(statements: Sequence[ast.stmt], asked: Counter[str]) -> Iterator[str]:
    """The variables that a block always sets before all that ``asked`` for them."""
    for each in statements:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.For(body=body):
                yield from _list_given(body, asked)
            case ast.If(body=body, orelse=orelse):
                for block in (body, orelse):
                    inside = _count_asked(block)
                    names = _list_given(block, asked)
                    yield from (name for name in names if inside[name] == asked[name])


def _count_asked(statements: Sequence[ast.stmt]) -> Counter[str]:
    names = (part for each in statements for part in walk_nodes(each) if isinstance(part, ast.Name))
    return Counter(each.id for each in names if isinstance(each.ctx, ast.Load))


def _is_one(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether a loop's variable is the same record in all of its body."""
    stored = (
        part.id for each in body for part in walk_nodes(each)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )  # fmt: skip
    return name not in stored


def _is_new(key: ast.expr, known: Sequence[ast.expr | None]) -> bool:
    """Whether a key is another one than those that are known."""
    if not isinstance(key, ast.Constant):
        return False
    return all(isinstance(each, ast.Constant) and each.value != key.value for each in known)


def _read_filter(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body):
            return _rename(body, name)
        case ast.Constant(value=str(text)) if text.replace(".", "").isidentifier():
            owner: ast.expr = ast.Name("self", ast.Load())
            for each in text.split("."):
                owner = ast.Attribute(owner, each, ast.Load())
            return owner
    return None


def _assign(values: ast.Dict) -> Iterator[ast.stmt]:
    for key, value in zip(values.keys, values.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            target = ast.Attribute(ast.Name("self", ast.Load()), key.value, ast.Store())
            yield ast.Assign([target], copy_tree(value))


def _limit(records: _Records, statements: list[ast.stmt]) -> list[ast.stmt]:
    if records.condition is None or not statements:
        return statements
    return [ast.If(copy_tree(records.condition), statements, [])]


def _is_long(node: ast.expr | None) -> bool:
    return node is not None and sum(1 for _ in ast.walk(node)) > _MOST


def _join(one: ast.expr | None, two: ast.expr) -> ast.expr:
    return two if one is None else ast.BoolOp(ast.And(), [copy_tree(one), two])


def _negate(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), copy_tree(node))


def _fill(block: str) -> list[ast.stmt]:
    return [ast.Pass()] if block == "body" else []


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _name_own(field: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("self", ast.Load()), field, ast.Load())


def _list_named(node: ast.expr) -> Iterator[str]:
    for each in walk_nodes(node):
        match each:
            case ast.Attribute(attr=name):
                yield name
            case ast.Constant(value=str(text)):
                yield text.rpartition(".")[2]


class _Renamer(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("self", node.ctx) if node.id == self._name else node


def _rename(node: Node, name: str) -> Node:
    """A copy in which a variable is the object itself."""
    renamed: Node = _Renamer(name).visit(copy_tree(node))
    return renamed
