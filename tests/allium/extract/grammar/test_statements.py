"""Statements of a translated body."""

import ast

from git_retcon.allium.extract.grammar.statements import (
    Case,
    Statements,
    chain_cases,
    drop_results,
    forget_assigned,
    forget_field,
    list_set_fields,
    negate,
    run_once,
)


def _parse(source: str) -> Statements:
    return ast.parse(source).body


def _label(name: str) -> ast.expr:
    return ast.Name(name)


def _show(statements: Statements) -> str:
    return "\n".join(ast.unparse(ast.fix_missing_locations(each)) for each in statements)


def test_a_switch_tries_its_cases_in_turn_and_the_rest_last() -> None:
    cases: list[Case] = [
        ([_label("new"), _label("late")], _parse("self.state = 1")),
        ([_label("old")], []),
        (None, _parse("raise error")),
    ]
    assert (
        _show(chain_cases(_label("state"), cases))
        == """\
if state in [new, late]:
    self.state = 1
elif state in [old]:
    pass
else:
    raise error"""
    )


def test_what_nobody_knows_replaces_what_is_assigned_somewhere_inside() -> None:
    body = _parse("if a:\n    self.x = 1\nb.y = 2")
    assert _show(forget_assigned(body)) == "self.x = _(0)\nb.y = _(0)"


def test_one_field_of_the_object_is_forgotten_and_the_others_stay() -> None:
    body = _parse("self.x = 1\nself.y = 2\nother.x = 3\nself.x += 4")
    assert [name for name, _ in list_set_fields(body)] == ["x", "y", "x"]
    forget_field(body, "x")
    assert _show(body) == "self.x = _(0)\nself.y = 2\nother.x = 3\nself.x += _(0)"


def test_the_opposite_of_a_condition() -> None:
    assert ast.unparse(negate(ast.parse("a == b", mode="eval").body)) == "not a == b"


def test_what_leaves_with_a_result_leaves_with_nothing_behind_it() -> None:
    tree = ast.parse(
        "def f():\n if a:\n  return b()\n try:\n  return c\n finally:\n  d()\n def g():\n  return e"
    )
    body = tree.body[0].body  # type: ignore[attr-defined]
    drop_results(body)
    assert [ast.unparse(each) for each in body] == [
        "if a:\n    b()\n    return",
        "try:\n    return\nfinally:\n    d()",
        "def g():\n    return e",
    ]


def test_the_cases_of_a_switch_of_what_is_true_are_conditions() -> None:
    cases: list[Case] = [
        ([_label("early"), _label("late")], _parse("self.state = 1")),
        ([_label("old")], _parse("self.state = 2")),
    ]
    shown = _show(chain_cases(ast.Constant(True), cases))
    assert shown == "if early or late:\n    self.state = 1\nelif old:\n    self.state = 2"


def test_what_is_left_early_is_a_loop_that_runs_once() -> None:
    found = run_once(_parse("if a:\n    return\nif b:\n    return self.log()\nself.state = 1"))
    assert (
        _show(found or [])
        == """\
while True:
    if a:
        break
    if b:
        self.log()
        break
    self.state = 1
    break"""
    )
    assert _show(run_once(_parse("return self.log()\na")) or []) == (
        "while True:\n    self.log()\n    break\n    a\n    break"
    )
    assert run_once(_parse("for a in b:\n    return\nself.state = 1")) is None
    assert run_once(_parse("while a:\n    return\nself.state = 1")) is None
