import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.expressions.syntax import (
    AllowedNames,
    Call,
    Comparison,
    Context,
    Index,
    Literal,
    Logic,
    Not,
    calls_any,
    parse_expression,
)
from git_retcon.heal.workflows.expressions.tokens import MAX_LENGTH, ExpressionError

SOME = AllowedNames(frozenset({"github", "matrix"}), {"always": (0, 0), "hashfiles": (1, 255)})
SIGNS = """github matrix .a ['b'] [*] .* ( ) ! && || == != < >= , 'it''s' 1 -0x1f 1e3 true null NaN
contains( format( case( toJSON( always() hashFiles( } { ' " \\ é .5 & | = @"""
WORDS = st.sampled_from([*re.findall(r"\S+", SIGNS), "\n"])


def parse(text: str) -> object:
    return parse_expression(text, SOME)


def test_and_binds_tighter_than_or_and_comparisons_tighter_than_both() -> None:
    one, two, three = Literal(1.0), Literal(2.0), Literal(3.0)
    assert parse("1 || 2 && 3") == Logic("||", (one, Logic("&&", (two, three))))
    assert parse("1 && 2 || 3") == Logic("||", (Logic("&&", (one, two)), three))
    assert parse("1 && 2 == 3") == Logic("&&", (one, Comparison("==", two, three)))
    assert parse("1 == 2 < 3") == Comparison("==", one, Comparison("<", two, three))
    assert parse("!github == 1") == Comparison("==", Not(Context("github")), one)
    assert parse("1 < 2 < 3") == Comparison("<", Comparison("<", one, two), three)


def test_names_of_contexts_and_functions_have_no_case_and_properties_keep_theirs() -> None:
    assert parse("GitHub.Ref") == Index(Context("github"), Literal("Ref"))
    assert parse("ALWAYS()") == Call("always", ())
    assert parse("github.null") == Index(Context("github"), Literal("null"))


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("env.x", 1, "Unrecognized named-value: 'env'"),
        ("github.x || nope()", 13, "Unrecognized function: 'nope'"),
        ("always(1)", 1, "Too many parameters supplied: 'always'"),
        ("hashFiles()", 1, "Too few parameters supplied: 'hashFiles'"),
        ("contains('a',)", 14, "Unexpected symbol: ')'"),
        ("github.1", 8, "Unexpected symbol: '1'"),
        ("github[1", 8, "Unexpected end of expression: '1'"),
        ("'a'.b", 4, "Unexpected symbol: '.'"),
        ("github == 'a", 11, "Unexpected symbol: ''a'"),
        ('github == "a"', 11, "Unexpected symbol: '\"a\"'"),
    ],
)
def test_an_error_says_where_it_is(text: str, position: int, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.position == position
    assert str(caught.value).partition(". Located")[0] == message


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1",
        "!" * 10_000 + "1",
        "1==" * 5_000 + "1",
        "(" * 40 + "github" + ".a)" * 40 + ".a" * 40,
        "github" + "[0]" * 6_000,
        "github[" * 3_000,
        "case(" * 4_000,
    ],
)
def test_what_is_nested_too_deep_is_refused_however_it_is_written(text: str) -> None:
    with pytest.raises(ExpressionError, match="Exceeded max expression depth 50"):
        parse(text)


@pytest.mark.parametrize(
    ("before", "after"), [("!", ""), ("toJSON(", ")"), ("github[", "]"), ("1 == (", ")")]
)
def test_the_depth_is_that_of_the_tree_and_may_be_fifty(before: str, after: str) -> None:
    assert parse(before * 49 + "github" + after * 49)
    with pytest.raises(ExpressionError, match="Exceeded max expression depth 50"):
        parse(before * 50 + "github" + after * 50)
    assert parse("(" * 60 + "github" + ")" * 60) == Context("github")


def test_a_long_expression_is_not_a_deep_one() -> None:
    assert parse(" || ".join("1" * 1_000)) == Logic("||", (Literal(1.0),) * 1_000)
    with pytest.raises(ExpressionError, match="Exceeded max expression length 21000"):
        parse(" " * (MAX_LENGTH + 1))
    assert parse(" " * MAX_LENGTH) == Literal(None)


def test_a_call_is_found_wherever_it_is() -> None:
    wanted = frozenset({"always"})
    for text in ("always()", "!always()", "1 == (2 || always())", "github[always()]"):
        assert calls_any(parse_expression(text, SOME), wanted), text
    assert not calls_any(parse_expression("github.always", SOME), wanted)


@given(st.text() | st.lists(WORDS, max_size=40).map(" ".join) | st.lists(WORDS).map("".join))
def test_any_text_is_an_expression_or_an_error_with_a_position_in_it(text: str) -> None:
    try:
        parse(text)
    except ExpressionError as error:
        assert 1 <= error.position <= max(len(text), 1)
