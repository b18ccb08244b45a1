"""What languages of classes share: fields without ``this``, and switches that fall through."""

from collections.abc import Iterable, Sequence

from git_retcon.allium.extract.grammar.bodies import Bodies, Case, Statements, chain_cases, end_cases
from git_retcon.allium.extract.grammar.nodes import Node, read_text


def find_members(own: Iterable[str], body: Node | None, parameters: Iterable[str]) -> frozenset[str]:
    """The members that a name alone means in a body: those that nothing there has the name of."""
    return frozenset(own) - frozenset(parameters) - frozenset(_list_locals(body))


def _list_locals(node: Node | None) -> list[str]:
    found: list[str] = []
    stack = [node] if node is not None else []
    while stack:
        each = stack.pop()
        if each.type in ("variable_declarator", "enhanced_for_statement", "formal_parameter"):
            found.append(read_text(each.child_by_field_name("name")))
        elif each.type == "foreach_statement":
            found.append(read_text(each.child_by_field_name("left")))
        stack += each.named_children
    return found


def translate_sections(
    value: Node | None, cases: Sequence[Case], bodies: Bodies
) -> Statements:
    """A switch as in C; what goes on from one case into the next proves nothing."""
    ended = end_cases(cases)
    if ended is None:
        from git_retcon.allium.extract.grammar.bodies import make_unknown

        return _forget(cases, make_unknown)
    return chain_cases(bodies.translate(value), ended)
