"""The statements at the top of a TypeScript file, also where a block keeps their names apart.

``{ class Door { … } }`` and ``(function () { class Door { … } })();`` run at once, and are as good
as what is in them; so is ``const Door = register(class Door { … })``, which hands a class on.
"""

from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_name

_FUNCTIONS = frozenset({"function_expression", "arrow_function"})


def list_statements(nodes: Iterable[Node]) -> Iterator[Node]:
    """These statements, with what is in blocks among them instead of the blocks."""
    for node in nodes:
        block = node if node.type == "statement_block" else _find_run(node)
        if block is not None:
            yield from list_statements(block.named_children)
        else:
            yield node


def find_registered(node: Node) -> Node | None:
    """The class with a name of its own that a declaration hands to a function, if any."""
    declared = node.named_children[0] if len(node.named_children) == 1 else None
    value = declared.child_by_field_name("value") if declared is not None else None
    if value is None or value.type != "call_expression":
        return None
    given = (each for each in list_inner(value, "arguments") if each.type == "class")
    return next(filter(read_name, given), None)


def _find_run(node: Node) -> Node | None:
    """The body of a function that a statement makes and runs, and nothing else; None for others."""
    if node.type != "expression_statement" or not node.named_children:
        return None
    call = node.named_children[0]
    while call.type in ("parenthesized_expression", "unary_expression") and call.named_children:
        call = call.named_children[0]
    made = call.child_by_field_name("function") if call.type == "call_expression" else None
    if made is not None and made.type == "member_expression":
        made = made.child_by_field_name("object")  # .call(this)
    while made is not None and made.type == "parenthesized_expression" and made.named_children:
        made = made.named_children[0]
    body = made.child_by_field_name("body") if made is not None else None
    is_run = made is not None and made.type in _FUNCTIONS
    return body if is_run and body is not None and body.type == "statement_block" else None
