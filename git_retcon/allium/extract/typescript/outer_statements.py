"""The statements at the top of a TypeScript file, also where a block keeps their names apart.

``{ class Door { … } }`` and ``(function () { class Door { … } })();`` run at once, and are as good
as what is in them; so is what a loader of modules runs, ``define(['house'], (House) => { … })``.
``const Door = register(class Door { … })`` and ``exports.Door = class Door { … }`` hand a class on.
"""

from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_name, read_text

_FUNCTIONS = frozenset({"function_expression", "arrow_function"})
# What loads the modules that a function needs, and runs it.
_LOADERS = frozenset({"define", "require", "requirejs", "sap.ui.define", "goog.scope"})


def list_statements(nodes: Iterable[Node]) -> Iterator[Node]:
    """These statements, with what is in blocks among them instead of the blocks."""
    for node in nodes:
        blocks = [node] if node.type == "statement_block" else [*_list_run(node)]
        for each in blocks:
            yield from list_statements(each.named_children)
        if not blocks:
            yield node


def find_registered(node: Node) -> Node | None:
    """The class with a name of its own that a declaration keeps, or hands to a function, if any."""
    declared = node.named_children[0] if len(node.named_children) == 1 else None
    value = declared.child_by_field_name("value") if declared is not None else None
    if value is not None and value.type == "class" and read_name(value):
        return value
    if value is None or value.type != "call_expression":
        return None
    given = (each for each in list_inner(value, "arguments") if each.type == "class")
    return next(filter(read_name, given), None)


def find_kept(node: Node) -> Node | None:
    """The class with a name of its own that a statement gives to something, if any:
    ``exports.Door = class Door { … }``.
    """
    inner = node.named_children[0] if node.named_children else None
    value = inner.child_by_field_name("right") if inner is not None else None
    is_kept = inner is not None and inner.type == "assignment_expression"
    if value is None or not is_kept or value.type != "class":
        return None
    return value if read_name(value) else None


def _list_run(node: Node) -> Iterator[Node]:
    """The bodies of the functions that a statement runs, and does nothing else: one that it makes,
    and those that it gives to that one or to a loader.
    """
    if node.type != "expression_statement" or not node.named_children:
        return
    call = node.named_children[0]
    while call.type in ("parenthesized_expression", "unary_expression") and call.named_children:
        call = call.named_children[0]
    made = call.child_by_field_name("function") if call.type == "call_expression" else None
    is_loader = read_text(made) in _LOADERS
    if made is not None and made.type == "member_expression":
        made = made.child_by_field_name("object")  # .call(this)
    while made is not None and made.type == "parenthesized_expression" and made.named_children:
        made = made.named_children[0]
    if is_loader or (made is not None and made.type in _FUNCTIONS):
        ran = [*([] if is_loader or made is None else [made]), *list_inner(call, "arguments")]
        bodies = (each.child_by_field_name("body") for each in ran if each.type in _FUNCTIONS)
        yield from (each for each in bodies if each is not None and each.type == "statement_block")
