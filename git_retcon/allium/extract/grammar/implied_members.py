"""What languages of classes share: members without ``this``, and switches that fall through."""

from collections.abc import Iterable, Iterator, Sequence

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import (
    Case,
    Statements,
    chain_cases,
    forget_assigned,
)
from git_retcon.allium.extract.grammar.switch_sections import end_cases
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text


def find_members(
    own: Iterable[str], body: Node | None, parameters: Iterable[str]
) -> frozenset[str]:
    """The members that a name alone means in a body: those that nothing there has the name of."""
    return frozenset(own) - frozenset(parameters) - frozenset(_list_locals(body))


def _list_locals(node: Node | None) -> Iterator[str]:
    stack = [node] if node is not None else []
    while stack:
        each = stack.pop()
        if each.type in ("variable_declarator", "enhanced_for_statement", "formal_parameter"):
            yield read_text(each.child_by_field_name("name"))
        elif each.type == "foreach_statement":
            yield read_text(each.child_by_field_name("left"))
        stack += each.named_children


def translate_sections(value: Node | None, cases: Sequence[Case], bodies: Bodies) -> Statements:
    """A switch as in C; where a case goes on into the next, only what is assigned counts."""
    ended = end_cases(cases)
    if ended is None:
        return forget_assigned(statement for _, inner in cases for statement in inner)
    return chain_cases(bodies.translate(value), ended)
