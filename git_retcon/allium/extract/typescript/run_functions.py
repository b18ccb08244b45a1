"""Functions that a statement makes and runs at once: ``(async () => { … })()``.

One that waits before it does anything to its object does all of that later, where nothing waits
for it.
"""

import re

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text

_FUNCTIONS = ("arrow_function", "function_expression")
# What a function does before it waits for the first time, if that may move its object.
_BEGUN = re.compile(r"\bthis\s*\.\s*#?\w+\s*(?:=(?![=>])|\()")
_WAITS = re.compile(r"\bawait\b")


def find_run_function(call: Node) -> Node | None:
    """The function that a call makes and runs; None for any other."""
    made = call.child_by_field_name("function") if call.type == "call_expression" else None
    while made is not None and made.type == "parenthesized_expression" and made.named_children:
        made = made.named_children[0]
    return made if made is not None and made.type in _FUNCTIONS else None


def is_async(function: Node) -> bool:
    return any(each.type == "async" for each in function.children)


def runs_later(function: Node) -> bool:
    """Whether one does all that it does later, if it is made and run where nothing waits for it."""
    call = function.parent
    while call is not None and call.type == "parenthesized_expression":
        call = call.parent
    is_run = call is not None and find_run_function(call) == function
    return is_run and is_async(function) and waits_first(function)


def waits_first(function: Node) -> bool:
    """Whether a function waits before it does anything to its object."""
    text = read_text(function.child_by_field_name("body"))
    first = _WAITS.search(text)
    return first is not None and _BEGUN.search(text, 0, first.start()) is None
