"""Classes whose fields are what ``__init__`` gives to ``self``."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.classes import ReadClass, find_states
from git_retcon.allium.extract.python.classes.combined_classes import Kin
from git_retcon.allium.extract.python.flow.own_flags import OwnFlags, read_own_flags
from git_retcon.allium.extract.python.machines.class_machines import make_field, read_machine
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_constants
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_set
from git_retcon.allium.extract.python.syntax.type_hints import read_type
from git_retcon.allium.extract.python.values.given_members import list_given_enums
from git_retcon.allium.extract.python.values.given_values import read_text
from git_retcon.allium.extract.python.values.inferred_states import Inferred, infer_states
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    Evidence,
    Field,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import spell_field_name, spell_type_name
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# How the source may keep a state: by a text, a number, or a constant from elsewhere.
_STORED = frozenset({"String", "Integer", ""})


class Neighbours(NamedTuple):
    """What a class may name of its file: constants, imports, enums, classes that objects are made
    of, and the classes above and below it.
    """

    constants: Constants
    imports: Collection[str]
    enums: Collection[str]
    made: Set[str]
    kin: Kin


def read_plain_class(
    path: bytes, symbol: str, node: ast.ClassDef, near: Neighbours
) -> ReadClass | None:
    """A class whose fields are what ``__init__`` gives to ``self``: only its behaviour can tell
    whether it is an entity.
    """
    name = spell_type_name(symbol)
    methods = [each for each in node.body if isinstance(each, _Function)]
    start = next((each for each in methods if each.name == "__init__"), None)
    begun, flags = [*_list_begun(node)], read_own_flags(node)
    bases = tuple(filter(None, map(spell_dotted, node.bases)))
    constants, owners = near.constants, {node.name, *near.kin.names}
    inferred = infer_states(node, constants, _list_first(node), near.imports, near.kin)
    machine = read_machine(node, {**constants, **read_constants(node.body)})
    is_found = any(flags) or inferred.states or inferred.shared or machine
    enums = _list_enums(methods, {*owners, *near.made, *bases})
    if name is None or not (start or begun or is_found or enums):
        return None
    body = start.body if start is not None else []
    parameters = _list_parameters(start.args) if start is not None else {}
    fields: dict[str, Field] = {}
    states: dict[str, States] = {}
    for name_in_class, item in (*_list_assignments(body), *_list_called(node, body), *begun):
        spelled = spell_field_name(name_in_class.lstrip("_"))
        kind = _infer_type(item, _follow_text(item.value, parameters, constants), parameters, near)
        is_known = spelled in {each.name for each in fields.values()}
        if spelled is not None and kind is not None and not is_known:
            fields[name_in_class] = Field(spelled, kind, name_in_class)
            states[name_in_class] = find_states(kind)
    if machine is not None:
        place, found = make_field(machine)
        fields[machine.field], states[machine.field] = place, found
    _add_enums(enums, fields, states)
    _add_inferred(inferred, fields, states)
    _add_flags(flags, fields)
    if not (fields or inferred.shared):
        return None
    shape = Shape("plain", name, (Evidence(path, symbol),), tuple(fields.values()))
    switched = tuple(sorted(fields[each].name for each in flags.switched & fields.keys()))
    shape = shape._replace(bases=bases, switched=switched, shared=inferred.shared)
    return ReadClass(shape, states)


def _list_enums(methods: Sequence[_Function], others: Set[str]) -> Mapping[str, str]:
    """The enums of attributes. What a class has of its own or of ``others``, as of a base class,
    are constants.
    """
    found = list_given_enums(methods)
    return {name: enum for name, enum in found.items() if enum not in others}


def _add_flags(flags: OwnFlags, fields: dict[str, Field]) -> None:
    """Booleans that the class switches, and what its refusals ask to be there."""
    kinds = dict.fromkeys(sorted(flags.asked), ANY._replace(is_optional=True))
    kinds |= {**dict.fromkeys(sorted(flags.switched), BOOLEAN), **flags.searched}
    for symbol, kind in kinds.items():
        spelled = spell_field_name(symbol.lstrip("_"))
        if spelled is not None and all(each.name != spelled for each in fields.values()):
            fields[symbol] = Field(spelled, kind, symbol)


def _add_enums(
    found: Mapping[str, str], fields: dict[str, Field], states: dict[str, States]
) -> None:
    """Fields that methods alone give members of enums: joining finds out which these are."""
    for attribute, enum in found.items():
        spelled = spell_field_name(attribute.lstrip("_"))
        if spelled is not None and all(each.name != spelled for each in fields.values()):
            fields[attribute] = Field(spelled, Type("", source=enum), attribute)
            states[attribute] = States(enum=enum)


def _add_inferred(inferred: Inferred, fields: dict[str, Field], states: dict[str, States]) -> None:
    """Fields whose values only their assignments show."""
    for attribute, choices in inferred.states.items():
        spelled = spell_field_name(attribute.lstrip("_"))
        is_open = attribute not in fields or fields[attribute].type.name in _STORED
        if spelled is not None and is_open and not states.get(attribute, States()).choices:
            values = tuple(each.name for each in choices)
            # A plain one beside it cannot have its name.
            for other in [n for n, each in fields.items() if each.name == spelled]:
                if other not in inferred.states and fields[other].type.name in _STORED:
                    del fields[other]
                    states.pop(other, None)
            fields[attribute] = Field(
                spelled,
                Type("", values=values, is_optional=attribute in inferred.optional),
                attribute,
            )
            # Behind the enums: what those say of an operation is surer.
            states.pop(attribute, None)
            states[attribute] = States(choices=choices)


def _list_begun(node: ast.ClassDef) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """The attributes that the class gives a member of an enum, and methods another one; and those
    that it gives a type, and methods set.
    """
    found: dict[str, ast.Assign] = {}
    declared: dict[str, ast.AnnAssign] = {}
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute()):
                found[name] = item
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                if value is not None or name.startswith("_"):
                    declared[name] = item
    for target, value in _list_given(node) if _may_set_any(node, {*found, *declared}) else ():
        match target, value:
            case ast.Attribute(value=ast.Name(id="self"), attr=name), _ if name in declared:
                yield name, declared.pop(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name), ast.Attribute():
                if name in found and _name_owner(value) == _name_owner(found[name].value):
                    yield name, found.pop(name)


def _may_set_any(node: ast.ClassDef, names: Set[str]) -> bool:
    """Whether anything in a class sets one of these attributes: a first look."""
    return bool(names) and not all(
        names.isdisjoint(list_set(item))
        if isinstance(item, _Function)
        else names.isdisjoint(e.attr for e in walk_nodes(item) if isinstance(e, ast.Attribute))
        for item in node.body
    )


def _list_given(node: ast.ClassDef) -> Iterator[tuple[ast.expr, ast.expr]]:
    for each in walk_nodes(node):
        if isinstance(each, ast.Assign):
            yield from ((target, each.value) for target in each.targets)


def _name_owner(node: ast.expr) -> str:
    return spell_dotted(node).rpartition(".")[0]


def _list_assignments(
    body: Iterable[ast.stmt],
) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """The attributes of ``self`` that statements set, each with its statement; of those that a
    condition decides on, what may be members of an enum.
    """
    for item in body:
        if isinstance(item, ast.Assign | ast.AnnAssign):
            for target in item.targets if isinstance(item, ast.Assign) else [item.target]:
                if isinstance(target, ast.Attribute) and spell_dotted(target.value) == "self":
                    yield target.attr, item
        elif isinstance(item, ast.If):
            yield from _list_members([*_list_assignments([*item.body, *item.orelse])])


def _list_members(
    given: Sequence[tuple[str, ast.Assign | ast.AnnAssign]],
) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """The attributes that are given members of one enum alone."""
    owners: dict[str, set[str]] = {}
    for name, each in given:
        is_member = isinstance(each.value, ast.Attribute)
        owner = _name_owner(each.value) if is_member and each.value is not None else ""
        owners.setdefault(name, set()).add(owner)
    yield from (each for each in given if len(owners[each[0]]) == 1 and "" not in owners[each[0]])


def _list_called(
    node: ast.ClassDef, body: Iterable[ast.stmt]
) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """The attributes to which ``__init__`` has methods give members of an enum, or a type:
    ``self.reset()``.
    """
    called = {
        call.func.attr
        for each in body
        if isinstance(each, ast.Expr) and isinstance(call := each.value, ast.Call)
        if isinstance(call.func, ast.Attribute) and spell_dotted(call.func.value) == "self"
    }
    for method in node.body if called else ():
        if isinstance(method, ast.FunctionDef) and method.name in called:
            given = [*_list_assignments(method.body)]
            yield from _list_members([e for e in given if isinstance(e[1], ast.Assign)])
            yield from (each for each in given if isinstance(each[1], ast.AnnAssign))


def _list_first(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    """The attributes that the class lets begin with a constant of its own, and states that it lets
    begin with a text, none, or a constant of a module.
    """
    own = (each for each in node.body if isinstance(each, ast.Assign))
    return {
        target.id: each.value
        for each in own
        for target in each.targets
        if isinstance(target, ast.Name)
        if (isinstance(each.value, ast.Name) and each.value.id.isupper())
        or (is_called_state(target.id) and (_is_text(each.value) or _is_of_module(each.value)))
    }


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str | None)


def _is_of_module(value: ast.expr) -> bool:
    """Whether a value is named in capitals of what is written small: ``states.OPEN``."""
    is_constant = isinstance(value, ast.Attribute) and value.attr.isupper()
    return is_constant and _name_owner(value).islower()


class _Parameter(NamedTuple):
    annotation: ast.expr | None
    default: ast.expr | None


def _list_parameters(arguments: ast.arguments) -> Mapping[str, _Parameter]:
    last = [*arguments.args[len(arguments.args) - len(arguments.defaults) :]]
    defaults = dict(zip((each.arg for each in last), arguments.defaults, strict=False))
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    defaults |= {each.arg: value for each, value in named if value is not None}
    return {
        each.arg: _Parameter(each.annotation, defaults.get(each.arg))
        for each in (*arguments.args, *arguments.kwonlyargs)
    }


def _follow_text(
    value: ast.expr | None, parameters: Mapping[str, _Parameter], constants: Constants
) -> ast.expr | None:
    """The text that a constant of the file is; anything else as it is."""
    is_constant = isinstance(value, ast.Name) and value.id not in parameters
    found = constants.get(value.id) if is_constant and isinstance(value, ast.Name) else None
    return found if read_text(found, {}) else value


def _infer_type(
    item: ast.stmt,
    value: ast.expr | None,
    parameters: Mapping[str, _Parameter],
    near: Neighbours,
) -> Type | None:
    if isinstance(item, ast.AnnAssign):
        return read_type(item.annotation)
    match value:
        case ast.BoolOp(op=ast.Or(), values=[*_, ast.Attribute() as last]):
            value = last
        case ast.IfExp(body=ast.Attribute() as first, orelse=ast.Attribute() as other):
            value = first if _name_owner(first) == _name_owner(other) else None
    if isinstance(value, ast.Name) and value.id in parameters:
        parameter = parameters[value.id]
        if parameter.annotation is not None:
            return read_type(parameter.annotation)
        value = parameter.default if isinstance(parameter.default, ast.Attribute) else None
    if isinstance(value, ast.Constant):
        names = {bool: "Boolean", int: "Integer", float: "Decimal", str: "String"}
        name = names.get(type(value.value))
        return Type(name) if name else None
    if isinstance(value, ast.Attribute):
        # A member of an enum, if its owner is one: joining finds out.
        owner, _, member = spell_dotted(value).rpartition(".")
        is_named = member[:1].isupper() and is_named_for_states(owner)
        # What is written small may be anything else that a class has, but of an enum.
        is_member = member.isupper() or is_named or owner in near.enums
        if (
            is_member
            and (owner in near.enums or owner not in near.made)
            and get_last(owner).lstrip("_")[:1].isupper()
        ):
            return Type("", source=owner)
    return None
