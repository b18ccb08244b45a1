"""The states of attributes that a class sets to constants alone, and compares with them."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.call_arguments import bind_arguments
from git_retcon.allium.extract.python.constants import Constants, read_constants
from git_retcon.allium.extract.python.named_constants import read_group, read_row
from git_retcon.allium.extract.python.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.own_attributes import (
    list_asked,
    list_begun,
    list_compared,
    list_owned,
    list_read,
    list_set_values,
    list_texts,
)
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Choice, SharedState
from git_retcon.allium.extract.spelling import is_plain, is_value
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_OWN = frozenset({"self", "cls"})
_ROOTS = frozenset({"object", "ABC", "Generic", "Protocol"})


class _Source(NamedTuple):
    """Where values are read: the constants of the file, those of the class, the class's names, and
    the names that the file ``imports``.
    """

    file: Constants
    own: Constants
    owners: Collection[str]
    calls: Mapping[str, Sequence[ast.Call]]
    imports: Collection[str]


class _Value(NamedTuple):
    """One value that an attribute gets: as it is stored, and the name of its constant."""

    stored: object
    symbol: str
    is_foreign: bool = False  # another file has it


class _Attribute:
    """The values that an attribute gets; others, too, where it ``is_open``, and none at times where
    it ``is_optional``.
    """

    def __init__(self) -> None:
        self.values: list[_Value] = []
        self.asked: list[_Value] = []  # constants that it is compared with
        self.is_open = False
        self.is_optional = False

    def add(self, value: ast.expr | None, values: Sequence[_Value] | None) -> None:
        """What it gets where a value is read as these; None for any."""
        self.is_optional |= value is not None and any(map(_is_null, _split_choice(value)))
        self.is_open |= values is None
        self.values += values or ()


class Inferred(NamedTuple):
    """The values of each attribute that ``__init__`` gives one, where all of them are known,
    which of them have none at times, and what the class says of those that base classes or heirs
    may set as well.
    """

    states: Mapping[str, tuple[Choice, ...]]
    shared: tuple[SharedState, ...] = ()
    optional: frozenset[str] = frozenset()


def infer_states(
    node: ast.ClassDef,
    constants: Constants,
    first: Mapping[str, ast.expr] = {},
    imports: Collection[str] = (),
) -> Inferred:
    """What a class shows of the attributes that it sets to constants. ``first`` is what its body
    lets attributes begin with.
    """
    methods = [each for each in node.body if isinstance(each, _Function)]
    source = _Source(constants, read_constants(node.body), {*_OWN, node.name}, {}, imports)
    symbols = _list_all_owned(methods, source)
    owned = {name for name, each in symbols.items() if len(each) > 1}
    begun = {*first, *list_begun(methods), *owned} - {*_list_open(methods, source)}
    texts_set = {name for each in methods for name in list_texts(each)}
    is_heir = not {*map(get_last, map(spell_dotted, node.bases))} <= _ROOTS
    shared = (begun & texts_set) | (texts_set if is_heir else set())
    read = list_read(methods)
    compared = {read.get(name, name) for each in methods for name in list_compared(each)}
    called = {*filter(is_called_state, begun)} if constants or imports else set()
    grouped = {*filter(is_called_state, symbols)}
    if begun.isdisjoint(compared | called) and not (shared or grouped):
        return Inferred({})
    found, texts = _read_attributes(methods, source._replace(calls=_list_calls(node)), read)
    _add_first(first, found, source)
    named = {
        name: _name_values(found[name].values)
        for name in filter(begun.__contains__, found)
        if name in compared or (name in called and _is_group(found[name].values))
        if _is_known(name, found[name], texts.get(name, ()))
    }
    others = sorted(grouped - named.keys())
    named |= {name: _read_whole(name, found[name], source) for name in others}
    states = {name: choices for name, choices in named.items() if len(choices) > 1}
    parts = tuple(
        SharedState(
            name, _spell_texts(found.get(name)), name in begun, name in compared,
            tuple(sorted(texts.get(name, ()))),
        )
        for name in sorted(shared - states.keys())
    )  # fmt: skip
    return Inferred(states, parts, frozenset(n for n in states if found[n].is_optional))


def _is_known(name: str, given: _Attribute, texts: Collection[str]) -> bool:
    """Whether all that an attribute gets is known, and may be its states. What it is asked for and
    never gets, as texts may be, comes from elsewhere.
    """
    is_given = {*texts} <= {each.stored for each in given.values}
    is_loose = given.is_optional or any(each.is_foreign for each in given.values)
    is_named = is_called_state(name) or name.endswith("mode")
    is_all = bool(given.values) and is_given and not given.is_open
    return is_all and (is_named or not is_loose)


def _is_group(values: Sequence[_Value]) -> bool:
    """Whether they are constants enough to need no comparison."""
    return all(each.symbol for each in values) and len({each.stored for each in values}) > 2


def _read_whole(name: str, given: _Attribute, source: _Source) -> tuple[Choice, ...]:
    """All constants that are named like those that an attribute gets, where it may get any; or are
    numbered in a row with those, and with what it is asked for.
    """
    symbols = {each.symbol for each in given.values if not each.is_foreign}
    row = read_row(symbols | {each.symbol for each in given.asked}, source.file)
    if row or len(symbols) < 2 or "" in symbols:
        return row
    choices = read_group(name, min(symbols), {**source.file, **source.own})
    return choices if symbols <= {each.symbol for each in choices} else ()


def _list_all_owned(methods: Sequence[_Function], source: _Source) -> Mapping[str, Collection[str]]:
    """The attributes that methods set to constants, whichever comes first, with those: objects of
    frameworks begin elsewhere than in ``__init__``. What has the constants of others is called a
    state.
    """
    found: dict[str, set[str]] = {}
    for method in methods:
        for name, dotted in list_owned(method):
            owner, _, symbol = dotted.rpartition(".")
            is_own = owner in source.owners and symbol in source.own
            if is_own or (is_called_state(name) and _is_elsewhere(owner, symbol, source)):
                found.setdefault(name, set()).add(symbol)
    return found


def _is_elsewhere(owner: str, symbol: str, source: _Source) -> bool:
    """Whether a constant is one of the file, or of a module that it imports."""
    if owner:
        return owner in source.imports and owner.islower()
    return symbol in source.file or symbol in source.imports


def _add_first(
    first: Mapping[str, ast.expr], found: dict[str, _Attribute], source: _Source
) -> None:
    """What attributes get that begin with these values, which come first."""
    for name, value in first.items():
        one = _read_value(_name_own(value, source), source)
        given = _Attribute()
        given.add(value, [one] if one is not None else [] if _is_null(value) else None)
        known = found.get(name, _Attribute())
        given.values += known.values
        given.is_open |= known.is_open
        given.is_optional |= known.is_optional
        found[name] = given


def _read_attributes(
    methods: Sequence[_Function], source: _Source, read: Mapping[str, str]
) -> tuple[dict[str, _Attribute], Mapping[str, set[str]]]:
    """What attributes get, and the texts that comparisons ask for. ``read`` are the methods that
    give attributes.
    """
    found: dict[str, _Attribute] = {}
    texts: dict[str, set[str]] = {}
    for method in methods:
        for each in walk_nodes(method):
            for attribute, value in list_set_values(each):
                values = _read_values(value, method, source) if value is not None else None
                given = found.setdefault(attribute, _Attribute())
                given.add(value, values)
                if values is None and isinstance(value, ast.Name):
                    given.values += _read_given(value.id, method, source) or ()
            for name, asked in list_asked(each):
                place = read.get(name, name)
                one = _read_value(asked, source)
                if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
                    texts.setdefault(place, set()).add(asked.value)
                elif one is not None:
                    found.setdefault(place, _Attribute()).asked.append(one)
    for given in found.values():
        given.values += [each for each in given.asked if _is_like(each, given.values)]
    return found, texts


def _is_like(asked: _Value, values: Sequence[_Value]) -> bool:
    """Whether a constant that an attribute is asked for is named like those that it gets."""
    words = [each.symbol.strip("_").split("_") for each in (asked, *values)]
    is_longer = min(map(len, words)) > 1 and len(values) > 1
    is_same = len({each[0] for each in words}) == 1 or len({each[-1] for each in words}) == 1
    kinds = {(type(each.stored), each.is_foreign) for each in (asked, *values)}
    return is_longer and is_same and len(kinds) == 1


def _spell_texts(given: _Attribute | None) -> tuple[str, ...]:
    """The texts that an attribute gets; none where it gets others, or nothing."""
    if given is None or given.is_open or given.is_optional:
        return ()
    texts = [each.stored for each in given.values if isinstance(each.stored, str)]
    is_plain_text = len(texts) == len(given.values) and all(map(is_value, texts))
    return tuple(dict.fromkeys(texts)) if is_plain_text else ()


def read_text(node: ast.expr | None, constants: Constants) -> str:
    """A text as it is, or by the name of a constant; "" for anything else."""
    found = constants.get(node.id) if isinstance(node, ast.Name) else node
    is_text = isinstance(found, ast.Constant) and isinstance(found.value, str)
    return str(found.value) if is_text and isinstance(found, ast.Constant) else ""


def _list_calls(node: ast.ClassDef) -> Mapping[str, Sequence[ast.Call]]:
    """The calls of own methods, by name; a method that is handed on has one that says nothing."""
    found: dict[str, list[ast.Call]] = {}
    called: set[ast.expr] = set()
    for each in walk_nodes(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name) as func):
                found.setdefault(name, []).append(each)
                called.add(func)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()):
                if each not in called:
                    found.setdefault(name, []).append(ast.Call(each, [], []))
    return found


def _list_open(methods: Sequence[_Function], source: _Source) -> Iterator[str]:
    """The attributes that ``__init__`` itself gives anything else: most classes have no others."""
    start = next((each for each in reversed(methods) if each.name == "__init__"), None)
    for node in start.body if start is not None else ():
        for name, value in list_set_values(node):
            if start is not None and (value is None or _read_values(value, start, source) is None):
                yield name


def _read_values(value: ast.expr, method: _Function, source: _Source) -> list[_Value] | None:
    """What an attribute may get; None where that is open."""
    if isinstance(value, ast.IfExp):
        yes = _read_values(value.body, method, source)
        no = _read_values(value.orelse, method, source)
        return [*yes, *no] if yes is not None and no is not None else None
    if _is_null(value):
        return []
    names = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
    if isinstance(value, ast.Name) and value.id in names:
        if any(getattr(mark, "attr", "") == "setter" for mark in method.decorator_list):
            return []  # what sets the property says it
        is_start = method.name == "__init__"
        if not is_start and not is_private(method.name):
            return None  # others may give it anything
        read = _read_default if is_start else _read_given
        return read(value.id, method, source)
    one = _read_value(value, source)
    return [one] if one is not None else None


def _read_default(name: str, method: _Function, source: _Source) -> list[_Value] | None:
    """The text that ``__init__`` begins with where its caller gives none."""
    # Of the call, only its defaults matter here.
    none = ast.Call(func=ast.Name(id=method.name), args=[], keywords=[])
    default = bind_arguments(method, none).get(name)
    one = _read_value(_name_own(default, source), source) if default is not None else None
    is_text = one is not None and isinstance(one.stored, str)
    return [one] if one is not None and is_text and not _is_set_again(name, method) else None


def _name_own(value: ast.expr, source: _Source) -> ast.expr:
    """A constant of the class, which its body names alone, as its methods name it."""
    if isinstance(value, ast.Name) and value.id in source.own:
        return ast.Attribute(ast.Name("self", ast.Load()), value.id, ast.Load())
    return value


def _read_given(name: str, method: _Function, source: _Source) -> list[_Value] | None:
    """What the class gives the parameter of a method."""
    calls = source.calls.get(method.name, ())
    if not calls:
        return None
    if method.decorator_list or _is_set_again(name, method):
        return None
    found: list[_Value] = []
    for call in calls:
        given = bind_arguments(method, call).get(name)
        for value in _split_choice(given) if given is not None else [None]:
            one = _read_value(value, source) if value is not None else None
            if one is None:
                return None
            found.append(one)
    return found


def _is_null(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_set_again(name: str, method: _Function) -> bool:
    """Whether a method makes something else of its parameter."""
    return any(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        for each in walk_nodes(method)
    )


def _split_choice(value: ast.expr) -> Sequence[ast.expr]:
    if isinstance(value, ast.IfExp):
        return [*_split_choice(value.body), *_split_choice(value.orelse)]
    return [value]


def _read_value(node: ast.expr, source: _Source) -> _Value | None:
    """A text, or a constant that has a name."""
    match node:
        case ast.Constant(value=str() as text) if text:
            return _Value(text, "")
        case ast.Name(id=symbol) if symbol.isupper() and symbol in source.imports:
            return _Value((symbol,), symbol, is_foreign=True)
        case ast.Name(id=symbol):
            found = source.file.get(symbol)
        case ast.Attribute(attr=symbol) if spell_dotted(node.value) in source.owners:
            found = source.own.get(symbol)
        case ast.Attribute(value=ast.Name(id=module), attr=symbol) if symbol.isupper():
            is_foreign = module.islower() and module in source.imports
            return _Value((module, symbol), symbol, is_foreign=True) if is_foreign else None
        case _:
            return None
    match found:
        case ast.Constant(value=str() as text) if text:
            return _Value(text, symbol)
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number) if symbol.isupper():
            return _Value(number, symbol)
        case ast.Call(func=ast.Name(id="range" | "object")) if symbol.isupper():
            return _Value((symbol,), symbol)
    return None


def _name_values(values: Sequence[_Value]) -> tuple[Choice, ...]:
    """The values under their names; none where they are of two kinds, or not apart."""
    stored: dict[object, str] = {}
    for value in values:
        known = stored.get(value.stored)
        if known and value.symbol and known != value.symbol:
            return ()
        stored[value.stored] = value.symbol or known or ""
    texts = {each: symbol for each, symbol in stored.items() if isinstance(each, str)}
    if texts and len(texts) < len(stored):
        return ()
    # Texts that the language writes in quotes alone have the names of their constants.
    if texts and (all(map(is_plain, texts)) or not all(texts.values())):
        is_readable = all(map(is_value, texts))
        return tuple(Choice(t, s, t) for t, s in texts.items()) if is_readable else ()
    names = _cut_prefix([*stored.values()])
    if len({*names}) < len(names) or not all(map(is_plain, names)):
        return ()
    return tuple(
        Choice(each, symbol, name)
        for (each, symbol), name in zip(stored.items(), names, strict=True)
    )


def _cut_prefix(symbols: Sequence[str]) -> Sequence[str]:
    """The names of constants without the words that all begin with: ``STATE_ON`` → ``on``."""
    words = [each.lower().strip("_").split("_") for each in symbols]
    while len(words) > 1 and len({each[0] for each in words}) == 1 and min(map(len, words)) > 1:
        words = [each[1:] for each in words]
    names = ["_".join(each) for each in words]
    return names if all(map(is_plain, names)) else [each.lower() for each in symbols]
