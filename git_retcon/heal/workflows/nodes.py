"""YAML's values with their places: what a workflow file says, and where.

Lines and columns count from 1, columns in characters.
"""

from git_retcon.heal.workflows.expressions.values import Array, Object, Value, to_text
from git_retcon.lazy_named_tuple import NamedTuple


class BadYaml(Exception):
    """A file that is no YAML, or too much of it; the place is that of the fault."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Scalar(NamedTuple):
    """A single value. ``style`` is how it is written: `'`, `"`, `|`, `>`, or nothing."""

    value: str | bool | float | None
    style: str
    line: int
    column: int

    @property
    def text(self) -> str:
        """As GitHub reads it where it wants a text: 3.10 is ``3.1``."""
        return to_text(self.value)


class Sequence(NamedTuple):
    items: "tuple[Node, ...]"
    line: int
    column: int


class Mapping(NamedTuple):
    """Keys are scalars; as many as the file gives, in order."""

    pairs: "tuple[tuple[Scalar, Node], ...]"
    line: int
    column: int

    def get(self, name: str) -> "Node | None":
        for key, value in self.pairs:
            if key.text == name:
                return value
        return None


Node = Scalar | Sequence | Mapping


def list_items(node: Node | None) -> tuple[Node, ...]:
    """A list, or one value, which GitHub takes for a list of one."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def list_scalars(node: Node | None) -> tuple[Scalar, ...]:
    return tuple(item for item in list_items(node) if isinstance(item, Scalar))


def as_scalar(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


def as_mapping(node: Node | None) -> Mapping | None:
    return node if isinstance(node, Mapping) else None


def to_value(node: Node) -> Value:
    """What an expression would see, with texts as they are."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return Array(to_value(item) for item in node.items)
    return Object((key.text, to_value(value)) for key, value in node.pairs)
