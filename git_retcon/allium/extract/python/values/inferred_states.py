"""The states of attributes that a class sets to constants alone, and compares with them."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.combined_classes import Kin
from git_retcon.allium.extract.python.classes.inferred_values import (
    Value,
    is_group,
    spell_values,
)
from git_retcon.allium.extract.python.classes.named_constants import read_group, read_row
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.names import is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import (
    list_begun,
    list_compared,
    list_owned,
    list_read,
    list_set_values,
    list_texts,
    read_touched,
)
from git_retcon.allium.extract.python.values.attribute_values import AttributeValues, read_number
from git_retcon.allium.extract.python.values.given_values import (
    Source,
    count_asked,
    is_elsewhere,
    is_null,
    list_calls,
    list_members,
    name_own,
    open_source,
    read_checked,
    read_default,
    read_given,
    read_local,
    read_value,
)
from git_retcon.allium.extract.python.values.listed_states import may_list, read_listed
from git_retcon.allium.extract.python.values.restored_values import is_restored
from git_retcon.allium.extract.python.values.shown_states import is_heir, may_show_states
from git_retcon.allium.extract.source_facts import Choice, SharedState
from git_retcon.allium.extract.spelling import is_value
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ALONE = Kin()


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
    kin: Kin = _ALONE,
) -> Inferred:
    """What a class shows of the attributes that it sets to constants, which its ``kin`` have, too.
    ``first`` is what its body lets attributes begin with.
    """
    methods = [each for each in node.body if isinstance(each, _Function)]
    if not may_show_states(node, methods, first):
        return Inferred({})
    source = open_source(node, kin, constants, imports)
    symbols = _list_all_owned(methods, source)
    owned = {name for name, each in symbols.items() if len(each) > 1}
    begun = {*first, *list_begun(methods), *owned} - {*_list_open(methods, source, owned)}
    read, texts_set = list_read(methods), {name for each in methods for name in list_texts(each)}
    shared = {*texts_set} if is_heir(node) else begun & texts_set
    compared = {read.get(name, name) for each in methods for name in list_compared(each)}
    called = {*filter(is_called_state, begun if constants or imports else begun & texts_set)}
    grouped = {*filter(is_called_state, symbols)}
    kept = (read.get(n, n) for n in (*first, *list_begun(methods)) if not n.isupper())
    listed = {*filter(is_called_state, kept if may_list(source) else ())}
    if begun.isdisjoint(compared | called) and not (shared or grouped or listed):
        return Inferred({})
    found, texts = _read_attributes(methods, source._replace(calls=list_calls(node)), read)
    _add_first(first, found, source)
    asked = {name for name in found if name in begun and _add_texts(name, found[name], texts)}
    own = filter(lambda each: each[0] in begun, found.items())
    named = dict(_list_known(own, compared, called, texts, source))
    states = named | {n: _read_whole(n, found[n], source) for n in sorted(grouped - named.keys())}
    for name in sorted(listed & found.keys()):
        known = _list_given(name, found, texts, read)
        whole = read_listed(name, known, methods, source)
        states[name] = max(states.get(name, ()), whole, key=len)
    states = {name: choices for name, choices in states.items() if len(choices) > 1}
    parts = tuple(
        _share_state(each, found.get(each), begun, compared, texts.get(each, ()))
        for each in sorted(shared - (states.keys() - asked))
        if read.get(each) not in states
    )
    return Inferred(states, parts, frozenset(n for n in states if found[n].is_optional))


def _list_known(
    found: Iterable[tuple[str, AttributeValues]],
    compared: Collection[str],
    called: Collection[str],
    texts: Mapping[str, Collection[str]],
    source: Source,
) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """The attributes whose values are all known, with these."""
    for name, given in found:
        is_stateful = name in compared or (name in called and is_group(given.values))
        if is_stateful and _is_known(name, given, texts.get(name, ())):
            choices = spell_values(given.values)
            yield name, _add_counted(choices, source) if is_called_state(name) else choices


def _add_counted(choices: tuple[Choice, ...], source: Source) -> tuple[Choice, ...]:
    """States with all others that the same range numbers: ``OFF, ON, BROKEN = range(3)``. Where
    theirs begin with the same word, others that do not are something else.
    """
    symbols = {each.symbol for each in choices}
    first = {each.partition("_")[0] for each in symbols}
    for constants in (source.own, source.file):
        ranges = {id(constants.get(each)) for each in symbols}
        node = constants.get(min(symbols, default=""))
        if len(choices) < 2 or len(ranges) > 1 or not isinstance(node, ast.Call):
            continue
        row = {symbol: None for symbol, each in constants.items() if each is node}
        others = [e for e in row if len(first) > 1 or e.partition("_")[0] in first]
        row = {each.symbol: None for each in choices} | dict.fromkeys(others)
        found = spell_values([Value((each,), each) for each in row if each.isupper()])
        return found if symbols <= {each.symbol for each in found} else choices
    return choices


def _share_state(
    name: str,
    given: AttributeValues | None,
    begun: Collection[str],
    compared: Collection[str],
    texts: Collection[str],
) -> SharedState:
    asked = tuple(sorted(texts))
    return SharedState(name, _spell_texts(name, given), name in begun, name in compared, asked)


def _add_texts(name: str, given: AttributeValues, texts: Mapping[str, Collection[str]]) -> bool:
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


def _is_known(name: str, given: AttributeValues, texts: Collection[str]) -> bool:
    """Whether all that an attribute gets is known, and may be its states. What it is asked for and
    never gets, as texts may be, comes from elsewhere.
    """
    is_given = {*texts} <= {each.stored for each in given.values}
    is_loose = given.is_optional or any(each.is_foreign for each in given.values)
    is_named = is_called_state(name) or name.endswith("mode")
    is_all = bool(given.values) and is_given and not given.is_open
    return is_all and (is_named or not is_loose)


def _list_given(
    name: str,
    found: Mapping[str, AttributeValues],
    texts: Mapping[str, Collection[str]],
    read: Mapping[str, str],
) -> Sequence[Value]:
    """What an attribute gets, also by its property, and what it is asked for."""
    places = (name, *(each for each, place in read.items() if place == name))
    given = [value for each in places if each in found for value in found[each].values]
    return [*given, *(Value(each, "") for each in texts.get(name, ()))]


def _read_whole(name: str, given: AttributeValues, source: Source) -> tuple[Choice, ...]:
    """All constants that are named like those that an attribute gets, where it may get any; or are
    numbered in a row with those, and with what it is asked for.
    """
    symbols = {each.symbol for each in given.values if not each.is_foreign}
    row = read_row(symbols | {each.symbol for each, _ in given.asked}, source.file)
    if row or len(symbols) < 2 or "" in symbols:
        return row
    choices = read_group(name, min(symbols), {**source.file, **source.own})
    return choices if symbols <= {each.symbol for each in choices} else ()


def _list_all_owned(methods: Sequence[_Function], source: Source) -> Mapping[str, Collection[str]]:
    """The attributes that methods set to constants, whichever comes first, with those: objects of
    frameworks begin elsewhere than in ``__init__``. What has the constants of others is called a
    state.
    """
    found: dict[str, set[str]] = {}
    for method in methods:
        for name, dotted in list_owned(method):
            owner, _, symbol = dotted.rpartition(".")
            is_own = owner in source.owners and symbol in source.own
            if is_own or (is_called_state(name) and is_elsewhere(owner, symbol, source)):
                found.setdefault(name, set()).add(symbol)
    return found


def _add_first(
    first: Mapping[str, ast.expr], found: dict[str, AttributeValues], source: Source
) -> None:
    """What attributes get that begin with these values, which come first."""
    for name, value in first.items():
        one = read_value(name_own(value, source), source)
        given = AttributeValues()
        given.add(value, [one] if one is not None else [] if is_null(value) else None)
        known = found.get(name, AttributeValues())
        given.values += known.values
        given.is_open |= known.is_open
        given.is_optional |= known.is_optional
        found[name] = given


def _read_attributes(
    methods: Sequence[_Function], source: Source, read: Mapping[str, str]
) -> tuple[dict[str, AttributeValues], Mapping[str, set[str]]]:
    """What attributes get, and the texts that comparisons ask for. ``read`` are the methods that
    give attributes.
    """
    found: dict[str, AttributeValues] = {}
    texts: dict[str, set[str]] = {}
    begun = {*_list_handed(methods)}
    for method in methods:
        for each in read_touched(method).touches:
            for attribute, value in each.given:
                values = _read_values(value, method, source) if value is not None else None
                given = found.setdefault(attribute, AttributeValues())
                number = read_number(value) if is_called_state(attribute) else None
                is_begun = method.name == "__init__" and is_called_state(attribute)
                if number is not None:
                    (given.begin if is_begun else given.add_number)(number)
                    continue
                if values is None and is_called_state(attribute):
                    values = [] if is_restored(attribute, value, method, methods, read) else None
                if values is None and isinstance(value, ast.Name):
                    handed, is_known = _read_variable(value.id, method, source)
                    given.values += handed
                    values = [] if is_known and is_called_state(attribute) else None
                if method.name == "__init__" and attribute in begun:
                    given.is_handed, values = True, values or []
                if is_begun and values is None and value is not None:
                    given.begin(None)
                else:
                    given.add(value, values)
            for name, asked in _list_asked(each.asked, source):
                place = read.get(name, name)
                one = read_value(asked, source)
                if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
                    texts.setdefault(place, set()).add(asked.value)
                elif one is not None and one.symbol[:1].isupper():
                    is_own = _is_own(asked, source) and is_called_state(place)
                    found.setdefault(place, AttributeValues()).asked.append((one, is_own))
    for given in found.values():
        given.close()
        given.values += given.list_asked()
    return found, texts


def _read_variable(name: str, method: _Function, source: Source) -> tuple[Sequence[Value], bool]:
    """What a class gives a variable of a method, and whether callers outside give a state of the
    same ones, as far as the class says.
    """
    listed = read_checked(name, method, source)
    handed = listed or read_given(name, method, source) or ()
    return handed, bool(handed) and count_asked(name, method) == bool(listed)


def _list_asked(
    compared: Iterable[tuple[str, ast.expr]], source: Source
) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that comparisons are about, with all that these ask for, also by the name of a
    collection of the class.
    """
    for name, asked in compared:
        if isinstance(asked, ast.Starred):
            yield from ((name, each) for each in list_members(asked.value, source))
        else:
            yield name, asked


def _is_own(value: ast.expr, source: Source) -> bool:
    """Whether a constant is one of the class."""
    return isinstance(value, ast.Attribute) and spell_dotted(value.value) in source.owners


def _spell_texts(name: str, given: AttributeValues | None) -> tuple[str, ...]:
    """The texts that an attribute gets; none where it gets others, or nothing unless it is called a
    state.
    """
    if given is None or given.is_open or (given.is_optional and not is_called_state(name)):
        return ()
    texts = [each.stored for each in given.values if isinstance(each.stored, str)]
    is_plain_text = len(texts) == len(given.values) and all(map(is_value, texts))
    return tuple(dict.fromkeys(texts)) if is_plain_text else ()


def _list_open(
    methods: Sequence[_Function], source: Source, owned: Collection[str]
) -> Iterator[str]:
    """The attributes that ``__init__`` itself gives anything else: most classes have no others. The
    ``owned`` ones are given constants, of which it may be one where they are called states.
    """
    start = next((each for each in reversed(methods) if each.name == "__init__"), None)
    handed = {*_list_handed(methods)}
    for node in start.body if start is not None else ():
        for name, value in list_set_values(node):
            if start is None or name in handed:
                continue
            if is_called_state(name) and (name in owned or read_number(value) is not None):
                continue
            if value is None or _read_values(value, start, source) is None:
                yield name


def _list_handed(methods: Sequence[_Function]) -> Iterator[str]:
    """The states that ``__init__`` sets once, to what its caller must give, and that methods set to
    texts.
    """
    start = next((each for each in reversed(methods) if each.name == "__init__"), None)
    if start is None:
        return
    arguments = start.args
    least = {e.arg for e in arguments.args[: len(arguments.args) - len(arguments.defaults)]}
    given = [pair for each in read_touched(start).touches for pair in each.given]
    for name, value in given:
        is_once = sum(other == name for other, _ in given) == 1
        is_given = isinstance(value, ast.Name) and value.id in least
        is_stateful = is_called_state(name) and sum(name in list_texts(e) for e in methods) > 1
        if is_once and is_given and is_stateful:
            yield name


def _drop_given(value: ast.expr, parameters: Collection[str]) -> ast.expr:
    """What an attribute begins with where a caller of ``__init__`` gives it nothing."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), other]) if name in parameters:
            return other
        case ast.IfExp(
            test=ast.Compare(ast.Name(id=asked), [ast.Is() | ast.IsNot()], [ast.Constant(None)]),
            body=body,
            orelse=other,
        ) if asked in parameters:
            given, begun = (other, body) if isinstance(other, ast.Name) else (body, other)
            return begun if isinstance(given, ast.Name) and given.id == asked else value
    return value


def _read_values(value: ast.expr, method: _Function, source: Source) -> list[Value] | None:
    """What an attribute may get; None where that is open."""
    names = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
    if method.name == "__init__":
        value = _drop_given(value, names)
    if isinstance(value, ast.IfExp):
        yes = _read_values(value.body, method, source)
        no = _read_values(value.orelse, method, source)
        return [*yes, *no] if yes is not None and no is not None else None
    if is_null(value):
        return []
    if isinstance(value, ast.Name) and value.id in names:
        if any(getattr(mark, "attr", "") == "setter" for mark in method.decorator_list):
            return []  # what sets the property says it
        is_start = method.name == "__init__"
        if not is_start and not is_private(method.name):
            return None  # others may give it anything
        read = read_default if is_start else read_given
        return read(value.id, method, source)
    one = read_value(value, source)
    return [one] if one is not None else read_local(value, method, source)
