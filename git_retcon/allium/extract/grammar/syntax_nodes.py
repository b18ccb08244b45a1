"""Nodes of tree-sitter, and the parsers that make them."""

import functools
import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from typing import Protocol


class Node(Protocol):
    """What is used of a node of tree-sitter."""

    @property
    def id(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def start_byte(self) -> int: ...
    @property
    def text(self) -> bytes | None: ...
    @property
    def parent(self) -> "Node | None": ...
    @property
    def prev_named_sibling(self) -> "Node | None": ...
    @property
    def next_named_sibling(self) -> "Node | None": ...
    @property
    def children(self) -> "Sequence[Node]": ...
    @property
    def named_children(self) -> "Sequence[Node]": ...
    def child_by_field_name(self, name: str) -> "Node | None": ...
    def children_by_field_name(self, name: str) -> "Sequence[Node]": ...
    def __hash__(self) -> int: ...


@functools.cache
def is_available(grammar: str) -> bool:
    """Whether the module of a grammar is installed, and tree-sitter with it."""
    return all(importlib.util.find_spec(each) is not None for each in ("tree_sitter", grammar))


@functools.lru_cache(maxsize=1)  # a source that nothing is written into is parsed once
def parse_source(grammar: str, content: bytes, language: str = "language") -> Node | None:
    """The tree of a file; None where the grammar makes nothing of it.

    ``language`` is the function of the grammar's module that returns the language.
    A grammar recovers from nearly everything; a file whose root is an error is another thing.
    """
    root: Node = _get_parser(grammar, language).parse(content).root_node  # type: ignore[attr-defined]
    return None if root.type == "ERROR" else root


def is_damaged(root: Node) -> bool:
    """Whether something at the top of a file is nothing that the language knows."""
    return any(each.type == "ERROR" for each in root.children)


@functools.cache
def _get_parser(grammar: str, language: str) -> object:
    import tree_sitter

    module = importlib.import_module(grammar)
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, language)()))


def read_text(node: Node | None) -> str:
    """The source of a node, "" for none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def read_name(node: Node) -> str:
    """The source of the field ``name`` of a node."""
    return read_text(node.child_by_field_name("name"))


def list_children(node: Node | None, *types: str) -> Iterator[Node]:
    """The named children of these types, of any type where none is given."""
    for each in node.named_children if node is not None else ():
        if not types or each.type in types:
            yield each


def find_first(node: Node) -> Node | None:
    """The first named child that is no comment."""
    return next((each for each in node.named_children if "comment" not in each.type), None)


def list_inner(node: Node | None, part: str) -> Sequence[Node]:
    """The named children of a node's field, without comments."""
    inner = node.child_by_field_name(part) if node is not None else None
    listed = inner.named_children if inner is not None else ()
    return [each for each in listed if "comment" not in each.type]
