"""Operations of Odoo's models, which work on many records, written as those of one.

::

    def action_done(self):
        for order in self.filtered(lambda order: order.state == "sent"):
            order.write({"state": "done"})

is ``if self.state == "sent": self.state = "done"`` of each record. What is written to records of
other models stays as it is.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.odoo import is_odoo_model
from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import Node, copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Import

_WRITES = frozenset({"write", "update"})
# What gives the same records.
_SAME = frozenset(
    {"sudo", "with_context", "with_company", "with_user", "with_env", "exists", "sorted", "browse"}
)
# Marks of methods that have no record yet.
_OF_MODEL = frozenset({"model", "model_create_multi", "model_create_single"})
_BLOCKS = ("body", "orelse", "finalbody")


class _Records(NamedTuple):
    """Records of the object's own that meet a condition, if there is one."""

    condition: ast.expr | None = None


def open_records(classes: Iterable[ast.ClassDef], imports: Mapping[str, Import]) -> None:
    """Write the methods of Odoo's models as those of one of its records, and what they compute of
    it, and nobody keeps, as properties. Their classes are changed.
    """
    for node in classes:
        if is_odoo_model(node, imports):
            for item in node.body:
                if isinstance(item, Function):
                    _open_method(item)
            computed = _list_computed(node)
            node.body = [computed.get(id(each), each) for each in node.body]


def _open_method(method: Function) -> None:
    if [each.arg for each in method.args.args[:1]] != ["self"]:
        return
    forget_text(method)
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    if marks.isdisjoint(_OF_MODEL):
        method.body = _Opener(method).open_block(method.body) or [ast.Pass()]
    else:
        method.decorator_list = [ast.Name("classmethod", ast.Load())]
    ast.fix_missing_locations(method)


def _list_computed(node: ast.ClassDef) -> Mapping[int, ast.stmt]:
    """The properties that come in place of fields, by what declares these."""
    methods = {each.name: each for each in node.body if isinstance(each, Function)}
    found: dict[int, ast.stmt] = {}
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(keywords=keywords)):
                words = {each.arg: each.value for each in keywords}
            case _:
                continue
        match words.get("compute"):
            case ast.Constant(value=str(computing)) if computing in methods:
                method = methods[computing]
            case _:
                continue
        answer = _find_answer(method, name) if "store" not in words else None
        if answer is not None:
            read = copy_node(method)
            forget_text(read)
            read.name, read.body = name, [ast.Return(copy_tree(answer))]
            read.decorator_list = [ast.Name("property", ast.Load())]
            found[id(item)] = ast.fix_missing_locations(read)
    return found


def _find_answer(method: Function, field: str) -> ast.expr | None:
    """What a method computes a field by, where that is all that it does; else None."""
    found = None
    for each in method.body:
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value
            ):
                found = value if name == field else found
            case _ if not is_docstring(each):
                return None
    return found


class _Opener:
    """Opens the blocks of one method. What variables are is known where each is set once."""

    def __init__(self, method: Function) -> None:
        self._records: dict[str, _Records] = {"self": _Records()}
        self._given: dict[str, ast.Dict] = {}
        self._once, self._filled = _list_once(method)
        self._written: set[str] = set()  # of those that are filled

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
                records = self._find(listed)
                opened = _open_continues(body) if records is not None else None
                if records is not None and opened is not None:
                    one = [_rename(each, name) for each in opened]
                    return _limit(records, self.open_block(one))
        return [self._open_inner(node)]

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
        if records is None or not isinstance(values, ast.Dict) or None in values.keys:
            return []
        return _limit(records, [*_assign(values)])

    def _find(self, node: ast.expr) -> _Records | None:
        """The own records that an expression gives; None for anything else."""
        match node:
            case ast.Name(id=name):
                return self._records.get(name)
            case ast.Call(func=ast.Attribute(value=owner, attr="filtered"), args=[asked]):
                records, condition = self._find(owner), _read_filter(asked)
                if records is None or condition is None:
                    return None
                return _Records(_join(records.condition, condition))
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _SAME:
                return self._find(owner)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                one, two = self._find(left), self._find(right)
                if one is None or two is None or two.condition is None:
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
    """The variables that a method sets in one place: those of which it sets nothing, and others."""
    parts = [*walk_nodes(method)]
    names = (each for each in parts if isinstance(each, ast.Name))
    stored = [each.id for each in names if isinstance(each.ctx, ast.Store)]
    once = frozenset(each for each in stored if stored.count(each) == 1)
    changed = {
        each.value.id for each in parts
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
    }  # fmt: skip
    return once - changed, once & changed


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


def _open_continues(statements: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    """The body of a loop as what is done once; None where it ends otherwise in between."""
    found: list[ast.stmt] = []
    for at, each in enumerate(statements):
        match each:
            case ast.If(test=test, body=[*body, ast.Continue()], orelse=[]):
                rest = _open_continues(statements[at + 1 :])
                if rest is None or _leaves_loop(body):
                    return None
                found.append(ast.If(test, body or [ast.Pass()], rest))
                return found
            case ast.Continue():
                return found
        if _leaves_loop([each]):
            return None
        found.append(each)
    return found


def _leaves_loop(statements: Sequence[ast.stmt]) -> bool:
    """Whether statements end a loop, or one pass of it, that is around them."""
    for each in statements:
        if isinstance(each, ast.Break | ast.Continue):
            return True
        if isinstance(each, ast.For | ast.AsyncFor | ast.While | ast.ClassDef | Function):
            continue
        blocks = [getattr(each, name, None) or [] for name in _BLOCKS]
        blocks += [handler.body for handler in getattr(each, "handlers", ())]
        if any(map(_leaves_loop, blocks)):
            return True
    return False


def _limit(records: _Records, statements: list[ast.stmt]) -> list[ast.stmt]:
    if records.condition is None or not statements:
        return statements
    return [ast.If(copy_tree(records.condition), statements, [])]


def _join(one: ast.expr | None, two: ast.expr) -> ast.expr:
    return two if one is None else ast.BoolOp(ast.And(), [copy_tree(one), two])


def _negate(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), copy_tree(node))


def _fill(block: str) -> list[ast.stmt]:
    return [ast.Pass()] if block == "body" else []


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _name_own(field: str) -> ast.expr:
    return ast.Attribute(ast.Name("self", ast.Load()), field, ast.Load())


class _Renamer(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("self", node.ctx) if node.id == self._name else node


def _rename(node: Node, name: str) -> Node:
    """A copy in which a variable is the object itself."""
    renamed: Node = _Renamer(name).visit(copy_tree(node))
    return renamed
