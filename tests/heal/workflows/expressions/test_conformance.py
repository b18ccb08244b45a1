"""GitHub's own cases for expressions, read from beside the checkout where they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from git_retcon.heal.workflows.expressions.evaluation import Surroundings, evaluate
from git_retcon.heal.workflows.expressions.syntax import AllowedNames, parse_expression
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import Array, Object, Value, make_value

FOLDER = Path("shared/conformance/expressions")
KINDS: dict[type, str] = {
    type(None): "Null", bool: "Boolean", float: "Number", str: "String", list: "Array",
    dict: "Object",
}  # fmt: skip


def find_cases() -> list[Path]:
    """The files, in a folder beside any folder above this file."""
    found = (parent / FOLDER for parent in Path(__file__).parents)
    return next((sorted(folder.glob("*.json")) for folder in found if folder.is_dir()), [])


def to_plain(value: Value) -> object:
    if isinstance(value, Array):
        return [to_plain(item) for item in value.items]
    return {k: to_plain(v) for k, v in value} if isinstance(value, Object) else value


def evaluate_case(case: dict[str, Any]) -> object:
    contexts = {name.lower(): make_value(value) for name, value in case.get("contexts", {}).items()}
    expression = parse_expression(case["expr"], AllowedNames(frozenset(contexts), {}))
    return to_plain(evaluate(expression, Surroundings(contexts)))


@pytest.mark.skipif(not find_cases(), reason="GitHub's cases are not here")
def test_there_are_28_files_of_cases() -> None:
    assert len(find_cases()) == 28


@pytest.mark.parametrize("file", find_cases(), ids=lambda file: file.stem)
def test_an_expression_means_what_it_means_to_github(file: Path) -> None:
    """Those that are marked as skipped are so for another implementation only: none is here."""
    for group, cases in json.loads(file.read_text("utf-8")).items():
        for case in cases:
            what = f"{group}: {case['expr']}"
            if "err" in case:
                with pytest.raises(ExpressionError) as caught:
                    evaluate_case(case)
                assert case["err"]["value"] in str(caught.value), what
            else:
                value = evaluate_case(case)
                assert value == case["result"]["value"] or value != value, what
                assert KINDS[type(value)] == case["result"]["kind"], what
