"""Going through a syntax tree, of any depth: nothing here recurses."""

from collections.abc import Iterator
from typing import Any

# A node is a NamedTuple and its children are those of its fields that are tuples themselves, so a
# tree needs no visitor for each of its fifty classes.
Node = tuple[Any, ...]


def walk_tree(*roots: Node | None) -> Iterator[Node]:
    """Each node below the roots and the roots themselves, parents first, in reading order."""
    stack: list[Node] = [root for root in reversed(roots) if root is not None]
    while stack:
        node = stack.pop()
        if type(node) is not tuple:
            yield node
        stack.extend([part for part in reversed(node) if isinstance(part, tuple)])


def describe_shape(root: Node) -> list[object]:
    """What a tree says, without where: equal for two trees that mean the same."""
    shape: list[object] = []
    stack: list[object] = [root]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple):
            shape.append(part)
        elif type(part) is tuple:
            shape.append(len(part))
            stack.extend(reversed(part))
        else:
            shape.append(type(part).__name__)
            stack.extend(reversed(part[2:]))
    return shape
