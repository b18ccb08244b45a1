"""Statements that change rows of a database by a query, read as what they do to one of them.

``Order.objects.filter(status=NEW).update(status=PAID)`` moves an order from new to paid as much as
``order.status = PAID`` does.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.asked_classes import (
    NO_STORES,
    Stores,
    find_asked_class,
    find_queried_class,
    name_row,
)
from git_retcon.allium.extract.grammar.statements import make_unknown
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.row_queries import (
    GIVEN,
    UPDATES,
    WHERE,
    is_doubt,
    list_chained,
    list_given,
    list_row_tests,
    lists_rows,
    make_doubt,
    read_named_values,
)
from git_retcon.allium.extract.spelling import spell_variable
from git_retcon.allium.extract.updated_rows import UpdatedRows

# What a file has in which a query changes rows: most others need not be searched. Each begins with
# a text, which is searched for fast.
_CHANGES = (
    re.compile(rb"\.objects\b"),
    re.compile(rb"_manager\."),
    re.compile(rb"update\(\s*(?:\w+\.)?[A-Z]"),
    re.compile(rb"query\(\s*(?:\w+\.)?[A-Z]"),
    re.compile(rb"epo(?:sitory)?_?\s*\.\s*\w*[uU]pdate"),
    re.compile(rb"odel_?\s*\.\s*\w*[uU]pdate"),
)
_QUERY = re.compile(rb"\.query\b")  # behind the name of a class, as what ends with "update"
_UPDATE = re.compile(rb"pdate\b")
_CLASS = re.compile(rb"(?<!\w)[A-Z]\w*\Z")
_LONGEST_NAME = 80  # characters of a class
# What changes rows: of a query, a class or a repository; and behind update(Order) alone.
_SETTERS = frozenset({"values", "set"})


class OpenedUpdates(NamedTuple):
    """A function that sets fields of objects where it changed rows; ``types`` are those of the
    objects by their names.
    """

    node: Function
    types: Mapping[str, str]


def may_update(content: bytes) -> bool:
    """Whether a file may change rows."""
    if b"pdate" not in content:
        return False
    if any(each.search(content) for each in _CHANGES):
        return True
    queries = (found.start() for found in _QUERY.finditer(content))
    places = (*queries, *_find_updates(content))
    return any(_CLASS.search(content, max(at - _LONGEST_NAME, 0), at) for at in places)


def _find_updates(content: bytes) -> Iterator[int]:
    """The dots before names that end with "update"."""
    for found in _UPDATE.finditer(content):
        at = found.start() - 1
        if content[at : at + 1] in (b"u", b"U"):
            while at and (content[at - 1 : at].isalnum() or content[at - 1 : at] == b"_"):
                at -= 1
            if content[at - 1 : at] == b".":
                yield at - 1


def open_updates(
    node: Function, is_type: Callable[[str], bool], stores: Stores = NO_STORES
) -> OpenedUpdates:
    """The function with what its queries do to a row. ``is_type`` says whether a name may be a
    type's.
    """
    if not _has_update(node):
        return OpenedUpdates(node, {})
    opener = _Opener(node, is_type, stores)
    found: Function = opener.visit(copy_tree(node))
    if not opener.types:
        return OpenedUpdates(node, {})
    sets = [each for each in walk_statements(node.body) if _sets_field(each)]
    if len(opener.asked) == 1 and not sets:
        # All that it does is for those rows alone.
        found = _Demanded(opener.asked[0]).visit(found)
    return OpenedUpdates(found, opener.types)


@answer_once
def _has_update(node: Function) -> bool:
    return any(_is_update(each) for each in walk_nodes(node))


def _set_field(name: str, field: str, value: ast.expr) -> ast.stmt:
    return ast.Assign(targets=[ast.Attribute(value=ast.Name(name), attr=field)], value=value)


def _doubt_whole(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that may run or not."""
    return [ast.If(test=make_unknown(), body=statements, orelse=[])] if statements else []


def _is_update(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return UPDATES.fullmatch(name.removesuffix("()")) is not None or name in _SETTERS
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
        tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        refused = [ast.UnaryOp(op=ast.Not(), operand=each) for each in tests]
        return [
            *(ast.If(test=each, body=[ast.Return()], orelse=[]) for each in refused),
            *node.body,
        ]


class _Opener(ast.NodeTransformer):
    def __init__(self, node: Function, is_type: Callable[[str], bool], stores: Stores) -> None:
        self._is_type = is_type
        self._stores = stores
        self._taken = {each.id for each in walk_nodes(node) if isinstance(each, ast.Name)}
        self._queries = {
            each.targets[0].id: each.value
            for each in walk_statements(node.body)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
        }
        self._rows = UpdatedRows(node, self._queries, self._find_asked)
        self._many = Counter(self._list_kinds(node))
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
        for each in walk_nodes(value) if value is not None else ():
            if isinstance(each, ast.Call) and each not in seen:
                calls = [*list_chained(each, self._queries)]
                seen |= {*calls}
                yield from self._open_chain(calls)

    def _open_chain(self, calls: Sequence[ast.Call]) -> Iterator[ast.stmt]:
        """What a query makes of one row: ``calls`` are its own, the last first."""
        update = next(filter(_is_update, calls), None)
        kind = self._find_class(update, calls) if update is not None else ""
        given = _read_given(update) if update is not None and kind else {}
        if update is None or not given:
            return
        known = self._rows.find_name(update, kind)
        name = known or self._name_row(kind)
        # The row may be one that the function has under another name.
        others = [each for each, other in self.types.items() if other == kind and each != name]
        self.types[name] = kind
        moved: list[ast.stmt] = [_set_field(name, field, each) for field, each in given.items()]
        read = list_row_tests(calls, name, self._queries)
        # What is asked of a state counts before what else is asked.
        tests = [each for each in read if not is_doubt(each)]
        tests.sort(key=lambda each: given.keys().isdisjoint(_list_compared(each)))
        compared = {field for each in tests for field in _list_compared(each)}
        # Who listed the rows may have chosen them by their states.
        are_chosen = any(map(lists_rows, calls)) or _is_asked_elsewhere(update)
        doubts = [each for each in read if is_doubt(each)]
        doubts += [
            make_doubt(name, field)
            for field in given
            if field not in compared
            and (are_chosen or self._rows.may_choose(update, name, kind, field))
        ]
        moved[:0] = [ast.Assert(test=each) for each in doubts]
        if tests:
            test = tests[0] if len(tests) == 1 else ast.BoolOp(op=ast.And(), values=tests)
            self.asked.append(ast.If(test=test, body=moved, orelse=[]))
            moved = [self.asked[-1]]
        # Rows of its own: what another query did is not done to them.
        yield from moved if known or self._many[kind] < 2 else _doubt_whole(moved)
        yield from _doubt_whole(
            [_set_field(other, field, make_unknown()) for other in others for field in given]
        )

    def _name_row(self, kind: str) -> str:
        name = spell_variable(name_row(kind))
        return f"stored_{name}" if name in self._taken else name

    def _list_kinds(self, node: Function) -> Iterator[str]:
        """The class of the rows of each query that changes some."""
        for each in walk_nodes(node):
            if isinstance(each, ast.Call) and _is_update(each):
                yield self._find_class(each, [*list_chained(each, self._queries)])

    def _find_class(self, update: ast.Call, calls: Sequence[ast.Call]) -> str:
        """The class of the rows that a query changes; "" where nothing says it."""
        kind = find_queried_class(calls, self._is_type)
        is_part = get_last(spell_dotted(update.func)).removesuffix("()") in _SETTERS
        return kind or ("" if is_part else find_asked_class(calls, self._is_type, self._stores))

    def _find_asked(self, calls: Sequence[ast.Call]) -> str:
        kind = find_queried_class(calls, self._is_type)
        return kind or find_asked_class(calls, self._is_type, self._stores)


def _read_given(call: ast.Call) -> Mapping[str, ast.expr]:
    """What fields of the rows get, by keywords or in a dictionary."""
    found = {each.arg: each.value for each in call.keywords if each.arg}
    if call.args and not found:
        told = list_given(call)
        tables = [*map(read_named_values, told[:2])]
        if len(told) == 3 and not any(tables):
            tables = [read_named_values(told[2])]
        # Sequelize has the values first, and what they are for behind them.
        found = tables[0] if WHERE in tables[-1] else tables[-1]
        # Prisma has both in one table.
        part = next((found[each] for each in GIVEN if WHERE in found and each in found), None)
        found = read_named_values(part) if part is not None else found
        found = read_named_values(found["$set"]) if "$set" in found else found
    # What is inside a field, such as "address.city", is none.
    return {name: each for name, each in found.items() if name.isidentifier()}


def _is_asked_elsewhere(call: ast.Call) -> bool:
    """Whether what a query asks of its rows is, in part, written somewhere else."""
    told = list_given(call)
    for each in told[:2]:
        table = read_named_values(each)
        asked = table.get(WHERE)
        if asked is not None:
            return not isinstance(asked, ast.Dict) or None in asked.keys
    first = told[0] if len(told) > 1 else None
    return isinstance(first, ast.Dict) and None in first.keys


def _list_compared(test: ast.expr) -> Iterator[str]:
    """The field that a condition compares."""
    match test:
        case ast.Compare(left=ast.Attribute(attr=name)):
            yield name
