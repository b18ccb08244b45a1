"""What methods are given by their class: constants, maybe through other private methods.

::

    def _run(self, pending, running):
        self._move(pending, running)

    def _move(self, old, new):
        self.state = new

``_move`` is given what the calls of ``_run`` have.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.combined_classes import Kin
from git_retcon.allium.extract.python.classes.inferred_values import Value
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import (
    list_read,
    read_own_constants,
    read_touched,
)
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.values.restored_values import is_restored, list_held
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_OWN = frozenset({"self", "cls", "type"})  # the last for ``type(self)``
_ROOTS = frozenset({"ABC", "Generic", "Protocol"})
_DEEPEST = 3  # methods that hand on what they are given


class OwnCall(NamedTuple):
    """A call of an own method, and the method that has it, if any."""

    call: ast.Call
    caller: _Function | None


class Source(NamedTuple):
    """Where values are read: the constants of the file, those of the class, the class's names, the
    names that the file ``imports``, and those of the base classes whose constants are elsewhere.
    ``given`` are attributes of the object that no class has, ``read`` the methods that give
    attributes.
    """

    file: Constants
    own: Constants
    owners: Collection[str]
    calls: Mapping[str, Sequence[OwnCall]]
    imports: Collection[str]
    bases: Collection[str] = ()
    given: Collection[str] = ()
    read: Mapping[str, str] = {}


def open_source(
    node: ast.ClassDef, kin: Kin, constants: Constants, imports: Collection[str]
) -> Source:
    """Where the values of a class are read that has these ``kin``."""
    methods = [each for each in node.body if isinstance(each, _Function)]
    own = {**kin.constants, **read_own_constants(methods), **read_constants(node.body)}
    known = {*imports, *kin.names}
    named = filter(None, map(spell_dotted, node.bases))
    bases = {each for each in named if not known.isdisjoint((each, each.partition(".")[0]))}
    bases -= _ROOTS
    touches = (each for method in methods if bases for each in read_touched(method).touches)
    given = {name for each in touches for name, _ in each.given if name.isupper()}
    owners = {*_OWN, node.name, *kin.names}
    return Source(constants, own, owners, {}, imports, bases, given, list_read(methods))


def read_text(node: ast.expr | None, constants: Constants) -> str:
    """A text as it is, or by the name of a constant; "" for anything else."""
    found = constants.get(node.id) if isinstance(node, ast.Name) else node
    is_text = isinstance(found, ast.Constant) and isinstance(found.value, str)
    return str(found.value) if is_text and isinstance(found, ast.Constant) else ""


def list_calls(node: ast.ClassDef) -> Mapping[str, Sequence[OwnCall]]:
    """The calls of own methods, by name; a method that is handed on has one that says nothing."""
    found: dict[str, list[OwnCall]] = {}
    for item in node.body:
        caller = item if isinstance(item, _Function) else None
        for name, call in _list_calls(caller) if caller is not None else _find_calls(item):
            found.setdefault(name, []).append(OwnCall(call, caller))
    return found


@answer_once
def _list_calls(method: _Function) -> Sequence[tuple[str, ast.Call]]:
    return [*_find_calls(method)]


def _find_calls(node: ast.stmt) -> Iterator[tuple[str, ast.Call]]:
    """The own methods that are called, or handed on, in a part of a class."""
    called: set[ast.expr] = set()
    for each in walk_nodes(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name) as func):
                yield name, each
                called.add(func)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()):
                if each not in called:
                    yield name, ast.Call(each, [], [])


def read_default(name: str, method: _Function, source: Source) -> list[Value] | None:
    """The text that ``__init__`` begins with where its caller gives none."""
    # Of the call, only its defaults matter here.
    none = ast.Call(func=ast.Name(id=method.name), args=[], keywords=[])
    default = bind_arguments(method, none).get(name)
    one = read_value(name_own(default, source), source) if default is not None else None
    is_text = one is not None and isinstance(one.stored, str)
    return [one] if one is not None and is_text and not _is_set_again(name, method) else None


def name_own(value: ast.expr, source: Source) -> ast.expr:
    """A constant of the class, which its body names alone, as its methods name it."""
    if isinstance(value, ast.Name) and value.id in source.own:
        return ast.Attribute(ast.Name("self", ast.Load()), value.id, ast.Load())
    return value


def list_members(node: ast.expr, source: Source) -> Sequence[ast.expr]:
    """What a constant of the class lists, as its methods name it; nothing where it is no list."""
    match node:
        case ast.Attribute(attr=name) if spell_dotted(node.value) in source.owners:
            found = source.own.get(name)
        case _:
            return ()
    match found:
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[value]):
            found = value
    elements = found.elts if isinstance(found, ast.Set | ast.List | ast.Tuple) else ()
    return [name_own(each, source) for each in elements]


def count_asked(name: str, method: _Function) -> int:
    """How many comparisons of a method are about what it is given, and not whether it is."""
    compared = (each for each in walk_nodes(method) if isinstance(each, ast.Compare))
    listed = ((each.left, *each.comparators) for each in compared)
    parts = (each for each in listed if not any(map(is_null, each)))
    return sum(any(isinstance(e, ast.Name) and e.id == name for e in each) for each in parts)


def read_checked(name: str, method: _Function, source: Source) -> list[Value] | None:
    """What a method lets its callers give it: it refuses what a list of constants has not."""
    for node in method.body:
        match node:
            case (
                ast.If(
                    test=ast.Compare(ast.Name(id=asked), [ast.NotIn()], [listed]),
                    body=[*_, ast.Raise()],
                )
                | ast.Assert(test=ast.Compare(ast.Name(id=asked), [ast.In()], [listed]))
            ):
                if asked == name and not _is_set_again(name, method):
                    values = [read_value(each, source) for each in list_members(listed, source)]
                    found = [each for each in values if each is not None]
                    return found if found and len(found) == len(values) else None
    return None


def read_given(
    name: str, method: _Function, source: Source, left: int = _DEEPEST
) -> list[Value] | None:
    """What the class gives the parameter of a method; None where that is open. One that others may
    run as well gets what they have, too: of constants, those that the class names are enough.
    """
    calls = source.calls.get(method.name, ())
    if not calls or not left or method.decorator_list or _is_set_again(name, method):
        return None
    found: list[Value] = []
    is_open = False
    for call, caller in calls:
        given = bind_arguments(method, call).get(name)
        if given is not None and is_null(given) and _asks_whether(name, method):
            continue
        for value in split_choice(given) if given is not None else [None]:
            one = read_value(value, source) if value is not None else None
            if one is not None:
                found.append(one)
                continue
            handed = _read_handed(value, caller, source, left - 1)
            is_given_back = handed is None and _is_given_back(name, method, value, caller, source)
            is_open |= handed is None and not is_given_back
            found += handed or ()
    is_unsure = is_private(method.name) or not all(each.symbol for each in found)
    return None if is_open and is_unsure else found


def _asks_whether(name: str, method: _Function) -> bool:
    """Whether a method asks if it is given something."""
    return any(
        isinstance(each, ast.Compare)
        and isinstance(each.left, ast.Name)
        and each.left.id == name
        and any(map(is_null, each.comparators))
        for each in walk_nodes(method)
    )


def _is_given_back(
    name: str, method: _Function, value: ast.expr | None, caller: _Function | None, source: Source
) -> bool:
    """Whether a method gives an attribute what its caller has kept of the same attribute."""
    given = (pair for each in read_touched(method).touches for pair in each.given)
    places = [place for place, kept in given if isinstance(kept, ast.Name) and kept.id == name]
    return caller is not None and any(
        is_restored(place, value, caller, (), source.read) for place in places
    )


def _read_handed(
    value: ast.expr | None, caller: _Function | None, source: Source, left: int
) -> list[Value] | None:
    """What a private method hands on of what it is given itself."""
    if not isinstance(value, ast.Name) or caller is None or not is_private(caller.name):
        return None
    # A function inside may have a parameter of the same name.
    names = [each.arg for each in walk_nodes(caller) if isinstance(each, ast.arg)]
    is_own = names.count(value.id) == 1 and value.id in {e.arg for e in _list_own(caller)}
    return read_given(value.id, caller, source, left) if is_own else None


def _list_own(method: _Function) -> Sequence[ast.arg]:
    return (*method.args.args, *method.args.kwonlyargs)


def read_local(node: ast.expr, method: _Function, source: Source) -> list[Value] | None:
    """What a variable of a method holds; None where that is open."""
    if not isinstance(node, ast.Name):
        return None
    given = [*list_held(node.id, method)]
    parts = [part for each in given for part in ([each] if each is None else split_choice(each))]
    values = [read_value(each, source) if each is not None else None for each in parts]
    found = [each for each in values if each is not None]
    return found if found and len(found) == len(values) else None


def is_null(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_set_again(name: str, method: _Function) -> bool:
    """Whether a method makes something else of its parameter."""
    return any(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        for each in walk_nodes(method)
    )


def split_choice(value: ast.expr) -> Sequence[ast.expr]:
    if isinstance(value, ast.IfExp):
        return [*split_choice(value.body), *split_choice(value.orelse)]
    return [value]


def read_value(node: ast.expr, source: Source) -> Value | None:
    """A text, or a constant that has a name; what is called a default, or ``STATE``, may be any of
    the others.
    """
    found = _read_named(node, source)
    symbol = found.symbol if found is not None and found.is_foreign else ""
    is_any = symbol.startswith("DEFAULT_") or ("_" not in symbol and is_called_state(symbol))
    return found if not is_any else None


def _read_named(node: ast.expr, source: Source) -> Value | None:
    match node:
        case ast.Constant(value=str() as text) if text:
            return Value(text, "")
        case ast.Name(id=symbol) if symbol.isupper() and symbol in source.imports:
            return Value((symbol,), symbol, is_foreign=True)
        case ast.Name(id=symbol):
            # Some forget that their class has it.
            found = source.file.get(symbol) or source.own.get(symbol)
            if found is None and symbol.isupper() and any(map(_is_star, source.imports)):
                return Value((symbol,), symbol, is_foreign=True)
        case ast.Attribute(attr=symbol) if spell_dotted(node.value) in source.owners:
            found = source.own.get(symbol)
            if found is None and symbol.isupper() and _is_inherited(symbol, source):
                return Value((symbol,), symbol, is_foreign=True)
        case ast.Attribute(value=owner, attr=symbol) if symbol.isupper():
            return _read_part(spell_dotted(owner), symbol, source)
        case _:
            return None
    return _read_constant(node, symbol, found) if found is not None else None


def is_elsewhere(owner: str, symbol: str, source: Source) -> bool:
    """Whether a constant is one of the file, of a module that it imports, or of a class above that
    another file has.
    """
    if owner in source.owners:
        return _is_inherited(symbol, source)
    if owner:
        return owner in source.bases or has_constants(owner, symbol, source)
    has_stars = any(map(_is_star, source.imports))
    return symbol in source.file or symbol in source.imports or has_stars


def _is_star(name: str) -> bool:
    """Whether all names of a module are imported."""
    return name.startswith("*")


def _read_part(owner: str, symbol: str, source: Source) -> Value | None:
    """What is named in capitals of something else."""
    if owner in source.bases:
        return Value((symbol,), symbol, is_foreign=True)
    is_foreign = has_constants(owner, symbol, source)
    return Value((owner, symbol), symbol, is_foreign=True) if is_foreign else None


def _is_inherited(symbol: str, source: Source) -> bool:
    """Whether only a class above that is elsewhere can have a constant."""
    return bool(source.bases) and symbol not in source.given


def _read_constant(node: ast.expr, symbol: str, found: ast.expr) -> Value | None:
    """A constant by what it is; by its name alone where that cannot be read."""
    is_named = _is_constant(node, symbol)
    match found:
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int() as number)) if is_named:
            return Value(-number, symbol)
        case ast.Constant(value=str() as text) if text:
            return Value(text, symbol)
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number) if is_named or symbol[:1].isupper():
            return Value(number, symbol)
        case ast.Call(func=ast.Name(id="range" | "object")) if is_named:
            return Value((symbol,), symbol)
        case ast.Call() if is_named:
            return Value((symbol,), symbol, is_foreign=True)
        case ast.BinOp() | ast.Attribute() | ast.Constant(value=bytes()) if is_named:
            return Value((ast.unparse(found),), symbol, is_foreign=True)
    return None


def has_constants(owner: str, symbol: str, source: Source) -> bool:
    """Whether what is named in capitals of something are constants: of a module that is imported,
    of a class of constants of all kinds, as ``Device.STATE_OPEN`` says by itself, or of a part of
    the object: ``self.device.OPEN``.
    """
    first, _, part = owner.partition(".")
    name = part if first == "self" else owner
    is_known = first in source.imports or (first == "self" and "." not in part)
    is_said = is_called_state(symbol.partition("_")[0]) and not is_named_for_states(get_last(owner))
    return is_known and (name.islower() or "Const" in name or is_said)


def _is_constant(node: ast.expr, symbol: str) -> bool:
    """Whether a name is that of a constant; of those of a class, only the first letter is sure to
    be a capital: ``Order.Created``.
    """
    return symbol.isupper() or (isinstance(node, ast.Attribute) and symbol[:1].isupper())
