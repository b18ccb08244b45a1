"""Values are held against the part of JSON Schema that is used here."""

from typing import Any

import pytest

from git_retcon.model.api_format import close_objects
from git_retcon.model.schema import fault_in

POINT = {
    "type": "object",
    "properties": {
        "x": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "note": {"type": ["string", "null"]},
        "at": {"anyOf": [{"type": "number"}, {"const": "here"}]},
    },
    "required": ["x"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "value", [{"x": 1}, {"x": 0, "tags": ["a"], "note": None, "at": "here"}, {"x": 1, "at": 0.5}]
)
def test_what_fits(value: Any) -> None:
    assert fault_in(value, POINT) is None


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "it must be of type object"),
        ({}, "'x' is missing"),
        ({"x": True}, "'x' must be of type integer"),
        ({"x": 1.0}, "'x' must be of type integer"),
        ({"x": 1, "y": 2}, "'y' is unknown"),
        ({"x": 1, "tags": []}, "'tags' needs at least 1 items"),
        ({"x": 1, "tags": ["a", "b", "c"]}, "'tags' may have at most 2 items"),
        ({"x": 1, "tags": ["a", 2]}, "'tags[1]' must be of type string"),
        ({"x": 1, "note": 2}, "'note' must be of type string or null"),
        ({"x": 1, "at": "there"}, "'at' fits none of the shapes allowed"),
    ],
)
def test_what_does_not_fit_is_named(value: Any, fault: str) -> None:
    assert fault_in(value, POINT) == fault


def test_objects_are_closed_at_every_depth() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": inner}}}
    made = close_objects(schema)
    assert made["additionalProperties"] is False
    assert made["properties"]["list"]["items"]["additionalProperties"] is False
    assert "additionalProperties" not in schema
