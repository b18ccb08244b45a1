"""The states of attributes that a class sets to constants alone, and compares with them."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.call_arguments import bind_arguments
from git_retcon.allium.extract.python.constants import Constants, read_constants
from git_retcon.allium.extract.python.inferred_values import (
    Value,
    is_group,
    is_like,
    is_of_kind,
    spell_values,
)
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
from git_retcon.allium.extract.spelling import is_value
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


class _Attribute:
    """The values that an attribute gets; others, too, where it ``is_open``, and none at times where
    it ``is_optional``.
    """

    def __init__(self) -> None:
        self.values: list[Value] = []
        # Constants that it is compared with, and whether they are the class's own.
        self.asked: list[tuple[Value, bool]] = []
        self.is_open = False
        self.is_optional = False

    def add(self, value: ast.expr | None, values: Sequence[Value] | None) -> None:
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
    shared = {*texts_set} if is_heir else begun & texts_set
    read = list_read(methods)
    compared = {read.get(name, name) for each in methods for name in list_compared(each)}
    called = {*filter(is_called_state, begun)} if constants or imports else set()
    grouped = {*filter(is_called_state, symbols)}
    if begun.isdisjoint(compared | called) and not (shared or grouped):
        return Inferred({})
    found, texts = _read_attributes(methods, source._replace(calls=_list_calls(node)), read)
    _add_first(first, found, source)
    asked = {name for name in found if name in begun and _add_texts(name, found[name], texts)}
    named = {
        name: spell_values(found[name].values)
        for name in filter(begun.__contains__, found)
        if name in compared or (name in called and is_group(found[name].values))
        if _is_known(name, found[name], texts.get(name, ()))
    }
    others = sorted(grouped - named.keys())
    named |= {name: _read_whole(name, found[name], source) for name in others}
    states = {name: choices for name, choices in named.items() if len(choices) > 1}
    parts = tuple(
        SharedState(
            name, _spell_texts(name, found.get(name)), name in begun, name in compared,
            tuple(sorted(texts.get(name, ()))),
        )
        for name in sorted(shared - (states.keys() - asked))
    )  # fmt: skip
    return Inferred(states, parts, frozenset(n for n in states if found[n].is_optional))


def _add_texts(name: str, given: _Attribute, texts: Mapping[str, Collection[str]]) -> bool:
    """Let what is called a state have the texts that it is only asked for; whether there are any.
    Heirs may set them.
    """
    stored = {each.stored for each in given.values}
    others = sorted(each for each in texts.get(name, ()) if each not in stored)
    is_open = given.is_open or len(stored) < 2 or not all(isinstance(e, str) for e in stored)
    if is_open or not is_called_state(name) or not all(map(is_value, others)):
        return False
    given.values += [Value(each, "") for each in others]
    return bool(others)


def _is_known(name: str, given: _Attribute, texts: Collection[str]) -> bool:
    """Whether all that an attribute gets is known, and may be its states. What it is asked for and
    never gets, as texts may be, comes from elsewhere.
    """
    is_given = {*texts} <= {each.stored for each in given.values}
    is_loose = given.is_optional or any(each.is_foreign for each in given.values)
    is_named = is_called_state(name) or name.endswith("mode")
    is_all = bool(given.values) and is_given and not given.is_open
    return is_all and (is_named or not is_loose)


def _read_whole(name: str, given: _Attribute, source: _Source) -> tuple[Choice, ...]:
    """All constants that are named like those that an attribute gets, where it may get any; or are
    numbered in a row with those, and with what it is asked for.
    """
    symbols = {each.symbol for each in given.values if not each.is_foreign}
    row = read_row(symbols | {each.symbol for each, _ in given.asked}, source.file)
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
                elif one is not None and one.symbol.isupper():
                    is_own = _is_own(asked, source) and is_called_state(place)
                    found.setdefault(place, _Attribute()).asked.append((one, is_own))
    for given in found.values():
        asked_for = [one for one, is_own in given.asked if is_own or is_like(one, given.values)]
        given.values += [each for each in asked_for if is_of_kind(each, given.values)]
    return found, texts


def _is_own(value: ast.expr, source: _Source) -> bool:
    """Whether a constant is one of the class."""
    return isinstance(value, ast.Attribute) and spell_dotted(value.value) in source.owners


def _spell_texts(name: str, given: _Attribute | None) -> tuple[str, ...]:
    """The texts that an attribute gets; none where it gets others, or nothing unless it is called a
    state.
    """
    if given is None or given.is_open or (given.is_optional and not is_called_state(name)):
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


def _read_values(value: ast.expr, method: _Function, source: _Source) -> list[Value] | None:
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


def _read_default(name: str, method: _Function, source: _Source) -> list[Value] | None:
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


def _read_given(name: str, method: _Function, source: _Source) -> list[Value] | None:
    """What the class gives the parameter of a method."""
    calls = source.calls.get(method.name, ())
    if not calls:
        return None
    if method.decorator_list or _is_set_again(name, method):
        return None
    found: list[Value] = []
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


def _read_value(node: ast.expr, source: _Source) -> Value | None:
    """A text, or a constant that has a name."""
    match node:
        case ast.Constant(value=str() as text) if text:
            return Value(text, "")
        case ast.Name(id=symbol) if symbol.isupper() and symbol in source.imports:
            return Value((symbol,), symbol, is_foreign=True)
        case ast.Name(id=symbol):
            found = source.file.get(symbol)
        case ast.Attribute(attr=symbol) if spell_dotted(node.value) in source.owners:
            found = source.own.get(symbol)
        case ast.Attribute(value=ast.Name(id=module), attr=symbol) if symbol.isupper():
            is_foreign = module.islower() and module in source.imports
            return Value((module, symbol), symbol, is_foreign=True) if is_foreign else None
        case _:
            return None
    match found:
        case ast.Constant(value=str() as text) if text:
            return Value(text, symbol)
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number) if symbol.isupper():
            return Value(number, symbol)
        case ast.Call(func=ast.Name(id="range" | "object")) if symbol.isupper():
            return Value((symbol,), symbol)
    return None
