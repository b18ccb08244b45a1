"""What fields of attrs are that have no annotation, by what they check or begin with.

::

    status = attr.ib(default=Status.NEW)
    kind = attr.ib(validator=attr.validators.instance_of(Kind))

hold a ``Status`` and a ``Kind``.
"""

import ast
from collections.abc import Iterator

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.type_hints import read_type
from git_retcon.allium.extract.source_facts import ANY, STRING, Type

_CHECKS = frozenset({"instance_of", "optional", "and_"})


def read_attrs_type(call: ast.Call) -> Type:
    """The type of a field that a call declares."""
    words = {each.arg: each.value for each in call.keywords}
    if "type" in words:
        return read_type(words["type"])
    checked = [*_list_checked(words["validator"])] if "validator" in words else []
    begun = words.get("default") or (call.args[0] if call.args else None)
    is_empty = isinstance(begun, ast.Constant) and begun.value is None
    kinds = checked or [_read_begun(begun)]
    return (
        kinds[0]._replace(is_optional=is_empty or kinds[0].is_optional) if kinds[0] != ANY else ANY
    )


def _list_checked(node: ast.expr) -> Iterator[Type]:
    """The types that a validator demands."""
    match node:
        case ast.List(elts=parts) | ast.Call(args=parts):
            name = get_last(spell_dotted(node)) if isinstance(node, ast.Call) else "and_"
        case _:
            return
    if name == "instance_of" and len(parts) == 1 and isinstance(parts[0], ast.Name | ast.Attribute):
        yield read_type(parts[0])
    elif name in _CHECKS:
        for each in parts:
            yield from _list_checked(each)


def _read_begun(node: ast.expr | None) -> Type:
    """The type of what a field begins with: a member of an enum, or a text."""
    match node:
        case ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=name):
            is_member = name.isupper() and get_last(spell_dotted(owner))[:1].isupper()
            return read_type(owner) if is_member else ANY
        case ast.Constant(value=str()):
            return STRING
    return ANY
