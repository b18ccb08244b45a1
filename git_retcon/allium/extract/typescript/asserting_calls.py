"""Calls that are there to refuse, by their names: ``Guard.against(this.status !== Status.Open)``.

``ensure(this.status === Status.Open, 'not open')`` is an error where that does not hold, if it
comes from a module for such calls, or is a step of the object that raises one: ``metrics.check(…)``
tells others of it. What is only handed the state, ``this.checkRule(new MustBeOpen(this.status))``,
may refuse in any of them: nobody can tell in which.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
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
_KNOWN = frozenset({"assert", "invariant"})
_IMPORTED = re.compile(
    r"\b(?:import|const|let|var)\s+([^;'\"=]*?)\s*(?:\bfrom\s*|=\s*require\()['\"]([^'\"]+)['\"]"
)
_MODULE = re.compile(r"(?i)assert|invariant|guard|ensure|precondition|expect")
_PACKAGE = re.compile(r"chai|vitest|@jest/|should")


class _Steps(NamedTuple):
    """The own steps of an object, those that raise an error with whether they do so where what they
    are given does not hold, and the names of what is there to refuse.
    """

    own: Collection[str]
    raising: Mapping[str, bool]
    asserting: frozenset[str]


def refuse_asserted(methods: Mapping[str, Function], body: Node | None) -> None:
    """Let the methods of a class, by what bodies call them, refuse by such calls. They are
    changed.
    """
    while body is not None and body.parent is not None:
        body = body.parent
    text = read_text(body)
    steps = _Steps(methods.keys(), dict(_list_raising(methods)), frozenset(_list_asserting(text)))
    for each in methods.values():
        given = {arg.arg for arg in each.args.args}
        inner = steps._replace(asserting=steps.asserting - given)
        for block in [*list_blocks(each)]:
            block[:] = [_open(item, inner) for item in block]


def _list_asserting(text: str) -> Iterator[str]:
    """What a file has of modules for such calls, and those that all know."""
    other = {name for name in _KNOWN if re.search(rf"\b(?:function|const|let)\s+{name}\b", text)}
    for names, module in _IMPORTED.findall(text):
        found = re.findall(r"[A-Za-z_$][\w$]*", names)
        if _MODULE.search(module.rpartition("/")[2] or module) or _PACKAGE.match(module):
            yield from found
            other -= {*found}
        else:
            other |= {*found}
    yield from _KNOWN - other


def _list_raising(methods: Mapping[str, Function]) -> Iterator[tuple[str, bool]]:
    """The steps that raise an error where what they are given first does not hold, or does."""
    for name, each in methods.items():
        given = [arg.arg for arg in each.args.args[1:2]]
        match each.body:
            case [ast.If(test=test, body=[ast.Raise()], orelse=[])] if given:
                if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                    if spell_dotted(test.operand) == given[0]:
                        yield name, True
                elif spell_dotted(test) == given[0]:
                    yield name, False


def _open(node: ast.stmt, steps: _Steps) -> ast.stmt:
    value = node.value if isinstance(node, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return node
    dotted = spell_dotted(call.func)
    owner, _, _ = dotted.rpartition(".")
    name, is_own = get_last(dotted).removesuffix("()"), owner == "self"
    is_own = is_own and get_last(dotted) in steps.own
    if call.args and isinstance(call.args[0], _CONDITIONS):
        holds = _read_demanded(name, dotted, steps, is_own=is_own)
        if holds is not None:
            test = call.args[0]
            return _refuse(node, ast.UnaryOp(op=ast.Not(), operand=test) if holds else test)
    handed = [*_list_handed(call, is_own=is_own)] if _CHECKS.fullmatch(name) else []
    # What it does with the state is not known.
    return _refuse(node, ast.Call(func=ast.Name("_"), args=handed, keywords=[])) if handed else node


def _read_demanded(name: str, dotted: str, steps: _Steps, *, is_own: bool) -> bool | None:
    """Whether a call demands that a condition holds, or does not; None where it may do neither."""
    if is_own:
        return steps.raising.get(get_last(dotted))
    if dotted.partition(".")[0] not in steps.asserting:
        return None
    return True if _HOLDS.fullmatch(name) else False if _HOLDS_NOT.fullmatch(name) else None


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
