"""States of data classes and models that are texts or numbers by their type.

::

    @dataclass
    class Job:
        QUEUED = "queued"
        DONE = "done"
        status: str = QUEUED

A field that is called a state and begins with a constant goes through those that the class gives
it; where the class leaves that to others, through all of its own.
"""

import ast
from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.classes.named_constants import name_stored
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_constants
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.values.inferred_states import infer_states
from git_retcon.allium.extract.source_facts import ANY, Choice, Field, Type
from git_retcon.allium.extract.spelling import is_value
from git_retcon.allium.extract.state_words import is_called_state

_STORED = frozenset({"String", "Integer", ANY.name})
_MOST = 24  # states of one field
_FIELDS = frozenset({"field", "Field", "mapped_column", "ib", "attrib"})


def add_states(node: ast.ClassDef, read: ReadClass, constants: Constants) -> ReadClass:
    """The class with the states of its fields that constants say, where any are."""
    open_fields = {
        each.symbol: each
        for each in read.shape.fields
        if is_called_state(each.symbol) and each.type.name in _STORED and not each.type.source
    }
    begun = dict(_list_begun(node, open_fields)) if open_fields else {}
    found = {}
    inferred = infer_states(node, constants, begun).states if begun else {}
    for symbol, value in begun.items():
        known = inferred.get(symbol, ())
        choices = _list_own(node, value, known) or known
        kind, states = _give(open_fields[symbol], choices)
        if not choices:
            kind, states = name_stored(open_fields[symbol], value, constants)
        if states.choices:
            found[symbol] = kind, states
    if not found:
        return read
    fields = tuple(
        each._replace(type=found[each.symbol][0]) if each.symbol in found else each
        for each in read.shape.fields
    )
    named = {symbol: each for symbol, (_, each) in found.items()}
    return read._replace(shape=read.shape._replace(fields=fields), states={**read.states, **named})


def _list_begun(node: ast.ClassDef, fields: Mapping[str, Field]) -> Iterator[tuple[str, ast.expr]]:
    """What these fields begin with: ``PENDING``, ``field(default=PENDING)``."""
    for item in node.body:
        match item:
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as call)
                | ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call)
            ) if name in fields and get_last(spell_dotted(call)) in _FIELDS:
                words = {each.arg: each.value for each in call.keywords}
                given = words.get("default") or (call.args[0] if call.args else None)
                if given is not None:
                    yield name, given
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                if name in fields:
                    yield name, value


def _give(field: Field, choices: tuple[Choice, ...]) -> tuple[Type, States]:
    values = tuple(each.name for each in choices)
    kind = Type("", values=values, is_optional=field.type.is_optional)
    return kind, States(choices=choices)


def _list_own(node: ast.ClassDef, begun: ast.expr, known: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The constants of a class, one of which a field begins with, where the class uses no other
    than those that are known to be states.
    """
    own = {
        name: str(value.value)
        for name, value in read_constants(node.body).items()
        if name.isupper() and isinstance(value, ast.Constant) and isinstance(value.value, str)
    }
    first = own.get(spell_dotted(begun)) or (
        begun.value if isinstance(begun, ast.Constant) else None
    )
    parts = (each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute))
    used = {own[name] for name in parts if name in own}
    is_apart = 1 < len({*own.values()}) == len(own) <= _MOST and all(map(is_value, own.values()))
    is_open = not used <= {each.stored for each in known}
    if first not in own.values() or is_open or not is_apart:
        return ()
    return tuple(Choice(text, name, text) for name, text in own.items())
