"""Classes whose rows a query has: the one that is asked, or that a repository is named for.

``Order.objects.filter(...)`` and ``select(Order)`` name the class, ``self.orderRepository.find()``
is named for it, and ``client.order.update()`` for the model of a schema.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.names import get_last, spell_class, spell_dotted
from git_retcon.allium.extract.row_queries import GIVEN, UPDATES, WHERE, read_named_values

# Before the name of a model that a schema in a language of its own has: client.order.update().
STORED = "@prisma."
# Behind the name of a class that keeps rows: the type of these.
ROWS = ".rows"
_STORES = re.compile(r"_?([A-Za-z_]+?)_?(?:[Rr]epository|[Rr]epo|[Mm]odel)")
# A store is asked for rows, or to change some; what else it does is its own.
_ASKS = re.compile(
    rf"{UPDATES.pattern}|find\w*|get(?:One|First)?(?:By\w+)?|first|createQueryBuilder"
)
_OWN = frozenset({"self", "super"})
_NAMELESS = re.compile(r"_?(?:typeOrm|mikroOrm)?(?:[mM]odel|[rR]epository|[rR]epo|MongooseModel)")
_KEEPER = re.compile(r"(?:Repository|Repo|Service|Store|Dal)$")
_CLIENT = frozenset(
    {"findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "findMany"}
)
# What a manager of all entities is told the class for: em.findOne(Order, id).
_MANAGED = re.compile(r"nativeUpdate|find(?:One)?(?:By)?(?:OrFail)?")
_QUERIES = frozenset(
    {
        "getRepository",
        "getMongoRepository",
        "query",
        "update",
        "select",
        "get_object_or_404",
        "aget_object_or_404",
    }
)
_MANAGERS = ("objects", "_manager", "query")


class Stores(NamedTuple):
    """What the members of a class keep rows of, by the names of types, and the class itself."""

    fields: Mapping[str, str] = {}
    own: str = ""


NO_STORES = Stores()


def name_row(kind: str) -> str:
    """What a row is called of which this is the type."""
    return (
        _KEEPER.sub("", kind.removesuffix(ROWS))
        if kind.endswith(ROWS)
        else get_last(kind.removeprefix(STORED))
    )


def find_queried_class(calls: Sequence[ast.Call], is_type: Callable[[str], bool]) -> str:
    """The class that a query is made for, ``query(Order)``; "" where it names none."""
    for each in calls:
        name = get_last(spell_dotted(each.func)).removesuffix("()")
        first = spell_class(each.args[0]) if each.args else ""
        is_query = name in _QUERIES or (len(each.args) > 1 and _MANAGED.fullmatch(name))
        if is_query and _is_class(first, is_type):
            return first
    return ""


def find_asked_class(
    calls: Sequence[ast.Call], is_type: Callable[[str], bool], stores: Stores = NO_STORES
) -> str:
    """The class that is asked itself, or that a repository which is asked keeps, or is named for;
    "" where nothing says it.
    """
    names = [*_list_members(calls[-1].func)]
    if len(names) > 2 and _asks_client(calls[-1], names[0]):
        return f"{STORED}{names[1][:1].upper()}{names[1][1:]}" if names[1][:1].islower() else ""
    if len(names) > 1 and names[-2][:1].isupper() and names[-1].islower() and is_type(names[-1]):
        names[-2:] = [f"{names[-1]}.{names[-2]}"]  # a class of a module
    root = names[-1] if names else ""
    kept = _find_kept(names, stores)
    if kept:
        return kept
    if _is_class(root, is_type):
        is_managed = any(each.endswith(_MANAGERS) for each in names[1:-1])
        return root if is_managed or len(names) == 2 else ""
    store = _STORES.fullmatch(names[1]) if len(names) > 1 else None
    guess = "".join(w[:1].upper() + w[1:] for w in store[1].split("_")) if store else ""
    kinds = (guess, f"{guess}Entity", f"{guess}Model") if guess else ()
    return next(filter(is_type, kinds), "")


def _find_kept(names: Sequence[str], stores: Stores) -> str:
    """What the member that is asked keeps rows of, or the object itself; "" for any other."""
    if not names or names[-1] not in _OWN or not _ASKS.fullmatch(names[0].removesuffix("()")):
        return ""
    if len(names) == 2:
        return stores.own
    if len(names) > 3:
        return ""
    return stores.fields.get(names[1], stores.own if _NAMELESS.fullmatch(names[1]) else "")


def _is_class(name: str, is_type: Callable[[str], bool]) -> bool:
    return get_last(name)[:1].isupper() and is_type(name.partition(".")[0])


def _asks_client(call: ast.Call, name: str) -> bool:
    """Whether a call has the form of one of Prisma's client: all that it is given is one table."""
    tables = [*map(read_named_values, call.args)]
    if len(tables) != 1 or call.keywords or WHERE not in tables[0]:
        return False
    if UPDATES.fullmatch(name):
        return any(each in tables[0] for each in GIVEN)
    return name in _CLIENT


def _list_members(node: ast.expr) -> Iterator[str]:
    """The names of a chain without calls, the last first."""
    while isinstance(node, ast.Attribute):
        yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
