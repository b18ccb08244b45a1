"""The defaults of a config: what they are made of, where they lead, and that they end somewhere."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import Braced, Parameter
from git_retcon.allium.language.expressions import (
    Binary,
    Constant,
    Duration,
    Expression,
    Logical,
    Member,
    Name,
    Number,
    Qualified,
    Text,
    Transition,
    Unary,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import walk_tree

_ARITHMETIC = frozenset("+-*/")


def check_configs(scope: Scope) -> Iterator[Finding]:
    """Each parameter of the module's own config, then references to those of imported modules."""
    parameters = [
        item
        for config, _ in scope.find_braced("config")
        if config.name is None
        for item in config.items
        if isinstance(item, Parameter)
    ]
    for parameter in parameters:
        # A comparison binds looser than "=", so what is there is read as the type.
        if isinstance(parameter.type, Binary | Logical | Transition):
            yield from _check_default(parameter.name, parameter.type)
        elif isinstance(parameter.type, Text | Number | Duration | Constant):
            message = f"'{parameter.name.text}' has a value and no type: write 'name: Type = value'"
            code = "allium.config.invalidParameter"
            yield Finding(parameter.name.start, Severity.ERROR, message, code)
        elif parameter.default is not None:
            yield from _check_default(parameter.name, parameter.default)
    yield from _check_cycles(parameters)
    yield from _check_imported(scope)


def _check_default(name: Name, default: Expression) -> Iterator[Finding]:
    """A default is a value, a reference or arithmetic: nothing in it may depend on the state."""
    for node in walk_tree(default):
        match node:
            case Binary(operator=operator) if operator in _ARITHMETIC:
                continue
            case Unary(operator="-"):
                continue
            case Binary() | Logical() | Transition() | Unary():
                message = f"the default of '{name.text}' is more than values and arithmetic"
                code = "allium.config.invalidDefault"
                yield Finding(default.start, Severity.ERROR, message, code)
                return


def _check_cycles(parameters: list[Parameter]) -> Iterator[Finding]:
    names = {parameter.name.text for parameter in parameters}
    reads = {
        parameter.name.text: _list_read(parameter.default, names)
        for parameter in parameters
        if parameter.default is not None
    }
    for parameter in parameters:
        if leads_back(reads, parameter.name.text):
            message = f"the default of '{parameter.name.text}' depends on itself"
            code = "allium.config.circularReference"
            yield Finding(parameter.name.start, Severity.ERROR, message, code)


def _list_read(default: Expression, names: set[str]) -> set[str]:
    """The parameters of the same config that a default reads, with ``config.`` or without."""
    return {
        text
        for node in walk_tree(default)
        for text in (
            node.text if isinstance(node, Name) else "",
            node.field.text if isinstance(node, Member) else "",
        )
        if text in names
    }


def leads_back(edges: Mapping[str, set[str]], start: str) -> bool:
    """Whether a name is on a circle of these edges."""
    seen: set[str] = set()
    stack = [*edges.get(start, ())]
    while stack:
        name = stack.pop()
        if name == start:
            return True
        if name not in seen:
            seen.add(name)
            stack.extend(edges.get(name, ()))
    return False


def _check_imported(scope: Scope) -> Iterator[Finding]:
    """``alias/config.parameter``, and the parameters that an ``alias/config`` block sets."""
    for part in scope.parts:
        for member in part.find(Member):
            match member:
                case Member(target=Qualified(alias=alias, name=Name(text="config")), field=field):
                    yield from _check_parameter(scope, alias.text, field)
        match part.declaration:
            case Braced(kind="config", name=Name(text=imported), items=items):
                for item in items:
                    if isinstance(item, Parameter):
                        yield from _check_parameter(scope, imported, item.name)


def _check_parameter(scope: Scope, alias: str, name: Name) -> Iterator[Finding]:
    target = scope.aliases.get(alias)
    if target is not None and name.text not in target.config:
        message = f"the config of '{alias}' declares no '{name.text}'"
        code = "allium.config.undefinedExternalReference"
        yield Finding(name.start, Severity.ERROR, message, code)
