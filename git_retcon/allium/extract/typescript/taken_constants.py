"""Names that code gives constants of others: ``const { open, closed } = State``.

Where it says ``open``, it means ``State.open``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_name, read_text
from git_retcon.allium.extract.typescript.constant_values import list_bound

# What names mean that a file takes out of others, and its names of what may have constants.
OuterNames: TypeAlias = tuple[Mapping[str, str], frozenset[str]]
NO_NAMES: OuterNames = ({}, frozenset())
_TAKEN = re.compile(
    r"(?<![\w$.])const\s*\{([^{}=]*)\}\s*=\s*((?!await\b)[A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*(?=[;\n}]|$)"
)
_PART = re.compile(r"\s*([\w$]+)\s*(?::\s*([\w$]+)\s*)?")


def list_taken_names(text: str) -> Mapping[str, str]:
    """What the names mean that code takes out of something, and that mean nothing else there."""
    found: dict[str, set[str]] = {}
    for taken in _TAKEN.finditer(text):
        for part in map(_PART.fullmatch, taken[1].split(",")):
            if part is not None:
                found.setdefault(part[2] or part[1], set()).add(f"{taken[2]}.{part[1]}")
    return {
        name: min(meant)
        for name, meant in found.items()
        if len(meant) == 1 and not _is_given(name, text)
    }


def list_outer_names(nodes: Iterable[Node]) -> OuterNames:
    """What the names mean that a file takes out of others, and what it declares that may have
    constants: objects that something makes, and classes.
    """
    taken: dict[str, str] = {}
    bound: list[str] = []
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if "class" in declared.type:
            bound.append(read_name(declared))
        elif declared.type in ("lexical_declaration", "variable_declaration"):
            bound += [read_name(each) for each in list_bound(declared)]
            taken |= list_taken_names(read_text(declared)) if "{" in read_text(declared) else {}
    return taken, frozenset(bound)


def read_taken(node: Node, outer: Mapping[str, str]) -> str:
    """Code in which such names are what they mean; ``outer`` are those of the file around it."""
    text = read_text(node)
    named = {**outer, **list_taken_names(text)} if outer or "const {" in text else {}
    kept = {name: meant for name, meant in named.items() if name in text}
    if not kept:
        return text
    name = rf"(?<![\w$.'\"`#])(?:{'|'.join(map(re.escape, kept))})(?![\w$'\"`(])"
    return re.sub(name, lambda found: kept[found[0]], text)


def _is_given(name: str, text: str) -> bool:
    """Whether a name may mean something else in a part of the code."""
    place = rf"(?<![\w$.'\"]){re.escape(name)}"
    return bool(
        re.search(rf"{place}\s*(?:=(?![=>])|=>)|\b(?:const|let|var)\s+{re.escape(name)}\b", text)
    )
