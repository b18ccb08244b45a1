"""The members of enums, and of plain classes that are used as enums."""

import ast
import re
from collections.abc import Collection, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.constants import (
    LISTS,
    Constants,
    has_pairs,
    read_choices,
    read_constants,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import is_value, name_value, spell_member

CHOICES = "CHOICES"
_CHOICE = "Choice"
_PLAIN = frozenset({"object", "int", "str"})  # bases
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum"})
_OF_STATES = re.compile(
    r"(?:State|Status|Phase|Stage)(?:s|es)?(?![a-z])"
    r"|(?<![A-Z])(?:STATE|STATUS|PHASE|STAGE)(?:S|ES)?(?![A-Za-z])"
)


def read_functional_members(node: ast.expr) -> tuple[Choice, ...]:
    """The members of ``Enum("Status", "NEW PAID")``, or of ``enum(NEW=1, PAID=2)`` as older code
    makes them; none of anything else.
    """
    pairs: list[tuple[str, object]]
    match node:
        case ast.Call(args=[ast.Constant(value=str()), names]) if (
            get_last(spell_dotted(node)).lstrip("_") in _ENUMS
        ):
            pass
        case ast.Call(args=[], keywords=[_, _, *_] as words) if (
            get_last(spell_dotted(node)) == "enum"
        ):
            pairs = [(each.arg or "", getattr(each.value, "value", None)) for each in words]
            return _make_members(pairs)
        case _:
            return ()
    match names:
        case ast.Constant(value=str(text)):
            pairs = [(each, None) for each in text.replace(",", " ").split()]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            pairs = [_read_member(each) for each in items]
        case ast.Dict(keys=keys, values=values):
            pairs = [*map(_read_pair, keys, values)]
        case _:
            return ()
    return _make_members(pairs)


def _make_members(pairs: Sequence[tuple[str, object]]) -> tuple[Choice, ...]:
    listed = (Choice(stored, name, spell_member(name)) for name, stored in pairs)
    found = {each.name: each for each in listed}
    return tuple(found.values()) if "" not in found and len(found) == len(pairs) else ()


def _read_member(node: ast.expr) -> tuple[str, object]:
    match node:
        case ast.Constant(value=str(name)):
            return name, None
        case ast.Tuple(elts=[name, value]) | ast.List(elts=[name, value]):
            return _read_pair(name, value)
    return "", None


def _read_pair(name: ast.expr | None, value: ast.expr) -> tuple[str, object]:
    match name:
        case ast.Constant(value=str(text)):
            return text, value.value if isinstance(value, ast.Constant) else None
    return "", None


def read_members(node: ast.ClassDef) -> tuple[Choice, ...]:
    """The members of an enum, without further names for the same value."""
    found: dict[str, Choice] = {}
    stored: set[object] = set()
    constants = read_constants(node.body)
    is_numbered = any(get_last(spell_dotted(each)) == "IntEnum" for each in node.bases)
    for name, value in constants.items():
        spelled = spell_member(name)
        if name.startswith("_") or spelled in found or _lists_others(value, constants):
            continue
        # Django's members are the value and a label.
        first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
        number = _count_on(first, stored) if is_numbered else None
        constant = _read_stored(first) if number is None else number
        if isinstance(value, ast.Lambda) or (constant is not None and constant in stored):
            continue
        stored.add(constant)
        found[spelled] = Choice(constant, name, spelled)
    return tuple(found.values())


def _count_on(value: ast.expr, stored: Collection[object]) -> int | None:
    """What ``auto()`` is in an enum of numbers, behind the values that are ``stored`` before it."""
    if not isinstance(value, ast.Call) or get_last(spell_dotted(value)) != "auto":
        return None
    numbers = [each for each in stored if isinstance(each, int)]
    return max(numbers, default=0) + 1 if len(numbers) == len(stored) else None


def _read_stored(value: ast.expr) -> object:
    """What a member is, where that is written; None for anything else."""
    match value:
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int() as number)):
            return -number
        case ast.Constant(value=constant):
            return constant
    return None


def _lists_others(value: ast.expr, constants: Constants) -> bool:
    """Whether a value only groups members: ``OVER = (DONE, FAILED)``."""
    elements = value.elts if isinstance(value, LISTS) else []
    return bool(elements) and all(
        isinstance(each, ast.Name) and each.id in constants for each in elements
    )


def read_plain_members(node: ast.ClassDef) -> tuple[Choice, ...]:
    """The constants of a plain class that is used as an enum, or what it makes; empty for any other
    class.
    """
    return _read_listed_members(node) or _read_named_states(node) or _read_made(node)


def _read_made(node: ast.ClassDef) -> tuple[Choice, ...]:
    """The objects of a class that is named for states, each of which a method of its own makes of a
    text or a number: ``def paid(cls): return cls("paid")``.
    """
    methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
    made = [*methods] if is_named_for_states(node.name) else []
    found = {each.name: stored for each in made if (stored := _read_maker(each, node.name))}
    if len(found) < 2 or len({*found.values()}) < len(found):
        return ()
    choices = tuple(Choice(stored[0], name, spell_member(name)) for name, stored in found.items())
    return choices if all(is_value(each.name) for each in choices) else ()


def _read_maker(method: ast.FunctionDef, owner: str) -> tuple[object] | None:
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    is_static = not marks.isdisjoint({"classmethod", "staticmethod"})
    is_bare = len(method.args.args) == ("classmethod" in marks)
    match [each for each in method.body if not isinstance(each, ast.Expr)]:
        case [
            ast.Return(value=ast.Call(func=ast.Name(id=made), args=[ast.Constant(value=stored)]))
        ] if made in (owner, "cls") and is_static and is_bare:
            return (stored,)
    return None


def _read_listed_members(node: ast.ClassDef) -> tuple[Choice, ...]:
    """Those that a class lists as choices: ``CHOICES = [(NEW, "New"), ...]``, or, by any name, all
    of them.
    """
    constants = _read_plain_constants(node)
    lists = {n: each for n, each in constants.items() if isinstance(each, LISTS) and each.elts}
    # Under any name, only a list of all of them is sure to be theirs.
    count = len(constants) - len(lists)
    whole = [each for each in lists.values() if has_pairs(each) and len(each.elts) == count]
    listed = [*(each for name, each in lists.items() if name.endswith(CHOICES)), *whole]
    found = next((choices for each in listed if (choices := read_choices(each, constants))), ())
    return found if len(found) > 1 and all(each.symbol in constants for each in found) else ()


def is_named_for_states(name: str) -> bool:
    """Whether the name of a class says that it lists states: ``JobStatus``."""
    return bool(_OF_STATES.search(name))


def _read_named_states(node: ast.ClassDef) -> tuple[Choice, ...]:
    """Those of a class whose name says that they are states, each apart: ``class JobStatus`` with
    ``QUEUED = "queued"``. Where names are not written as constants, only numbers that count, or
    texts that say the same, show that they are some.
    """
    if not is_named_for_states(node.name):
        return ()
    constants = _read_plain_constants(node)
    values: Mapping[str, object] = {
        name: value.value
        for name, value in constants.items()
        if isinstance(value, ast.Constant) and not name.startswith("_")
    }
    values = values or _number_range(constants)
    named: Mapping[str, object] = {n: value for n, value in values.items() if n.isupper()}
    is_told = _counts([*values.values()]) or all(map(_says_name, values.items()))
    if not named and len(values) == len(constants) and is_told:
        named = values
    kinds = {type(each) for each in named.values()}
    if len({*named.values()}) < max(2, len(named)) or kinds not in ({str}, {int}):
        return ()
    found = tuple(Choice(value, name, spell_member(name)) for name, value in named.items())
    return found if all(is_value(each.name) for each in found) else ()


def _number_range(constants: Constants) -> Mapping[str, object]:
    """The numbers of ``NEW, DONE = range(2)``, where a class has nothing else."""
    calls = {id(each) for each in constants.values() if isinstance(each, ast.Call)}
    first = next(iter(constants.values()), None)
    is_range = isinstance(first, ast.Call) and spell_dotted(first) == "range"
    if not is_range or len(calls) > 1 or len(calls) < len({id(e) for e in constants.values()}):
        return {}
    return {name: number for number, name in enumerate(constants)}


def _says_name(member: tuple[str, object]) -> bool:
    """Whether a text is the name that it has: ``SignedIn = "signed in"``."""
    name, text = member
    return isinstance(text, str) and name[:1].isupper() and name_value(text) == spell_member(name)


def _counts(values: Sequence[object]) -> bool:
    """Whether values are numbers, one behind the other, of at least three."""
    first = values[0] if values else None
    if not isinstance(first, int) or isinstance(first, bool) or first not in (0, 1):
        return False
    return len(values) > 2 and list(values) == [*range(first, first + len(values))]


def _read_plain_constants(node: ast.ClassDef) -> Constants:
    """The constants of a class of which no objects are made; none of any other. What it tells of
    its constants needs no object.
    """
    bases = [get_last(spell_dotted(base)) for base in node.bases]
    is_plain = len(bases) < 2 and {*bases} <= _PLAIN
    is_plain |= all(_CHOICE in each for each in bases)
    return read_constants(node.body) if is_plain and all(map(_is_constant, node.body)) else {}


def _is_constant(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        marks = {get_last(spell_dotted(each)) for each in node.decorator_list}
        return not marks.isdisjoint({"staticmethod", "classmethod"})
    return isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr)


def gives_small(content: bytes, enum: str) -> bool:
    """Whether a file gives an attribute a member of an enum that is written small: what else an
    enum has, nobody keeps there.
    """
    name = re.escape(get_last(enum)).encode()
    given = (
        rb"(?:\bdefault|\.\w+|:[ ]*[\w.]+)[ ]*=[ ]*(?:\w+\.)*"
        + name
        + rb"\.[a-z][a-z0-9_]*(?:\(\)(?:\.\w+)?)?\s*[,)\n#]"
    )
    return bool(enum) and name + b"." in content and re.search(given, content) is not None
