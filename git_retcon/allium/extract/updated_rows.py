"""Which of a function's objects is the row that a query changes.

An operation that loads an order, refuses it in some states and then updates it by its identity
moves that order: what it demanded of the object, it demanded of the row.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.asked_classes import name_row
from git_retcon.allium.extract.found_rows import gives_one
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.row_queries import (
    WHERE,
    is_update,
    list_chained,
    list_given,
    read_named_values,
)
from git_retcon.allium.extract.service_operations import is_found

_IDENTITIES = ("id", "_id")
_DEEPEST = 4  # variables that hold parts of others
_SPELLS = re.compile(
    r"(?i)number|string|parse\w*|bigint|(?:to)?(?:objectid|string)|\w*uricomponent|_"
)
# What gives an object only where it is as it should be.
_CHECKS = re.compile(
    r"(?i)valid|verif|check|ensure|assert|require|claim|acquire|pending|active|open|expire|stale"
)


class UpdatedRows:
    """The objects of one function that queries found. ``queries`` are what variables hold;
    ``find_class`` gives the class that a query asks for, "" where nothing says it.
    """

    def __init__(
        self,
        node: Function,
        queries: Mapping[str, ast.expr],
        find_class: Callable[[Sequence[ast.Call]], str],
    ) -> None:
        self._find_class = find_class
        self._found = {
            name: calls
            for name, query in _list_found(node)
            if (calls := [*list_chained(query, queries)]) and not is_update(calls[-1])
        }
        self._held = dict(_list_found(node))
        # Those of which others demand what their queries asked for.
        self._read = {name for name, calls in self._found.items() if any(map(gives_one, calls[:2]))}
        self._read |= {*_list_looped(node)}
        self._compared = {*_list_compared(node)}
        self._asked = {*_list_asked(node)}
        self._checked = {name for name, query in _list_found(node) if _is_checked(query)}

    def find_name(self, update: ast.Call, kind: str) -> str:
        """The object that a query changes by its identity, "" for none."""
        wanted = _find_identity(update)
        match wanted:
            case None:
                return ""
            case ast.Name(id=name) if (
                name in self._found and self._find_class(self._found[name]) == kind
            ):
                return name
            case ast.Attribute(value=ast.Name(id=name), attr=part) if part in _IDENTITIES:
                calls = self._found.get(name)
                own = self._find_class(calls) if calls else ""
                is_meant = own == kind if own else _is_called_for(name, kind)
                return name if is_meant else ""
        of = _find_owner(wanted)
        if of in self._found and self._find_class(self._found[of]) == kind:
            return of
        asked = ast.dump(wanted)
        names = [
            name
            for name, calls in self._found.items()
            if self._find_class(calls) == kind
            and (given := _find_identity(calls[-1])) is not None
            and ast.dump(given) == asked
        ]
        return names[0] if len(names) == 1 else ""

    def may_choose(self, update: ast.Call, name: str, kind: str, field: str) -> bool:
        """Whether the function may have chosen the row that it changes by a field: it asks another
        object for a field of this name, which may be the same row, or asks a query for one, or has
        the row from what lets only some pass.
        """
        if any(other not in (name, "self") and each == field for other, each in self._compared):
            return True
        calls = self._found.get(name) if name in self._read else None
        if calls and self._find_class(calls) == kind:
            return False  # what the query asks for is demanded of the object
        wanted = _find_identity(update)
        used = (
            {each.id for each in ast.walk(wanted) if isinstance(each, ast.Name)} if wanted else ()
        )
        if any(self._is_made(each, _DEEPEST) for each in (name, *used)):
            return True
        return field in self._asked or not self._checked.isdisjoint({name, *used})

    def _is_made(self, name: str, left: int) -> bool:
        """Whether a variable has what nobody found: a row that was made has its first state."""
        value = self._held.get(name)
        if value is None or not left or is_found(ast.unparse(value)):
            return False
        if any(isinstance(each, ast.Call) and _makes_row(each) for each in ast.walk(value)):
            return True
        names = (each.id for each in ast.walk(value) if isinstance(each, ast.Name))
        return any(self._is_made(each, left - 1) for each in names if each != name)


def _makes_row(call: ast.Call) -> bool:
    """Whether a call may make a row; what spells an identity otherwise makes none."""
    name = get_last(spell_dotted(call.func)).removesuffix("()")
    return not is_update(call) and _SPELLS.fullmatch(name) is None


def _is_called_for(name: str, kind: str) -> bool:
    """Whether an object is called as its type: nothing else is known of it."""
    plain = name_row(kind)
    return name == plain[:1].lower() + plain[1:]


def _find_owner(node: ast.expr) -> str:
    """The only object that all columns of a key are taken from, "" for none."""
    columns = [*read_named_values(node).values()]
    owners = {
        each.value.id
        for each in columns
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
    }
    are_all = all(isinstance(each, ast.Attribute) for each in columns)
    return min(owners) if len(columns) > 1 and are_all and len(owners) == 1 else ""


def _find_identity(call: ast.Call) -> ast.expr | None:
    """What a query compares the identity of its row with; None where it does not ask for one."""
    told = list_given(call)
    first = told[0] if told else None
    tables = [*map(read_named_values, told)]
    named = next((each[WHERE] for each in tables if WHERE in each), first)
    if named is None or not isinstance(named, ast.Dict):
        return named if named is first else None
    asked = read_named_values(named)
    # A key of several columns is a table of them.
    joined = next((each for each in asked.values() if isinstance(each, ast.Dict)), None)
    return next((asked[each] for each in _IDENTITIES if each in asked), joined)


def _list_found(node: Function) -> Iterator[tuple[str, ast.expr]]:
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.For(target=ast.Name(id=name), iter=value):
                yield name, value


def _is_checked(query: ast.expr) -> bool:
    """Whether a variable holds what a function with a telling name let pass."""
    calls = list_chained(query, {})
    return any(_CHECKS.search(get_last(spell_dotted(each.func))) for each in calls)


def _list_asked(node: Function) -> Iterator[str]:
    """The fields by which a function asks for rows."""
    for each in ast.walk(node):
        if not isinstance(each, ast.Call) or is_update(each):
            continue
        if is_found(f"{get_last(spell_dotted(each.func))}("):
            for part in (part for given in each.args for part in ast.walk(given)):
                yield from read_named_values(part) if isinstance(part, ast.Dict) else ()


def _list_looped(node: Function) -> Iterator[str]:
    for each in walk_statements(node.body):
        if isinstance(each, ast.For) and isinstance(each.target, ast.Name):
            yield each.target.id


def _list_compared(node: Function) -> Iterator[tuple[str, str]]:
    """The fields of objects that conditions speak of."""
    for each in ast.walk(node):
        tests: list[ast.expr] = []
        match each:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                tests = [test]
            case ast.Compare():
                tests = [each]
        for test in tests:
            for part in ast.walk(test):
                match part:
                    case ast.Attribute(value=ast.Name(id=name), attr=field):
                        yield name, field
