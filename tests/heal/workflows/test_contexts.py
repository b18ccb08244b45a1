import pytest

from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    evaluate_env,
    evaluate_node,
    evaluate_text,
    list_parts,
    with_env,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import UNKNOWN, Object, make_value
from git_retcon.heal.workflows.nodes import Mapping, Scalar
from git_retcon.heal.workflows.yaml import read_yaml
from tests.heal.workflows.expressions.test_conformance import to_plain

AROUND = Surroundings({"vars": make_value({"a": "x", "o": {"p": 1, "q": 2}, "k": "key"})})


def evaluate(text: str) -> object:
    return to_plain(evaluate_node(read_yaml(text.encode()), AROUND))


def test_every_expression_in_a_node_is_filled() -> None:
    assert evaluate("{a: ['${{ vars.a }}', 1], b: '${{ vars.o }}', c: '<${{ vars.a }}>'}") == {
        "a": ["x", 1.0],
        "b": {"p": 1.0, "q": 2.0},
        "c": "<x>",
    }


def test_a_key_may_be_an_expression_or_insert_others() -> None:
    assert evaluate("{'${{ vars.k }}': 1, '${{ insert }}': '${{ vars.o }}', q: 3}") == {
        "key": 1.0, "p": 1.0, "q": 3.0,
    }  # fmt: skip


def test_a_number_is_a_text_as_github_writes_it() -> None:
    node = read_yaml(b"3.10")
    assert isinstance(node, Scalar)
    assert evaluate_text(node, AROUND) == "3.1"


def test_an_expression_that_fails_is_placed() -> None:
    with pytest.raises(Misevaluated, match="Error parsing fromJson") as caught:
        evaluate("a:\n  - ${{ fromJSON('') }}\n")
    assert (caught.value.line, caught.value.column) == (2, 5)


def test_variables_are_texts_and_those_not_known_are_named() -> None:
    env = read_yaml(b"{A: 1.50, B: true, C: , D: '${{ vars.a }}', E: '${{ steps.x }}'}")
    assert isinstance(env, Mapping)
    variables = evaluate_env(env, AROUND)
    assert variables.known == (("A", "1.5"), ("B", "true"), ("C", ""), ("D", "x"))
    assert variables.unknown == ("E",)
    seen = with_env(with_env(AROUND, variables), variables._replace(known=(("A", "2"),)))
    inner = seen.contexts["env"]
    assert isinstance(inner, Object)
    assert (inner.get("A"), inner.get("a"), inner.get("B")) == ("2", None, "true")
    assert inner.get("E") is UNKNOWN


@pytest.mark.parametrize("text", ["'${{ vars.o }}'", "{'${{ insert }}': '${{ vars.o }}'}"])
def test_an_expression_may_give_all_variables(text: str) -> None:
    env = read_yaml(text.encode())
    assert isinstance(env, Mapping | Scalar)
    assert evaluate_env(env, AROUND).known == (("p", "1"), ("q", "2"))


def test_what_an_expression_gives_must_be_variables() -> None:
    given = read_yaml(b"${{ vars.a }}")
    assert isinstance(given, Scalar)
    with pytest.raises(Misevaluated, match="A mapping was expected"):
        evaluate_env(given, AROUND)
    unknown = read_yaml(b"${{ steps.x }}")
    assert isinstance(unknown, Scalar)
    assert evaluate_env(unknown, AROUND) == ((), ())


def test_the_expressions_of_a_node_are_listed() -> None:
    node = read_yaml(b"{a: ['${{ 1 }} ${{ 2 }}', x], b: {c: '${{ 3 }}'}}")
    assert [to_plain(getattr(part, "value", None)) for part in list_parts(node)] == [1.0, 2.0, 3.0]
    assert list(list_parts(None)) == []
