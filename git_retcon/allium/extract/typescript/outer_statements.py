"""The statements at the top of a TypeScript file, also where a block keeps their names apart.

``{ class Door { … } }`` and ``(function () { class Door { … } })();`` run at once, and are as good
as what is in them.
"""

from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node

_FUNCTIONS = frozenset({"function_expression", "arrow_function"})


def list_statements(nodes: Iterable[Node]) -> Iterator[Node]:
    """These statements, with what is in blocks among them instead of the blocks."""
    for node in nodes:
        block = node if node.type == "statement_block" else _find_run(node)
        if block is not None:
            yield from list_statements(block.named_children)
        else:
            yield node


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
