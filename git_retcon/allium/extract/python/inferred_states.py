"""The states of attributes that a class sets to constants alone, and compares with them."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.call_arguments import bind_arguments
from git_retcon.allium.extract.python.constants import Constants, read_constants
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.own_attributes import (
    list_asked_texts,
    list_begun,
    list_compared,
    list_owned,
    list_set_values,
    list_texts,
)
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Choice, SharedState
from git_retcon.allium.extract.spelling import is_plain, is_value
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ROOTS = frozenset({"object", "ABC", "Generic", "Protocol"})


class _Source(NamedTuple):
    """Where values are read: the constants of the file, those of the class, the class's names."""

    file: Constants
    own: Constants
    owners: frozenset[str]
    calls: Mapping[str, Sequence[ast.Call]]


class _Value(NamedTuple):
    """One value that an attribute gets: as it is stored, and the name of its constant."""

    stored: object
    symbol: str


class Inferred(NamedTuple):
    """The values of each attribute that ``__init__`` gives one, where all of them are known, and
    what the class says of those that base classes or heirs may set as well.
    """

    states: Mapping[str, tuple[Choice, ...]]
    shared: tuple[SharedState, ...] = ()


def infer_states(
    node: ast.ClassDef, constants: Constants, first: Mapping[str, ast.expr] = {}
) -> Inferred:
    """What a class shows of the attributes that it sets to constants. ``first`` is what its body
    lets attributes begin with.
    """
    methods = [each for each in node.body if isinstance(each, _Function)]
    source = _Source(
        constants, read_constants(node.body), frozenset({"self", "cls", node.name}), {}
    )
    owned = _list_all_owned(methods, source.own)
    begun = {*first, *list_begun(methods), *owned} - {*_list_open(methods, source)}
    texts_set = {name for each in methods for name in list_texts(each)}
    is_heir = not {*map(get_last, map(spell_dotted, node.bases))} <= _ROOTS
    shared = (begun & texts_set) | (texts_set if is_heir else set())
    # Most classes compare nothing that they begin with.
    asking = methods if begun or shared else []
    compared = {name for each in asking for name in list_compared(each)}
    called = {each for each in begun if is_called_state(each)} if constants else set()
    if begun.isdisjoint(compared | called) and not shared:
        return Inferred({})
    source = source._replace(calls=_list_calls(node))
    found, texts = _read_attributes(methods, source)
    found = {**found, **_read_first(first, found, source)}
    named = {
        name: _name_values(values)
        for name, values in found.items()
        # What is asked for and never set comes from elsewhere.
        if values
        and (name in compared or (name in called and _is_group(values)))
        and name in begun
        and texts.get(name, set()) <= {each.stored for each in values}
    }
    states = {name: choices for name, choices in named.items() if len(choices) > 1}
    parts = tuple(
        SharedState(
            name, _spell_texts(found.get(name)), name in begun, name in compared,
            tuple(sorted(texts.get(name, ()))),
        )
        for name in sorted(shared - states.keys())
    )  # fmt: skip
    return Inferred(states, parts)


def _is_group(values: Sequence[_Value]) -> bool:
    """Whether they are constants enough to need no comparison."""
    return all(each.symbol for each in values) and len({each.stored for each in values}) > 2


def _list_all_owned(methods: Sequence[_Function], own: Constants) -> Collection[str]:
    """The attributes that methods set to several constants of their class, whichever comes first:
    objects of frameworks begin elsewhere than in ``__init__``.
    """
    found: dict[str, set[str]] = {}
    for method in methods if len(own) > 1 else ():
        for name, symbol in list_owned(method):
            if symbol in own:
                found.setdefault(name, set()).add(symbol)
    return {name for name, symbols in found.items() if len(symbols) > 1}


def _read_first(
    first: Mapping[str, ast.expr],
    found: Mapping[str, list[_Value] | None],
    source: _Source,
) -> Mapping[str, list[_Value] | None]:
    """What attributes get that begin with these values, which come first."""
    read: dict[str, list[_Value] | None] = {}
    for name, value in first.items():
        one = _read_value(_name_own(value, source), source)
        known = found.get(name, [])
        read[name] = [one, *known] if one is not None and known is not None else None
    return read


def _read_attributes(
    methods: Sequence[_Function], source: _Source
) -> tuple[Mapping[str, list[_Value] | None], Mapping[str, set[str]]]:
    """What attributes get, None where that is open, and the texts that comparisons ask for."""
    found: dict[str, list[_Value] | None] = {}
    texts: dict[str, set[str]] = {}
    for method in methods:
        for each in walk_nodes(method):
            for attribute, value in list_set_values(each):
                values = _read_values(value, method, source) if value is not None else None
                known = found.setdefault(attribute, [])
                if values is None or known is None:
                    found[attribute] = None
                else:
                    known += values
            for name, text in list_asked_texts(each):
                texts.setdefault(name, set()).add(text)
    return found, texts


def _spell_texts(values: Sequence[_Value] | None) -> tuple[str, ...]:
    """The texts that values are; none where some are none."""
    texts = [each.stored for each in values or () if isinstance(each.stored, str)]
    is_plain_text = bool(values) and len(texts) == len(values or ()) and all(map(is_value, texts))
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
    names = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
    if isinstance(value, ast.Name) and value.id in names:
        if any(getattr(mark, "attr", "") == "setter" for mark in method.decorator_list):
            return []  # what sets the property says it
        is_start = method.name == "__init__"
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
    """What the callers of a private method give its parameter."""
    calls = source.calls.get(method.name, ())
    if not method.name.startswith("_") or method.name.startswith("__") or not calls:
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
        case ast.Name(id=symbol):
            found = source.file.get(symbol)
        case ast.Attribute(attr=symbol) if spell_dotted(node.value) in source.owners:
            found = source.own.get(symbol)
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
