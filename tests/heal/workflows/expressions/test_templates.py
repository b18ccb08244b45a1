import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.syntax import AllowedNames
from git_retcon.heal.workflows.expressions.templates import (
    EVERYTHING,
    fill_template,
    holds,
    parse_condition,
    parse_template,
)
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import NotKnown, Value, make_value


def fill(text: str) -> Value:
    around = Surroundings({"env": make_value({"a": "x", "n": 1, "list": [1]})})
    return fill_template(parse_template(text, EVERYTHING), around)


def does_hold(text: str, succeeded: bool) -> bool:
    functions = {"success": lambda _: succeeded, "failure": lambda _: not succeeded}
    functions["always"] = lambda _: True
    around = Surroundings({"env": make_value({"a": "x", "empty": ""})}, functions)
    return holds(parse_condition(text, EVERYTHING), around)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"), ("", ""), ("$ {{ a }}", "$ {{ a }}"), ("${{ env.a }}", "x"),
        ("${{ env.n }}", 1.0), (" ${{ env.n }}", " 1"), ("${{env.a}}-${{env.n}}", "x-1"),
        ("${{ '}}' }}", "}}"), ("${{ 'it''s }}' }}.", "it's }}."), ("a}}${{ env.a }}{{", "a}}x{{"),
        ("${{ env.none }}", None), ("<${{ env.none }}>", "<>"), ("${{ env.list }}!", "Array!"),
    ],
)  # fmt: skip
def test_a_text_is_filled_and_a_lone_expression_keeps_its_kind(text: str, value: Value) -> None:
    assert fill(text) == value


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("ab ${{ env.a", 4, "The expression is not closed."),
        ("${{ '}}", 1, "The expression is not closed."),
        ("ab ${{ }}", 4, "An expression was expected"),
        ("ab ${{  nope }}", 9, "Unrecognized named-value: 'nope'"),
        ("${{ env.a }} ${{ env.a || x }}", 27, "Unrecognized named-value: 'x'"),
    ],
)
def test_an_error_says_where_it_is_in_the_text(text: str, position: int, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        fill(text)
    assert str(caught.value).startswith(message)
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("condition", "after_success", "after_failure"),
    [
        ("", True, False),
        ("env.a == 'x'", True, False),
        ("${{ env.a == 'x' }}", True, False),
        ("env.a == 'y'", False, False),
        ("failure()", False, True),
        ("always()", True, True),
        ("always() && env.a == 'y'", False, False),
        ("false", False, False),
        ("success() || failure()", True, True),
        # A text around an expression is a text that is not empty, and so it is true.
        ("${{ env.a == 'y' }} ", False, False),
        ("not ${{ env.a == 'x' }}", True, False),
        ("${{ env.empty }}${{ env.empty }}", False, False),
    ],
)
def test_a_condition_asks_for_success_unless_it_asks_for_the_status_itself(
    condition: str, after_success: bool, after_failure: bool
) -> None:
    assert does_hold(condition, succeeded=True) is after_success
    assert does_hold(condition, succeeded=False) is after_failure


def test_a_failure_before_decides_even_where_the_rest_is_not_known() -> None:
    assert not does_hold("steps.x", succeeded=False)
    with pytest.raises(NotKnown):
        does_hold("steps.x", succeeded=True)


@given(st.lists(st.sampled_from(["${{", "}}", "'", " env.a ", "x", "{", "$", "\n"])).map("".join))
def test_any_text_is_a_template_or_an_error_with_a_position_in_it(text: str) -> None:
    try:
        parse_template(text, AllowedNames(frozenset({"env"}), {}))
    except ExpressionError as error:
        assert 1 <= error.position <= len(text)
