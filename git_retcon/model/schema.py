"""Does a JSON value fit a schema? The part of JSON Schema that our tools and answers use.

type (one name or several), enum, const, required, properties, additionalProperties (false or a
schema), items, minItems, maxItems, anyOf. Anything else in a schema is ignored here: the model
reads it, and the code that uses the value must check it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from git_retcon.model.messages import Json

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    # To Python, true is an integer; to JSON it is not.
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def fault_in(value: Any, schema: Json) -> str | None:
    """The first thing wrong with a value, in words for the model; None where it fits."""
    return next(_list_faults(value, schema, ""), None)


def _list_faults(value: Any, schema: Json, place: str) -> Iterator[str]:
    where = f"'{place}'" if place else "it"
    if "anyOf" in schema:
        if all(fault_in(value, choice) for choice in schema["anyOf"]):
            yield f"{where} fits none of the shapes allowed"
        return
    allowed = schema.get("type", ())
    names = (allowed,) if isinstance(allowed, str) else tuple(allowed)
    # Of a value of the wrong type, all else would be wrong too; one fault is enough to repair.
    if names and not any(_TYPES[name](value) for name in names):
        yield f"{where} must be of type {' or '.join(names)}"
        return
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices is not None and value not in choices:
        yield f"{where} must be one of {', '.join(map(repr, choices))}"
    if isinstance(value, Mapping):
        yield from _object_faults(value, schema, place)
    elif isinstance(value, list):
        yield from _array_faults(value, schema, place)


def _object_faults(value: Mapping[str, Any], schema: Json, place: str) -> Iterator[str]:
    prefix = f"{place}." if place else ""
    for name in schema.get("required", ()):
        if name not in value:
            yield f"'{prefix}{name}' is missing"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties")
    for name, item in value.items():
        if name in properties:
            yield from _list_faults(item, properties[name], f"{prefix}{name}")
        elif others is False:
            yield f"'{prefix}{name}' is unknown"
        elif isinstance(others, Mapping):
            yield from _list_faults(item, others, f"{prefix}{name}")


def _array_faults(value: list[Any], schema: Json, place: str) -> Iterator[str]:
    where = f"'{place}'" if place else "it"
    if len(value) < schema.get("minItems", 0):
        yield f"{where} needs at least {schema['minItems']} items"
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{where} may have at most {schema['maxItems']} items"
    items = schema.get("items")
    if isinstance(items, Mapping):
        for index, item in enumerate(value):
            yield from _list_faults(item, items, f"{place}[{index}]")
