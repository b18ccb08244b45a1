import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Array,
    Object,
    Value,
    are_equal,
    is_less,
    is_true,
    make_exact_object,
    make_open_object,
    make_value,
    read_number,
    to_number,
    to_text,
)

PRIMITIVES = st.none() | st.booleans() | st.floats() | st.text()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0), ("  ", 0), (" 12 ", 12), ("+1.", 1), ("-.5", -0.5), ("1e3", 1000), ("0x1F", 31),
        ("0o17", 15), ("-Infinity", -math.inf), ("1e999", math.inf),
        # GitHub reads them into 32 bits with a sign.
        ("0x7fffffff", 2**31 - 1), ("0x80000000", -(2**31)), ("0xffffffff", -1),
    ],
)  # fmt: skip
def test_a_text_that_spells_a_number_is_one(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text", ["a", "1 2", "0x", "0X1", "-0x1", "0x100000000", "0o8", "1_000", "١", "inf", "nan", "."]
)
def test_a_text_that_spells_none_is_not_a_number(text: str) -> None:
    assert math.isnan(read_number(text))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.10, "3.1"), (1e14, "100000000000000"), (1e15, "1E+15"), (0.0001, "0.0001"),
        (0.00001, "1E-05"), (1 / 3, "0.333333333333333"), (-0.0, "0"), (2.5, "2.5"),
    ],
)  # fmt: skip
def test_a_number_is_written_with_fifteen_digits(number: float, text: str) -> None:
    assert to_text(number) == text


def test_only_nothing_zero_and_the_empty_text_are_false() -> None:
    false: list[Value] = [None, False, 0.0, -0.0, math.nan, ""]
    true: list[Value] = [True, 1.0, "0", "false", " ", Array(), Object()]
    assert not any(map(is_true, false))
    assert all(map(is_true, true))


def test_texts_are_compared_without_case_but_the_dotless_i_is_a_letter_of_its_own() -> None:
    assert are_equal("straße", "STRASSE")
    assert not are_equal("ı", "I")
    assert is_less("a", "B")
    assert not is_less("B", "a")


@given(PRIMITIVES, PRIMITIVES)
def test_of_two_values_at_most_one_relation_holds(left: Value, right: Value) -> None:
    relations = [are_equal(left, right), is_less(left, right), is_less(right, left)]
    assert sum(relations) <= 1
    assert are_equal(left, right) == are_equal(right, left)
    if type(left) is not type(right):
        assert are_equal(left, right) == (to_number(left) == to_number(right))


def test_names_of_an_object_have_no_case_unless_they_are_to_have_one() -> None:
    pairs: list[tuple[str, Value]] = [("Name", 1.0), ("NAME", 2.0)]
    assert Object(pairs).get("name") == 2.0
    assert make_exact_object(pairs).get("Name") == 1.0
    assert make_exact_object(pairs).get("name") is None
    assert make_open_object(pairs).get("other") is UNKNOWN


def test_what_json_cannot_say_is_no_value() -> None:
    with pytest.raises(TypeError):
        make_value({1, 2})
