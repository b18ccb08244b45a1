"""Objects that a query finds, with what it asks of them.

``for order in Order.objects.filter(status=NEW): order.status = PAID`` moves an order from new to
paid: what a query asks of a row, the operation demands of its object.
"""

import ast
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.asked_classes import (
    NO_STORES,
    Stores,
    find_asked_class,
    find_queried_class,
)
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.row_queries import (
    is_finder,
    list_chained,
    list_row_tests,
    make_doubt,
)

# What a file has in which a query asks for rows: most others need not be searched.
_ASKS = (b".filter", b".exclude(", b".where(", b".get(", b".find", b"_or_404(")
_OWN = frozenset({"self", "cls"})
# What chooses rows by more than its name says, unless it says that it gives all.
_CHOOSES = re.compile(
    r"(?:find|get|list|load|fetch|query|select|search|claim|next|pull|take)(?:[A-Z_]\w*)?$"
    r"(?<!All)(?<!_all)"
)
# What gives one row, of all that a query has.
_ONE = re.compile(
    r"a?(?:get|first|last|one|latest|earliest|scalar)(?:_one)?(?:_or_none|_or_404)?"
    r"|find(?:One|First|Unique)(?:By)?(?:OrFail|OrThrow)?|a?get_object_or_404"
    r"|(?:find|get)(?:One)?(?:OrFail)?By(?:Id|Pk|Token|Uuid|Key)\w*"
)


class OpenedFinds(NamedTuple):
    """A function that demands of objects what it asked for; ``types`` are those of the objects by
    their names, "" for a name of objects of several types.
    """

    node: Function
    types: Mapping[str, str]


def may_find(content: bytes) -> bool:
    """Whether a file may ask for rows."""
    return any(each in content for each in _ASKS)


def list_changed(node: ast.stmt) -> Iterator[str]:
    """The variables of which a statement sets a field."""
    if isinstance(node, ast.Assign):
        for each in node.targets:
            match each:
                case ast.Attribute(value=ast.Name(id=name)) if name not in _OWN:
                    yield name


def list_changed_or_refused(node: ast.stmt) -> Iterator[str]:
    """The same, and those that a statement refuses by what they are."""
    yield from list_changed(node)
    if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
        for each in walk_nodes(node.test):
            match each:
                case ast.Attribute(value=ast.Name(id=name)) if name not in _OWN:
                    yield name


def open_finds(
    node: Function,
    is_type: Callable[[str], bool],
    list_touched: Callable[[ast.stmt], Iterator[str]] = list_changed,
    stores: Stores = NO_STORES,
) -> OpenedFinds:
    """The function with what its queries ask of the objects that it changes, or that
    ``list_touched`` gives of a statement. ``is_type`` says whether a name may be a type's.
    """
    changed = (
        _list_found(node, list_touched)
        if list_touched is not list_changed
        else (_list_found_changed(node))
    )
    # Most functions change nothing that a query found, and a copy takes long.
    if not changed:
        return OpenedFinds(node, {})
    opener = _Opener(node, changed, is_type, stores)
    found: Function = opener.visit(copy_tree(node))
    kinds = {name: min(each) if len(each) == 1 else "" for name, each in opener.kinds.items()}
    return OpenedFinds(found, kinds)


@answer_once
def _list_found_changed(node: Function) -> Collection[str]:
    return _list_found(node, list_changed)


def _list_found(
    node: Function, list_touched: Callable[[ast.stmt], Iterator[str]]
) -> Collection[str]:
    """The variables that a function touches, if a query may have found one of them."""
    statements = [*walk_statements(node.body)]
    touched = {name for each in statements for name in list_touched(each)}
    is_any = any(_is_finding(each, touched) for each in statements if touched)
    return touched if is_any else ()


def gives_one(call: ast.Call) -> bool:
    """Whether a call gives one row of what a query asks for."""
    return _ONE.fullmatch(get_last(spell_dotted(call.func)).removesuffix("()")) is not None


def _is_finding(node: ast.stmt, changed: Collection[str]) -> bool:
    """Whether a statement gives one of these variables what a query may have found."""
    match node:
        case ast.For(target=ast.Name(id=name)) | ast.AsyncFor(target=ast.Name(id=name)):
            return name in changed
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in changed:
            calls = itertools.islice(list_chained(value, {}), 2)
            return any(map(gives_one, calls))
    return False


class _Opener(ast.NodeTransformer):
    def __init__(
        self,
        node: Function,
        changed: Collection[str],
        is_type: Callable[[str], bool],
        stores: Stores,
    ) -> None:
        self._stores = stores
        self._changed = changed
        self._is_type = is_type
        self._queries = _read_queries(node)
        self.kinds: dict[str, set[str]] = {}

    def visit_For(self, node: ast.For) -> ast.stmt:
        return self._open_loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.stmt:
        return self._open_loop(node)

    def _open_loop(self, node: ast.For | ast.AsyncFor) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.target.id in self._changed:
            chosen = self._demand_chosen(node.target.id, node)
            node.body = [*self._demand(node.target.id, node.iter), *chosen, *node.body]
        return node

    def _demand_chosen(self, name: str, node: ast.For | ast.AsyncFor) -> Iterator[ast.stmt]:
        """What a method that chooses rows is given of their states; where it is given none, nobody
        knows which it chooses.
        """
        call = _find_choosing(node.iter, self._queries)
        for field, enum in sorted(_list_members(name, node.body)) if call is not None else ():
            given = [each for each in _list_given(call) if _name_enum(each) == enum]
            place = ast.Attribute(value=ast.Name(name), attr=field)
            listed = ast.Tuple(elts=given)
            test = ast.Compare(left=place, ops=[ast.In()], comparators=[listed])
            yield ast.Assert(test=test if given else make_doubt(name, field))

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if _is_finding(node, self._changed):
                return [node, *self._demand(name, node.value)]
        return [node]

    def _demand(self, name: str, query: ast.expr) -> Iterator[ast.stmt]:
        """What a query asks of the object, as what is demanded of it."""
        calls = [*list_chained(query, self._queries)]
        kind = find_queried_class(calls, self._is_type) if calls else ""
        kind = kind or (find_asked_class(calls, self._is_type, self._stores) if calls else "")
        if not kind:
            return
        self.kinds.setdefault(name, set()).add(kind)
        for test in list_row_tests(calls, name, self._queries):
            yield ast.Assert(test=test)


def _find_choosing(node: ast.expr, queries: Mapping[str, ast.expr]) -> ast.Call | None:
    """The call of a method of the project's own that chooses the rows of a loop."""
    found = queries.get(node.id, node) if isinstance(node, ast.Name) else node
    found = found.value if isinstance(found, ast.Await) else found
    if not isinstance(found, ast.Call):
        return None
    name = get_last(spell_dotted(found.func)).removesuffix("()")
    is_own = _CHOOSES.match(name) is not None and not is_finder(name)
    return found if is_own else None


def _list_members(name: str, body: list[ast.stmt]) -> set[tuple[str, str]]:
    """The fields of an object that get members of enums, each with its enum."""
    return {
        (target.attr, enum)
        for each in walk_statements(body)
        if isinstance(each, ast.Assign) and (enum := _name_enum(each.value))
        for target in each.targets
        if isinstance(target, ast.Attribute) and spell_dotted(target.value) == name
    }


def _list_given(call: ast.Call | None) -> Iterator[ast.expr]:
    """What a call is given, by itself or in lists."""
    given = [*call.args, *(each.value for each in call.keywords)] if call is not None else []
    for each in given:
        yield from getattr(each, "elts", None) or [each]


def _name_enum(node: ast.expr) -> str:
    """The enum that an expression is a member of, as it seems; "" for none."""
    dotted = spell_dotted(node) if isinstance(node, ast.Attribute) else ""
    owner, _, name = dotted.rpartition(".")
    return owner if get_last(owner).lstrip("_")[:1].isupper() and name.isupper() else ""


def _read_queries(node: Function) -> Mapping[str, ast.expr]:
    """What variables hold that get one value, or that each time add to the one before."""
    found: dict[str, ast.expr] = {}
    changed: set[str] = set()
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                changed |= {name} & found.keys()
                found[name] = value
            case ast.AugAssign(target=ast.Name(id=name)):
                changed.add(name)
    return {name: value for name, value in found.items() if name not in changed}
