"""Small specifications, and what is made of them as text that a person can read in a test."""

from typing import Any

from git_retcon.allium.language import Document, check, parse
from git_retcon.allium.language.declarations import Braced, Declaration, Field

MARKER = "-- allium: 3\n"
# An entity with a field of each kind, and room for one more.
ORDER = "entity Order { code: String tags: Set<String> sum: Integer a: x | y b: x | y %s }\n"


def read(text: str, path: bytes = b"spec.allium") -> Document:
    """A file of this text below the version marker."""
    return parse((MARKER + text).encode(), path)


def read_only(text: str) -> Declaration:
    """The one declaration of a text without mistakes."""
    document = read(text)
    assert [found.message for found in document.diagnostics] == []
    (declaration,) = document.module.declarations
    return declaration


def sketch(text: str) -> str:
    """The tree of an expression, as nested lists of class or operator and parts."""
    declaration = read_only(f"value V {{ x: {text}\n}}")
    assert isinstance(declaration, Braced)
    (item,) = declaration.items
    assert isinstance(item, Field)
    assert item.presence is None
    return draw(item.value)


def draw(node: Any) -> str:
    """A tree as nested lists; names, numbers and constants as they are written."""
    if node is None:
        return "-"
    if isinstance(node, str | bool):
        return str(node)
    if type(node) is tuple:
        return "[" + " ".join(draw(part) for part in node) + "]"
    kind = type(node).__name__
    parts = [draw(part) for part in node[2:]]
    if kind in ("Name", "Number", "Constant"):
        return parts[0]
    if kind in ("Text", "Quoted"):
        return repr(parts[0])
    if kind in ("Binary", "Logical", "Unary", "Transition"):
        return "(" + " ".join(parts) + ")"
    if kind == "Member":
        return f"{parts[0]}{parts[1]}{parts[2]}"
    if kind == "Argument":
        return parts[1] if node.name is None else f"{parts[0]}:{parts[1]}"
    return "(" + " ".join([kind, *parts]) + ")"


def faults(text: str) -> list[str]:
    """The syntax errors and warnings, each with line and column below the marker."""
    return [f"{found.line - 1}:{found.column} {found.message}" for found in read(text).diagnostics]


def diagnose(text: str) -> list[str]:
    """The errors and warnings of one file, without the common start of their codes."""
    return [line for line in _diagnose_all(text) if line.split(" ")[1] != "info"]


def notes(text: str) -> list[str]:
    """What the checker says of one file that is neither an error nor a warning."""
    return [line for line in _diagnose_all(text) if line.split(" ")[1] == "info"]


def _diagnose_all(text: str) -> list[str]:
    return [
        f"{found.line - 1}:{found.column} {found.severity} "
        f"{found.code.removeprefix('allium.')}: {found.message}"
        for found in check([read(text)])
    ]


def codes(text: str) -> list[str]:
    """The codes alone."""
    return [line.split(" ")[2].removesuffix(":") for line in diagnose(text)]
