"""What code does with the object in which a class keeps its fields."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import Node, parse_source
from git_retcon.allium.extract.typescript.handed_props import (
    is_told_otherwise,
    list_named,
    may_change,
)
from git_retcon.allium.extract.typescript.reader import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def find(text: str, code: str) -> Node:
    root = parse_source("tree_sitter_typescript", code.encode(), "language_typescript")
    assert root is not None
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.text == text.encode():
            return node
        waiting += node.named_children
    raise LookupError


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("merge(this.props);", True),
        ("kept = this.props;", True),
        ("this.props[key] = 1;", True),
        ("delete this.props[key];", True),
        ("f(this.props as any);", True),
        ("f(this.props[key]);", False),
        ("f({ ...this.props });", False),
        ("JSON.stringify(this.props);", False),
        ("new Copy(this.props);", False),
        ("() => this.props;", False),
    ],
)
def test_only_some_things_may_change_it(code: str, expected: bool) -> None:
    assert may_change(find("this.props", code)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f(p.a); p.b = 1;", ["p.a", "p.b"]),
        ("f(p);", None),
        ("f({ p });", None),
        ("each((p) => p.a);", None),
        ("p = q;", None),
    ],
)
def test_another_name_may_name_its_parts_alone(code: str, expected: list[str] | None) -> None:
    declared = find("p = this.props", f"function f() {{ const p = this.props; {code} }}")
    found = list_named(declared, "p")
    texts = None if found is None else [(each.text or b"").decode() for each in found]
    assert texts == expected


def test_a_class_may_reach_it_by_other_ways() -> None:
    assert is_told_otherwise("props", "const { id, props } = this;")
    assert is_told_otherwise("props", "const self = this; self.props.a;")
    assert not is_told_otherwise("props", "this.props.a = other.props.a;")
