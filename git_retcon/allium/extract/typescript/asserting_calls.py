"""Calls that are there to refuse, by their names: ``Guard.against(this.status !== Status.Open)``.

``ensure(this.status === Status.Open, 'not open')`` is an error where that does not hold. What is
only handed the state, ``this.checkRule(new MustBeOpen(this.status))``, may refuse in any of them:
nobody can tell in which.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_HOLDS = re.compile(
    r"(?:assert|ensure|require|invariant|precondition|must|expect|isTrue|check|verify)"
    r"(?:That|True|State|Condition|Invariant|Argument|Is|isTrue)?"
)
_HOLDS_NOT = re.compile(
    r"(?:against|(?:throw|fail|reject|error|raise|refuse)(?:If|When|On)|isFalse|forbid)(?:True)?"
)
_CHECKS = re.compile(
    r"(?i)_*(?:assert|ensure|require|check|guard|against|validate|verif(?:y|ies)|enforce|must|throwIf"
    r"|failIf)\w*"
)
_CONDITIONS = ast.Compare | ast.BoolOp | ast.UnaryOp


def refuse_asserted(methods: Mapping[str, Function]) -> None:
    """Let the methods of a class, by what bodies call them, refuse by such calls. They are
    changed.
    """
    for each in methods.values():
        for block in [*list_blocks(each)]:
            block[:] = [_open(item, methods.keys()) for item in block]


def _open(node: ast.stmt, own: Collection[str]) -> ast.stmt:
    value = node.value if isinstance(node, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return node
    dotted = spell_dotted(call.func)
    owner, _, _ = dotted.rpartition(".")
    name, is_own = get_last(dotted).removesuffix("()"), owner == "self" and get_last(dotted) in own
    if call.args and isinstance(call.args[0], _CONDITIONS) and not is_own:
        if _HOLDS.fullmatch(name):
            return _refuse(node, ast.UnaryOp(op=ast.Not(), operand=call.args[0]))
        if _HOLDS_NOT.fullmatch(name):
            return _refuse(node, call.args[0])
    handed = [*_list_handed(call, is_own=is_own)] if _CHECKS.fullmatch(name) else []
    # What it does with the state is not known.
    return _refuse(node, ast.Call(func=ast.Name("_"), args=handed, keywords=[])) if handed else node


def _list_handed(call: ast.Call, *, is_own: bool) -> Iterator[ast.expr]:
    """What of its object a call is given, or asked; of a step whose code is known, inside of others
    alone.
    """
    asked = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    yield from [asked] if spell_dotted(asked).startswith("self.") else []
    for each in call.args:
        parts = [part for part in walk_nodes(each) if isinstance(part, ast.Attribute)]
        fields = [part for part in parts if spell_dotted(part).startswith("self.")]
        yield from fields if not is_own or isinstance(each, ast.Call) else ()


def _refuse(node: ast.stmt, test: ast.expr) -> ast.stmt:
    error = ast.Raise(exc=ast.Call(func=ast.Name("Error"), args=[], keywords=[]), cause=None)
    return ast.fix_missing_locations(ast.copy_location(ast.If(test, [error], []), node))
