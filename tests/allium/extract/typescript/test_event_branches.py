"""The part of a method that is for one sort of event."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import Node, parse_source, read_text
from git_retcon.allium.extract.typescript.event_branches import find_branch, is_dispatching
from git_retcon.allium.extract.typescript.reader import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def read(body: str) -> Node:
    source = f"class A {{ when(event: E) {{ {body} }} }}".encode()
    root = parse_source("tree_sitter_typescript", source, "language_typescript")
    assert root is not None
    inner = root.named_children[0].child_by_field_name("body")
    assert inner is not None
    return inner.named_children[0]


@pytest.mark.parametrize(
    "body",
    [
        "if (event instanceof Paid) { pay(); }",
        "if (event instanceof Sent) { send(); } else if (event instanceof Paid) pay();",
        "if (event.type === 'Paid' || event.type === 'Settled') { pay(); }",
        "if (event.constructor.name === Paid.name) { pay(); }",
        "switch (event.getType()) { case 'Sent': send(); break; case 'Paid': pay(); }",
        "switch (event.type) { case Sent.name: case Paid.name: { pay(); } }",
        "switch (true) { case event instanceof Paid: pay(); }",
    ],
)
def test_a_branch_is_found(body: str) -> None:
    method = read(body)
    assert is_dispatching(method)
    branch = find_branch(method, frozenset({"Paid"}))
    assert branch is not None
    assert read_text(branch[0]) == "pay();"
    assert find_branch(method, frozenset({"Lost"})) is None


@pytest.mark.parametrize(
    "body",
    [
        "if (event.amount > 3) { pay(); }",
        "if (event instanceof Paid && this.open) { pay(); }",
        "switch (this.state) { case 'Paid': pay(); }",
        "switch (event.type) { default: pay(); }",
        "pay();",
    ],
)
def test_what_asks_something_else_is_none(body: str) -> None:
    assert not is_dispatching(read(body))
