import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.expressions.functions import FUNCTIONS, MAX_NESTING, Memory
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import Value, make_value
from tests.heal.workflows.expressions.test_conformance import to_plain

JSON = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers(-(10**14), 10**14).map(float),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3).map(str.upper), inner),
    max_leaves=10,
)


def call(function: str, *arguments: Value) -> Value:
    return FUNCTIONS[function](arguments, Memory())


@given(JSON)
def test_what_tojson_writes_fromjson_reads(plain: object) -> None:
    text = call("tojson", make_value(plain))
    assert to_plain(call("fromjson", text)) == plain
    assert json.loads(str(text)) == plain


def test_json_that_github_does_not_read_is_refused() -> None:
    for text in ("", "{", "[1,]", "1 2", "[" * 100_000, "9" * 5_000 + "x"):
        with pytest.raises(ExpressionError, match="Error parsing fromJson"):
            call("fromjson", text)
    depth = MAX_NESTING
    assert call("fromjson", "[" * depth + "]" * depth)
    with pytest.raises(ExpressionError, match="nested deeper than 64"):
        call("fromjson", "[" * (depth + 1) + "]" * (depth + 1))


def test_a_number_of_thousands_of_digits_is_just_large() -> None:
    assert call("fromjson", "9" * 5_000) == float("inf")


def test_signs_that_end_lines_in_javascript_are_escaped() -> None:
    assert call("tojson", "a\u2028b\x85") == '"a\\u2028b\\u0085"'


def test_format_refuses_an_argument_that_is_not_there() -> None:
    assert call("format", "{0}{1}{0}", "a", "b") == "aba"
    for text in ("{1}", "{255}", "{" + "9" * 5_000 + "}"):
        with pytest.raises(ExpressionError, match="references more arguments than were supplied"):
            call("format", text, "a")


def test_memory_is_counted_over_all_calls() -> None:
    memory = Memory()
    with pytest.raises(ExpressionError, match="maximum allowed memory"):
        for _ in range(20):
            FUNCTIONS["join"]([make_value(["x" * 30_000] * 2)], memory)
