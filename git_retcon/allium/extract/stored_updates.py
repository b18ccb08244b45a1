"""Statements that change rows of a database by a query, read as what they do to one of them.

``Order.objects.filter(status=NEW).update(status=PAID)`` moves an order from new to paid as much as
``order.status = PAID`` does. The class is the one that is asked, or that a repository is named for.
"""

import ast
import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.spelling import spell_variable

# What a file has in which a query changes rows: most others need not be searched.
_CHANGES = re.compile(
    rb"\.objects\b|_manager\.|\bupdate\(\s*[A-Z]|query\(\s*[A-Z]|\b[A-Z]\w*\.(?:query|\w*[uU]pdate)\b"
    rb"|(?:[rR]epo(?:sitory)?|[mM]odel)_?\s*\.\s*\w*[uU]pdate"
)
# What changes rows: of a query, a class or a repository; and behind update(Order) alone.
_UPDATES = frozenset({"update", "updateOne", "updateMany", "findOneAndUpdate", "findByIdAndUpdate"})
_SETTERS = frozenset({"values", "set"})
_FILTERS = frozenset({"filter", "filter_by", "where", "andWhere", "get"})
_STORES = re.compile(r"_?([A-Za-z_]+?)_?(?:[Rr]epository|[Rr]epo|[Mm]odel)")
_QUERIES = frozenset({"query", "update"})
_MANAGERS = ("objects", "_manager", "query")
_IDENTITY = re.compile(r"_?(?:\w*_)?(?:id|ids|pk|uuid|key)|\w*Ids?")
_ROW = "\0"


class OpenedUpdates(NamedTuple):
    """A function that sets fields of objects where it changed rows; ``types`` are those of the
    objects by their names.
    """

    node: Function
    types: Mapping[str, str]

    def know_types(self, find_type: Callable[[str], str | None]) -> Callable[[str], str | None]:
        """The same search for the type of a variable, with these."""
        return lambda name: self.types.get(name) or find_type(name)


def may_update(content: bytes) -> bool:
    """Whether a file may change rows."""
    return b"pdate" in content and _CHANGES.search(content) is not None


def open_updates(node: Function, is_type: Callable[[str], bool]) -> OpenedUpdates:
    """The function with what its queries do to a row. ``is_type`` says whether a name may be a
    type's.
    """
    if not any(_is_update(each) for each in ast.walk(node)):
        return OpenedUpdates(node, {})
    opener = _Opener(node, is_type)
    found: Function = opener.visit(copy.deepcopy(node))
    if not opener.types:
        return OpenedUpdates(node, {})
    sets = [each for each in walk_statements(node.body) if _sets_field(each)]
    if len(opener.asked) == 1 and not sets:
        # All that it does is for those rows alone.
        found = _Demanded(opener.asked[0]).visit(found)
    return OpenedUpdates(found, opener.types)


def _is_update(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _UPDATES or name in _SETTERS
    return False


def _sets_field(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute(), *_]) | ast.AugAssign(target=ast.Attribute()):
            return True
    return False


class _Demanded(ast.NodeTransformer):
    """A function that refuses what it asks rows for."""

    def __init__(self, asked: ast.If) -> None:
        self._asked = asked

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if node is not self._asked:
            return node
        test = ast.UnaryOp(op=ast.Not(), operand=node.test)
        return [ast.If(test=test, body=[ast.Return()], orelse=[]), *node.body]


class _Opener(ast.NodeTransformer):
    def __init__(self, node: Function, is_type: Callable[[str], bool]) -> None:
        self._is_type = is_type
        self._taken = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        self._queries = {
            each.targets[0].id: each.value
            for each in walk_statements(node.body)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
        }
        self.types: dict[str, str] = {}
        self.asked: list[ast.If] = []

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        return [*self._open(node.value), node]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [*self._open(node.value), node]

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return [*self._open(node.value), node]

    def _open(self, value: ast.expr | None) -> Iterator[ast.stmt]:
        seen: set[ast.AST] = set()
        for each in ast.walk(value) if value is not None else ():
            if isinstance(each, ast.Call) and each not in seen:
                calls = [*_list_chained(each, self._queries)]
                seen |= {*calls}
                yield from self._open_chain(calls)

    def _open_chain(self, calls: Sequence[ast.Call]) -> Iterator[ast.stmt]:
        """What a query makes of one row: ``calls`` are its own, the last first."""
        update = next(filter(_is_update, calls), None)
        kind = self._find_class(update, calls) if update is not None else ""
        given = _read_given(update) if update is not None and kind else {}
        if update is None or not given:
            return
        name = spell_variable(kind)
        name = f"stored_{name}" if name in self._taken else name
        self.types[name] = kind
        moved: list[ast.stmt] = [
            ast.Assign(targets=[ast.Attribute(value=ast.Name(name), attr=field)], value=each)
            for field, each in given.items()
        ]
        tests = [_Placed(name).visit(each) for call in calls for each in _list_tests(call)]
        if any(map(_lists_rows, calls)):
            # Who listed the rows may have chosen them by their states.
            compared = {field for each in tests for field in _list_compared(each)}
            moved[:0] = [_doubt(name, field) for field in given if field not in compared]
        if tests:
            test = tests[0] if len(tests) == 1 else ast.BoolOp(op=ast.And(), values=tests)
            asked = ast.If(test=test, body=moved, orelse=[])
            self.asked.append(asked)
            moved = [asked]
        yield from moved

    def _find_class(self, update: ast.Call, calls: Sequence[ast.Call]) -> str:
        """The class of the rows that a query changes; "" where nothing says it."""
        for each in calls:
            name = get_last(spell_dotted(each.func)).removesuffix("()")
            first = each.args[0] if each.args else None
            if name in _QUERIES and isinstance(first, ast.Name) and self._is_class(first.id):
                return first.id
        if get_last(spell_dotted(update.func)).removesuffix("()") in _SETTERS:
            return ""
        names = [*_list_members(calls[-1].func)]
        root = names[-1] if names else ""
        if self._is_class(root):
            is_managed = any(each.endswith(_MANAGERS) for each in names[1:-1])
            return root if is_managed or len(names) == 2 else ""
        store = _STORES.fullmatch(names[1]) if len(names) > 1 else None
        guess = "".join(w[:1].upper() + w[1:] for w in store[1].split("_")) if store else ""
        kinds = (guess, f"{guess}Entity", f"{guess}Model") if guess else ()
        return next(filter(self._is_type, kinds), "")

    def _is_class(self, name: str) -> bool:
        return name[:1].isupper() and self._is_type(name)


def _list_chained(call: ast.Call, queries: Mapping[str, ast.expr]) -> Iterator[ast.Call]:
    """The calls of one chain, the last first; a variable that holds a query goes on with it."""
    node: ast.expr = call
    opened: set[str] = set()
    while True:
        match node:
            case ast.Call(func=func):
                yield node
                node = func
            case ast.Attribute(value=value) | ast.Await(value=value):
                node = value
            case ast.Name(id=name) if isinstance(queries.get(name), ast.Call | ast.Await):
                if name in opened:
                    return
                opened.add(name)
                node = queries[name]
            case _:
                return


def _lists_rows(call: ast.Call) -> bool:
    """Whether a query names its rows by a list of their identities."""
    listed = (
        key
        for each in ast.walk(call)
        for key, value in (
            *((word.arg, word.value) for word in getattr(each, "keywords", ()) if word.arg),
            *(_read_table(each).items() if isinstance(each, ast.Dict) else ()),
        )
        if key.endswith("__in") or isinstance(value, ast.Dict | ast.List | ast.Call)
    )
    columns = (
        each.value.attr
        for each in ast.walk(call)
        if isinstance(each, ast.Attribute) and each.attr == "in_"
        and isinstance(each.value, ast.Attribute)
    )  # fmt: skip
    names = (each.removesuffix("__in") for each in (*listed, *columns))
    return any(_IDENTITY.fullmatch(each) for each in names)


def _list_compared(test: ast.expr) -> Iterator[str]:
    """The field that a condition compares."""
    match test:
        case ast.Compare(left=ast.Attribute(attr=name)):
            yield name


def _doubt(name: str, field: str) -> ast.stmt:
    """What nobody can read of a field: then no state is known that it comes from."""
    place = ast.Attribute(value=ast.Name(name), attr=field)
    return ast.Assert(test=ast.Call(func=ast.Name("_"), args=[place], keywords=[]))


def _list_members(node: ast.expr) -> Iterator[str]:
    """The names of a chain without calls, the last first."""
    while isinstance(node, ast.Attribute):
        yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


class _Placed(ast.NodeTransformer):
    """A condition about a row by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._name) if node.id == _ROW else node


def _read_given(call: ast.Call) -> Mapping[str, ast.expr]:
    """What fields of the rows get, by keywords or in a dictionary."""
    found = {each.arg: each.value for each in call.keywords if each.arg}
    if call.args and not found:
        tables = [*map(_read_table, call.args[:2])]
        # Sequelize has the values first, and what they are for behind them.
        found = tables[0] if "where" in tables[-1] else tables[-1]
        found = _read_table(found["$set"]) if "$set" in found else found
    # What is inside a field, such as "address.city", is none.
    return {name: each for name, each in found.items() if name.isidentifier()}


def _read_table(node: ast.expr) -> dict[str, ast.expr]:
    """The values of a dictionary by the fields that its keys name."""
    found: dict[str, ast.expr] = {}
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            match key:
                case ast.Constant(value=str(name)) | ast.Attribute(attr=name):
                    found[name] = value
    return found


def _list_tests(call: ast.Call) -> Iterator[ast.expr]:
    """What a call of a query asks of fields of its rows, as far as it can be read."""
    name = get_last(spell_dotted(call.func)).removesuffix("()")
    if name in _FILTERS:
        yield from _compare_fields({each.arg: each.value for each in call.keywords if each.arg})
        yield from (test for each in call.args if (test := _read_column(each)) is not None)
    elif name in _UPDATES and len(call.args) > 1:
        first, second = map(_read_table, call.args[:2])
        yield from _compare_fields(_read_table(second["where"]) if "where" in second else first)


def _compare_fields(asked: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    for key, value in asked.items():
        name, _, lookup = key.partition("__")
        match value:
            case ast.Dict(keys=[ast.Constant(value="$in")], values=[among]):
                lookup, value = "in", among
            case ast.Call(func=ast.Name(id="In"), args=[among]):
                lookup, value = "in", among
            case ast.List():
                lookup = "in"
            case ast.Constant(value=bool(wanted)) if not lookup:
                place = ast.Attribute(value=ast.Name(_ROW), attr=name)
                yield place if wanted else ast.UnaryOp(op=ast.Not(), operand=place)
                continue
        if _IDENTITY.fullmatch(name) or not name.isidentifier():
            continue  # which row it is, or what is inside a field
        if lookup in ("", "in", "exact") and not isinstance(value, ast.Dict | ast.Call):
            place = ast.Attribute(value=ast.Name(_ROW), attr=name)
            op = ast.In() if lookup == "in" else ast.Eq()
            yield ast.Compare(left=place, ops=[op], comparators=[value])


def _read_column(node: ast.expr) -> ast.expr | None:
    """``Order.status == NEW`` as a condition about the row; None for any other."""
    match node:
        case ast.Compare(left=ast.Attribute(attr=name) as column, ops=[ast.Eq() | ast.NotEq()]):
            test = copy.copy(node)
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name) as column, attr="in_"),
                      args=[among]):  # fmt: skip
            test = ast.Compare(left=column, ops=[ast.In()], comparators=[among])
        case _:
            return None
    is_column = isinstance(column.value, ast.Name) and column.value.id[:1].isupper()
    if not is_column or _IDENTITY.fullmatch(name):
        return None
    test.left = ast.Attribute(value=ast.Name(_ROW), attr=name)
    return test
