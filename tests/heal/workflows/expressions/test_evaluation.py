import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.expressions.evaluation import (
    Surroundings,
    evaluate,
    is_fulfilled,
)
from git_retcon.heal.workflows.expressions.syntax import Expression, parse_expression
from git_retcon.heal.workflows.expressions.templates import EVERYTHING
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    Array,
    NotKnown,
    Object,
    Value,
    make_exact_object,
    make_open_object,
    make_value,
)
from tests.heal.workflows.expressions.test_syntax import WORDS

GITHUB: dict[str, Value] = {"ref": "main", "labels": make_value([{"name": "a"}, {"name": "b"}])}
AROUND = Surroundings(
    {
        "github": make_open_object(GITHUB.items()),
        "matrix": make_value({"os": "linux", "version": 3.1, "none": None}),
        "env": make_exact_object([("A", "upper"), ("a", "lower")]),
    },
    {"always": lambda arguments: True},
)


def parse(text: str) -> Expression:
    return parse_expression(text, EVERYTHING)


def value_of(text: str) -> Value:
    return evaluate(parse(text), AROUND)


def test_names_are_found_in_any_case_but_those_of_env() -> None:
    assert value_of("MATRIX.Os") == "linux"
    assert value_of("env.A") == "upper"
    assert value_of("env.a") == "lower"
    assert value_of("matrix.nothing") is None


def test_an_item_has_a_number_from_zero_rounded_down() -> None:
    assert value_of("github.labels[0].name") == "a"
    assert value_of("github.labels[1.9].name") == "b"
    assert value_of("github.labels[2]") is None
    assert value_of("github.labels[-1]") is None


def test_what_only_a_run_can_say_is_named() -> None:
    for text, name in [
        ("steps.build.outputs.x", "steps"),
        ("github.event.number", "github.event"),
        ("success()", "success()"),
        ("github[matrix.os]", "github[…]"),
        ("toJSON(github)", "an object that is not known"),
        ("github.*", "an object that is not known"),
    ]:
        with pytest.raises(NotKnown) as caught:
            value_of(text)
        assert str(caught.value) == name


def test_what_is_not_known_hides_no_answer() -> None:
    assert is_fulfilled(parse("steps.x || matrix.os"), AROUND)
    assert is_fulfilled(parse("matrix.os && true"), AROUND)
    assert not is_fulfilled(parse("matrix.none || false"), AROUND)
    assert not is_fulfilled(parse("steps.x && matrix.none"), AROUND)
    assert is_fulfilled(parse("!(steps.x && matrix.none)"), AROUND)
    for text in ("steps.x || matrix.none", "steps.x && matrix.os", "!steps.x"):
        with pytest.raises(NotKnown):
            is_fulfilled(parse(text), AROUND)


def test_a_value_that_is_not_known_is_not_taken_for_another() -> None:
    """`steps.x || 'a'` is true in any case, but whether it is 'a' is another question."""
    with pytest.raises(NotKnown):
        value_of("steps.x || 'a'")
    assert value_of("'a' || steps.x") == "a"


def test_only_the_chosen_case_is_evaluated() -> None:
    assert value_of("case(matrix.os == 'linux', 1, fromJSON('no JSON'))") == 1
    assert value_of("case(false, fromJSON(''), true, 'b', steps.x)") == "b"


def test_a_function_of_the_place_is_called() -> None:
    assert value_of("always()") is True


def test_an_item_that_is_null_is_selected_too() -> None:
    value = value_of('fromJSON(\'[{"a": null}, {"b": 1}]\').*.a')
    assert isinstance(value, Array)
    assert value.items == (None,)


def test_objects_are_equal_only_to_themselves() -> None:
    assert value_of("matrix == matrix") is True
    assert value_of("fromJSON('[]') == fromJSON('[]')") is False
    assert value_of("fromJSON('{}') <= fromJSON('{}')") is False


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_any_expression_has_a_value_or_fails_in_words(text: str) -> None:
    known = AROUND._replace(contexts={**AROUND.contexts, "github": Object(GITHUB.items())})
    try:
        evaluate(parse(text), known)
    except (ExpressionError, NotKnown) as error:
        assert str(error)


@given(st.integers(1, 60), st.integers(1, 60))
def test_what_an_expression_makes_is_bounded(times: int, calls: int) -> None:
    """By doubling a text in each call, it would take all memory."""
    text = "'" + "x" * 200 + "'"
    for _ in range(min(calls, 20)):
        text = "format('" + "{0}" * times + "', " + text + ")"
    try:
        value = value_of(text)
    except ExpressionError as error:
        assert str(error) == "The maximum allowed memory size was exceeded"
    else:
        assert isinstance(value, str)
        assert len(value) <= 1 << 19
