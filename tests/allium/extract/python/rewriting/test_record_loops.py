"""Loops over records that go on with the next one, as what is done with one."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.record_loops import open_continues


def open_body(*lines: str) -> str | None:
    opened = open_continues(ast.parse("\n".join(lines)).body)
    return None if opened is None else "\n".join(map(ast.unparse, opened))


def test_what_goes_on_with_the_next_record_leaves_out_the_rest() -> None:
    found = open_body("if order.held:", "    log(order)", "    continue", "order.state = 'sent'")
    assert found == "if order.held:\n    log(order)\nelse:\n    order.state = 'sent'"


def test_nothing_follows_a_plain_continue() -> None:
    assert open_body("order.state = 'sent'", "continue", "order.state = 'new'") == (
        "order.state = 'sent'"
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["if order.held:", "    break", "order.state = 'sent'"],
        ["try:", "    order.send()", "except ValueError:", "    continue", "order.done()"],
        ["if order.held:", "    if order.late:", "        continue", "    order.wait()"],
    ],
)
def test_a_loop_that_ends_otherwise_is_none(lines: list[str]) -> None:
    assert open_body(*lines) is None


def test_what_a_loop_inside_ends_is_its_own() -> None:
    lines = ["for line in order.lines:", "    break", "order.state = 'sent'"]
    assert open_body(*lines) == "\n".join(lines)
