"""Statements of TypeScript that fail where a condition does not hold, by names that all know."""

import ast
import re
from collections.abc import Mapping
from typing import Final

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_text

# What fails where the first thing that it is given does not hold.
_ASSERTING = re.compile(
    r"assert(?:\.ok)?|invariant|(?:\w+\.)*(?:[A-Z]\w*|\w*[aA]sserts?)\.assertTrue"
)
# What fails where two things are not, or are, the same.
_COMPARING: Final[Mapping[str, type[ast.cmpop]]] = {
    "assert.equal": ast.Eq, "assert.strictEqual": ast.Eq, "assert.deepStrictEqual": ast.Eq,
    "assert.notEqual": ast.NotEq, "assert.notStrictEqual": ast.NotEq,
}  # fmt: skip


def translate_assertion(node: Node, bodies: Bodies) -> Statements | None:
    """``assert.equal(this.state, OPEN)`` fails where that does not hold; None for others."""
    call = node.named_children[0] if node.named_children else None
    name = read_text(call.child_by_field_name("function")) if call is not None else ""
    sign = _COMPARING.get(name)
    is_asserting = _ASSERTING.fullmatch(name) is not None
    if call is None or (sign is None and not is_asserting) or _is_of_file(node, name):
        return None
    given = list_inner(call, "arguments")
    if len(given) < (1 if sign is None else 2):
        return None
    test = bodies.translate(given[0])
    other = [] if sign is None else [bodies.translate(given[1])]
    return [ast.Assert(ast.Compare(left=test, ops=[sign()], comparators=other) if sign else test)]


def _is_of_file(node: Node, name: str) -> bool:
    """Whether a file has a function of its own for a name, which does what its code says."""
    while node.parent is not None:
        node = node.parent
    word = re.escape(name.partition(".")[0])
    own = rf"\b(?:function|class)\s+{word}\b|\bconst\s+{word}\s*=[^;=]*=>"
    return re.search(own, read_text(node)) is not None
