"""States that are constants: texts, and numbers with a name, that a class sets and compares."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.call_arguments import Function, bind_arguments
from git_retcon.allium.extract.python.constants import (
    Choice,
    Constants,
    States,
    read_constants,
)
from git_retcon.allium.extract.python.names import spell_dotted
from git_retcon.allium.extract.source_facts import Field, Type
from git_retcon.allium.extract.spelling import is_value, spell_field_name


class _Constant(NamedTuple):
    """A value that is certain, with the name that the source gives it, "" for none."""

    stored: object
    symbol: str = ""
    is_text: bool = False


def find_constant_states(
    node: ast.ClassDef, fields: Mapping[str, Field], around: Constants
) -> Mapping[str, tuple[Field, States]]:
    """The fields that hold one of some constants, by symbol.

    A class sets such a field to them alone, by itself or by a private method that is given one,
    and compares it. A number counts only by its name: without one it may mean anything.
    """
    names = _Names(node, around)
    found: dict[str, tuple[Field, States]] = {}
    for symbol, is_text in _list_candidates(node, fields, names):
        assigned = _list_assigned(node, symbol, names)
        compared = _list_compared(node, symbol, names)
        if assigned is None or compared is None:
            continue
        if not is_text:
            assigned = [*assigned, *compared]
        choices = _name_choices(assigned, names, is_text=is_text)
        spelled = spell_field_name(symbol.lstrip("_"))
        if choices and spelled is not None:
            kind = Type("", values=tuple(each.name for each in choices))
            found[symbol] = Field(spelled, kind, symbol), States(choices=choices)
    return found


class _Names:
    """What the names of constants mean in the methods of a class."""

    def __init__(self, node: ast.ClassDef, around: Constants) -> None:
        self.methods = {each.name: each for each in node.body if isinstance(each, Function)}
        inner = [each for method in self.methods.values() for each in ast.walk(method)]
        # A parameter or a local name hides the constant of the file.
        hidden = {each.arg for each in inner if isinstance(each, ast.arg)}
        hidden |= {
            each.id
            for each in inner
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        }
        self._owners = frozenset({"self", "cls", "type", "self.__class__", node.name})
        self._around = {
            name: each
            for name, value in around.items()
            if name not in hidden and (each := _read_constant(name, value)) is not None
        }
        self._own = {
            name: each
            for name, value in read_constants(node.body).items()
            if (each := _read_constant(name, value)) is not None
        }
        self.order = [*self._own, *self._around]

    def read(self, node: ast.expr) -> _Constant | None:
        """The constant that an expression is, by its name or as a text."""
        match node:
            case ast.Constant(value=str() as text) if text:
                return _Constant(text, is_text=True)
            case ast.Name(id=name):
                return self._around.get(name)
            case ast.Attribute(value=owner, attr=name) if spell_dotted(owner) in self._owners:
                return self._own.get(name)
        return None


def _read_constant(name: str, value: ast.expr) -> _Constant | None:
    match value:
        case ast.Constant(value=str() as text) if text:
            return _Constant(text, name, is_text=True)
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            stored: object = number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            stored = -number
        case ast.Call(func=ast.Name(id="object"), args=[]) | ast.Call(func=ast.Name(id="range")):
            stored = name  # of its own, which nobody needs to know
        case _:
            return None
    return _Constant(stored, name) if name.isupper() else None


def _list_candidates(
    node: ast.ClassDef, fields: Mapping[str, Field], names: _Names
) -> Iterator[tuple[str, bool]]:
    """Texts, and what ``__init__`` gives a constant by its name; with whether it is a text."""
    yield from ((symbol, True) for symbol, each in fields.items() if each.type.name == "String")
    start = names.methods.get("__init__")
    for item in start.body if start is not None else ():
        for symbol, value in _list_set(item):
            constant = names.read(value)
            known = fields.get(symbol)
            is_open = known is None or known.type.name == "Integer"
            if known is not None and known.type.source == node.name:
                is_open = True  # it looked like a member of an enum
            if constant is not None and constant.symbol and is_open:
                yield symbol, constant.is_text


def _list_set(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The attributes of ``self`` that a statement sets to a value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            pass
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            targets = [target]
        case _:
            return
    for each in targets:
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name, value


def _list_assigned(node: ast.ClassDef, symbol: str, names: _Names) -> list[_Constant] | None:
    """All that a class sets a field to; None where something else is possible."""
    found: list[_Constant] = []
    understood = 0
    for method in names.methods.values():
        for each in ast.walk(method):
            for name, value in _list_set(each):
                if name != symbol:
                    continue
                understood += 1
                constants = _list_values(value, method, names)
                if constants is None:
                    return None
                found += constants
    # In a tuple, by "+=", by "del": what it is then is not read.
    written = sum(
        isinstance(each, ast.Attribute)
        and each.attr == symbol
        and not isinstance(each.ctx, ast.Load)
        and isinstance(each.value, ast.Name)
        for each in ast.walk(node)
    )
    return found if written == understood else None


def _list_values(value: ast.expr, method: Function, names: _Names) -> list[_Constant] | None:
    """The constants that a value may be; those that its callers give where it is a parameter."""
    found: list[_Constant] = []
    for each in _split_choice(value):
        if isinstance(each, ast.Name) and _is_parameter(each.id, method):
            given = _list_given(each.id, method, names)
            if given is None:
                return None
            found += given
            continue
        constant = names.read(each)
        if constant is None:
            return None
        found.append(constant)
    return found


def _split_choice(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.IfExp):
        yield from _split_choice(value.body)
        yield from _split_choice(value.orelse)
    else:
        yield value


def _is_parameter(name: str, method: Function) -> bool:
    return any(each.arg == name for each in (*method.args.args, *method.args.kwonlyargs))


def _list_given(name: str, setter: Function, names: _Names) -> list[_Constant] | None:
    """What a class gives to the parameter of its private method; None where others may call it,
    or it makes something else of it.
    """
    is_private = setter.name.startswith("_") and not setter.name.endswith("__")
    bound = sum(
        (isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load))
        or (isinstance(each, ast.arg) and each.arg == name)
        for each in ast.walk(setter)
    )
    if not is_private or bound != 1 or setter.decorator_list:
        return None
    found: list[_Constant] = []
    calls = references = 0
    for each in (inner for method in names.methods.values() for inner in ast.walk(method)):
        match each:
            case ast.Attribute(attr=attribute) if attribute == setter.name:
                references += 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attribute)) as call:
                if attribute != setter.name:
                    continue
                calls += 1
                value = bind_arguments(setter, call).get(name)
                constants = [names.read(one) for one in _split_choice(value)] if value else [None]
                known = [one for one in constants if one is not None]
                if len(known) < len(constants):
                    return None
                found += known
    return found if calls == references else None  # handed on as a callback


def _list_compared(node: ast.ClassDef, symbol: str, names: _Names) -> list[_Constant] | None:
    """The constants that a class compares a field with; None where it compares it with nothing."""
    found: list[_Constant] = []
    is_compared = False
    for each in ast.walk(node):
        match each:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
            case ast.Match(subject=left, cases=cases):
                patterns = (one for case in cases for one in ast.walk(case.pattern))
                sides = [left, *(one.value for one in patterns if isinstance(one, ast.MatchValue))]
            case _:
                continue
        if any(_is_own(side, symbol) for side in sides):
            is_compared = True
            found += filter(None, map(names.read, _list_items(sides)))
    return found if is_compared else None


def _is_own(node: ast.expr, symbol: str) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name == symbol
    return False


def _list_items(sides: Iterable[ast.expr]) -> Iterator[ast.expr]:
    for each in sides:
        if isinstance(each, ast.List | ast.Tuple | ast.Set):
            yield from each.elts
        else:
            yield each


def _name_choices(
    constants: Iterable[_Constant], names: _Names, *, is_text: bool
) -> tuple[Choice, ...]:
    """The states; none where they are fewer than two, of two kinds, or one has two names."""
    symbols: dict[object, str] = {}
    for each in constants:
        if each.is_text is not is_text:
            return ()
        symbol = symbols.get(each.stored, "")
        if symbol and each.symbol not in ("", symbol) and not is_text:
            return ()
        symbols[each.stored] = each.symbol or symbol
    if len(symbols) < 2:
        return ()
    if is_text:
        found = [Choice(str(stored), symbol, str(stored)) for stored, symbol in symbols.items()]
    else:
        ordered = sorted(symbols.items(), key=lambda pair: names.order.index(pair[1]))
        cut = _measure_prefix([symbol for _, symbol in ordered])
        found = [Choice(each, symbol, symbol[cut:].lower()) for each, symbol in ordered]
    is_apart = len({each.name for each in found}) == len(found)
    return tuple(found) if is_apart and all(is_value(each.name) for each in found) else ()


def _measure_prefix(symbols: Iterable[str]) -> int:
    """The length of the words that all names begin with: of STATE_IDLE and STATE_BUSY, six."""
    words = [each.split("_")[:-1] for each in symbols]
    same = 0
    for each in zip(*words, strict=False):
        if len(set(each)) > 1:
            break
        same += len(each[0]) + 1
    return same
