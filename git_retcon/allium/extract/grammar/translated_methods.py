"""Methods of other languages as ones of Python, with what their parameters are."""

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.calls import name_call
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.python.syntax.local_values import Function, inline_values
from git_retcon.allium.extract.spelling import spell_words


class Method(NamedTuple):
    """One method as one of Python, with ``self`` for its object.

    ``member`` is what bodies call it: a property has its name, others are called.
    """

    symbol: str
    node: Function
    member: str


class Parameter(NamedTuple):
    """A parameter of a method; booleans may be conditions by themselves. One that ``takes_rest``
    gets all that the others do not, one with a ``default`` gets that where a call gives nothing.
    """

    name: str
    is_boolean: bool = False
    takes_rest: bool = False
    default: ast.expr | None = None


def make_method(symbol: str, parameters: Iterable[Parameter], body: Statements) -> Method:
    """A method with a translated body."""
    return _make_method(symbol, parameters, body, name_call(symbol))


def make_property(symbol: str, body: Statements) -> Method:
    """A property with a translated body."""
    return _make_method(symbol, (), body, symbol)


def _make_method(
    symbol: str, parameters: Iterable[Parameter], body: Statements, member: str
) -> Method:
    given = [*parameters]
    rest = next((ast.arg(each.name) for each in given if each.takes_rest), None)
    named = [each for each in given if not each.takes_rest]
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg("self"), *map(_make_argument, named)], vararg=rest,
        kwonlyargs=[], kw_defaults=[], defaults=_list_defaults(named),
    )  # fmt: skip
    name = spell_words(symbol)
    node: Function = ast.FunctionDef(
        name=name, args=arguments, body=body or [ast.Pass()], decorator_list=[]
    )
    return Method(symbol, inline_values(node), member)


def _list_defaults(parameters: Sequence[Parameter]) -> list[ast.expr]:
    """Those of the last parameters, as Python has them."""
    found: list[ast.expr] = []
    for each in reversed(parameters):
        if each.default is None:
            break
        found.insert(0, each.default)
    return found


def _make_argument(parameter: Parameter) -> ast.arg:
    annotation = ast.Name("bool") if parameter.is_boolean else None
    return ast.arg(parameter.name, annotation=annotation)
