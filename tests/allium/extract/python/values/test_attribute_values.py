"""The values that an attribute gets."""

import ast

from git_retcon.allium.extract.python.classes.inferred_values import Value
from git_retcon.allium.extract.python.values.attribute_values import AttributeValues, read_number


def give_numbers(values: list[Value], begun: list[int | None], given: list[int]) -> bool:
    """Whether an attribute of these values and numbers may be anything."""
    found = AttributeValues()
    found.add(ast.Name("x"), values)
    for number in begun:
        found.begin(number)
    for number in given:
        found.add_number(number)
    found.close()
    return found.is_open


def test_a_number_is_one_of_the_constants() -> None:
    own = [Value(0, "OFF"), Value(1, "ON")]
    assert not give_numbers(own, [0], [1])
    assert give_numbers(own, [2], [])
    assert give_numbers(own, [0], [2])


def test_a_number_to_begin_with_may_be_one_of_another_file() -> None:
    elsewhere = [Value(("OFF",), "OFF", is_foreign=True), Value(("ON",), "ON", is_foreign=True)]
    assert not give_numbers(elsewhere, [0], [])
    assert give_numbers(elsewhere, [0], [1])
    assert give_numbers([], [0], [])


def test_what_it_begins_with_may_be_any_constant_of_another_file() -> None:
    elsewhere = [Value(("OFF",), "OFF", is_foreign=True), Value(("ON",), "ON", is_foreign=True)]
    assert not give_numbers(elsewhere, [None], [])
    assert give_numbers([Value(0, "OFF"), Value(1, "ON")], [None], [])


def test_true_is_no_number() -> None:
    assert read_number(ast.Constant(3)) == 3
    assert read_number(ast.Constant(True)) is None
    assert read_number(None) is None
