"""Queries for rows of a database: the calls of one, and what they ask of a row.

``Order.objects.filter(status=NEW)`` and ``select(Order).where(Order.status == NEW)`` ask for an
order whose status is new.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.names import get_last, spell_class, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree

FILTERS = frozenset({"filter", "filter_by", "where", "andWhere", "get"})
UPDATES = re.compile(
    r"(?:native)?[uU]pdate(?:One|Many|ManyAndReturn|By\w+)?|upsert|find(?:OneAnd|ByIdAnd)Update"
)
# What of an update's table says which rows it is for, and what these get.
WHERE, GIVEN = "where", ("data", "update")
# What finds rows by a table of their fields, or by one below "where".
_FINDS = re.compile(r"find(?:One|First|Unique|Many|All)?(?:By)?(?:OrFail|OrThrow)?")
# What runs a query that it is given, and what gives the rows of one as they are.
_RUNS = frozenset({"scalars", "scalar", "execute", "exec", "stream_scalars", "list", "tuple"})
_IDENTITY = re.compile(r"_?(?:\w*_)?(?:id|ids|pk|uuid|key)|\w*Ids?")
_LOOKUPS: Mapping[str, type[ast.cmpop]] = {
    "": ast.Eq, "exact": ast.Eq, "in": ast.In, "not": ast.NotEq, "not in": ast.NotIn,
}  # fmt: skip
# What tables of a query ask of a field, and how they join others.
_ASKED = {
    "$in": "in", "in": "in", "$nin": "not in", "notIn": "not in", "$ne": "not", "not": "not",
    "$eq": "exact", "equals": "exact",
}  # fmt: skip
_JOINED = frozenset({"OR", "NOT", "AND", "$or", "$nor", "$and"})
_ROW = "\0"
_DOUBT = "_"
_QUESTION = "Q"
_HELD = ast.Call | ast.Await | ast.Subscript  # what a variable holds that is a query
_DEEPEST = 3  # conditions that are named by variables


def list_given(call: ast.Call) -> Sequence[ast.expr]:
    """What a query is given, without the class that it is for."""
    match call.args:
        case [ast.Name(id=name), _, *_] if name[:1].isupper() and not name.isupper():
            return call.args[1:]
    return call.args


def is_update(call: ast.Call) -> bool:
    """Whether a call changes rows."""
    return UPDATES.fullmatch(get_last(spell_dotted(call.func)).removesuffix("()")) is not None


def list_chained(query: ast.expr, queries: Mapping[str, ast.expr]) -> Iterator[ast.Call]:
    """The calls of one chain, the last first; a variable that holds a query goes on with it."""
    node = query
    seen: set[str] = set()
    while True:
        match node:
            case ast.Call(func=func, args=[ast.Call() | ast.Name() | ast.Await() as given]) if (
                get_last(spell_dotted(func)) in _RUNS
            ):
                yield node
                node = given
            case ast.Call(func=func):
                yield node
                node = func
            case ast.Attribute(value=value) | ast.Await(value=value):
                node = value
            case ast.Subscript(value=value, slice=ast.Slice()):  # the first of them
                node = value
            case ast.Name(id=name) if isinstance(queries.get(name), _HELD):
                if name in seen or is_doubt(queries[name]):
                    return
                seen.add(name)
                node = queries[name]
            case _:
                return


def is_finder(name: str) -> bool:
    """Whether a method finds rows by what it is given, as those of libraries do."""
    return _FINDS.fullmatch(name) is not None


def lists_rows(call: ast.Call) -> bool:
    """Whether a query names its rows by a list of their identities."""
    listed = (
        key
        for each in ast.walk(call)
        for key, value in (
            *((word.arg, word.value) for word in getattr(each, "keywords", ()) if word.arg),
            *(read_named_values(each).items() if isinstance(each, ast.Dict) else ()),
        )
        if key.endswith("__in") or isinstance(value, ast.List | ast.Call) or _lists_some(value)
    )
    columns = (
        each.value.attr
        for each in ast.walk(call)
        if isinstance(each, ast.Attribute) and each.attr == "in_"
        and isinstance(each.value, ast.Attribute)
    )  # fmt: skip
    names = (each.removesuffix("__in") for each in (*listed, *columns))
    return any(_IDENTITY.fullmatch(each) for each in names)


def _lists_some(node: ast.expr) -> bool:
    """Whether a table asks for one of a list; other tables are keys of several columns."""
    return isinstance(node, ast.Dict) and not {"in", "$in"}.isdisjoint(read_named_values(node))


def list_row_tests(
    calls: Sequence[ast.Call], name: str, queries: Mapping[str, ast.expr]
) -> list[ast.expr]:
    """What the calls of a query ask of a row, as conditions on an object of this name; what cannot
    be read of a field is a doubt of it. ``queries`` are what variables hold.
    """
    tests = (each for call in calls for each in _list_tests(call, queries))
    return [_Placed(name).visit(copy_tree(each)) for each in tests]


def make_doubt(name: str, field: str) -> ast.expr:
    """What nobody can read of a field: then no state is known that it comes from."""
    place = ast.Attribute(value=ast.Name(name), attr=field)
    return ast.Call(func=ast.Name(_DOUBT), args=[place], keywords=[])


def is_doubt(node: ast.expr) -> bool:
    """Whether a condition is what nobody can read."""
    return isinstance(node, ast.Call) and spell_dotted(node.func) == _DOUBT


class _Placed(ast.NodeTransformer):
    """A condition about a row by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._name) if node.id == _ROW else node


def _list_tests(call: ast.Call, queries: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    """What a call of a query asks of fields of its rows, as far as it can be read."""
    name = get_last(spell_dotted(call.func)).removesuffix("()")
    words = {each.arg: each.value for each in call.keywords if each.arg}
    given = list_given(call)
    tables = [*map(read_named_values, given[:2])]
    if name in FILTERS or name.endswith("get_object_or_404"):
        yield from _compare_fields(words)
        for each in call.args:
            test = _read_column(each)
            yield from [test] if test is not None else _read_question(each, queries, _DEEPEST)
    elif name == "exclude" and len(words) == 1 and not call.args:
        for each in _compare_fields(words):
            yield ast.UnaryOp(op=ast.Not(), operand=each)
    elif UPDATES.fullmatch(name) and len(given) > 1:
        yield from _compare_fields(
            read_named_values(tables[1]["where"]) if "where" in tables[1] else tables[0]
        )
    elif tables and (_FINDS.fullmatch(name) or (UPDATES.fullmatch(name) and WHERE in tables[0])):
        yield from _compare_fields(read_named_values(tables[0].get(WHERE, given[0])))


def _read_question(
    node: ast.expr, queries: Mapping[str, ast.expr], left: int
) -> Iterator[ast.expr]:
    """``Q(status=NEW) & ~Q(kind=FREE)``, Django's conditions as values."""
    match node:
        case ast.Name(id=name) if name in queries and left:
            yield from _read_question(queries[name], queries, left - 1)
        case ast.BinOp(left=one, op=ast.BitAnd(), right=two):
            yield from _read_question(one, queries, left)
            yield from _read_question(two, queries, left)
        case ast.Call() if get_last(spell_dotted(node)) == _QUESTION:
            yield from _compare_fields({each.arg: each.value for each in node.keywords if each.arg})
            for each in node.args:
                yield from _read_question(each, queries, left)
        case _:
            test = _read_whole(node)
            yield from [test] if test is not None else _doubt_fields(node)


def _read_whole(node: ast.expr) -> ast.expr | None:
    """A condition of which nothing may be left out; None where something cannot be read."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            test = _read_whole(operand)
            return ast.UnaryOp(op=ast.Not(), operand=test) if test is not None else None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            one, two = _read_whole(left), _read_whole(right)
            if one is None or two is None:
                return None
            return ast.BoolOp(op=ast.Or(), values=[one, two])
        case ast.Call(args=[], keywords=[word]) if get_last(spell_dotted(node)) == _QUESTION:
            return next(_compare_fields({word.arg: word.value}), None) if word.arg else None
    return None


def _doubt_fields(node: ast.expr) -> Iterator[ast.expr]:
    """The fields that a condition speaks of."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and get_last(spell_dotted(each)) == _QUESTION:
            for word in each.keywords:
                yield make_doubt(_ROW, (word.arg or "").partition("__")[0])


def _compare_fields(asked: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    for key, value in asked.items():
        name, _, lookup = key.partition("__")
        if key in _JOINED:
            yield from _doubt_joined(value)
            continue
        match value:
            case ast.Dict(keys=[ast.Constant(value=str(sign))], values=[wanted]) if sign in _ASKED:
                lookup, value = _ASKED[sign], wanted
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
        if isinstance(value, ast.Dict):
            yield make_doubt(_ROW, name)
        elif lookup in _LOOKUPS and not isinstance(value, ast.Call):
            place = ast.Attribute(value=ast.Name(_ROW), attr=name)
            yield ast.Compare(left=place, ops=[_LOOKUPS[lookup]()], comparators=[value])


def _doubt_joined(node: ast.expr) -> Iterator[ast.expr]:
    """The fields that conditions in a list speak of."""
    for each in ast.walk(node):
        for name in read_named_values(each) if isinstance(each, ast.Dict) else ():
            if name.isidentifier():
                yield make_doubt(_ROW, name)


def _read_column(node: ast.expr) -> ast.expr | None:
    """``Order.status == NEW`` as a condition about the row; None for any other."""
    match node:
        case ast.Compare(left=ast.Attribute(attr=name) as column, ops=[ast.Eq() | ast.NotEq()]):
            test = copy_node(node)
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name) as column, attr="in_"),
                      args=[among]):  # fmt: skip
            test = ast.Compare(left=column, ops=[ast.In()], comparators=[among])
        case _:
            return None
    is_column = get_last(spell_class(column.value))[:1].isupper()
    if not is_column or _IDENTITY.fullmatch(name):
        return None
    test.left = ast.Attribute(value=ast.Name(_ROW), attr=name)
    return test


def read_named_values(node: ast.expr) -> dict[str, ast.expr]:
    """The values of a dictionary by the fields that its keys name."""
    found: dict[str, ast.expr] = {}
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            match key:
                case ast.Constant(value=str(name)) | ast.Attribute(attr=name):
                    found[name] = value
    return found
