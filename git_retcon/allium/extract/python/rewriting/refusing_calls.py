"""Functions that do nothing but refuse what they are given, read as guards of what calls them.

::

    def ensure_draft(status):
        if status is not Status.DRAFT:
            raise ValueError

An operation that does ``ensure_draft(self.status)`` refuses what is no draft. What one of another
file refuses of a state, that file says.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.checking_steps import CHECKING
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.rewriting.local_answers import open_locals, spell_answer
from git_retcon.allium.extract.python.rewriting.predicates import join_returns
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.state_words import is_called_state

_CHECKS = (*CHECKING, "validate_")
_LONGEST = 12  # statements


def open_refusing(
    functions: Mapping[str, Function], classes: Sequence[ast.ClassDef], imports: Collection[str]
) -> None:
    """Write what such functions refuse in place of their calls. The methods are changed."""
    known = {name: each for name, each in functions.items() if _read_refusals(each)}
    for owner in classes:
        for each in owner.body:
            marks = getattr(each, "decorator_list", [])
            if isinstance(each, Function) and [*map(spell_dotted, marks)] == ["staticmethod"]:
                known |= {f"{owner.name}.{each.name}": each} if _read_refusals(each) else {}
    for owner in classes:
        for method in owner.body:
            if isinstance(method, Function):
                _open_method(method, known, imports)


def spell_functions(statements: Iterable[ast.stmt], constants: Constants) -> Mapping[str, str]:
    """What functions of a file answer, or refuse, of what they are given, as Python."""
    found: dict[str, str] = {}
    for node in statements:
        if not isinstance(node, ast.FunctionDef) or len(node.body) > _LONGEST:
            continue
        names, given = [each.arg for each in node.args.args], node.args
        is_whole = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
        is_whole = is_whole and not (given.defaults or node.decorator_list)
        if not (names and is_whole and _compares(node)) or names == ["self"]:
            continue
        refusals = _read_refusals(node)
        tests = [each.test for each in refusals if isinstance(each, ast.If)]
        answer = ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else tests[0] if tests else None
        answer = answer or join_returns(open_locals(node.body))
        text = spell_answer(names, answer, constants) if answer is not None else None
        found |= {node.name: text} if text is not None else {}
    return found


@answer_once
def _compares(node: Function) -> bool:
    """Whether a function compares anything."""
    return any(isinstance(each, ast.Compare) for each in walk_nodes(node))


def _read_refusals(node: Function) -> Sequence[ast.stmt]:
    """The refusals that a function is; none for one that does anything else."""
    if len(node.body) > _LONGEST or not node.args.args or isinstance(node, ast.AsyncFunctionDef):
        return []
    body = open_locals(node.body)
    return body if all(map(_refuses, body)) else []


def _refuses(node: ast.stmt) -> bool:
    match node:
        case ast.If(body=[*_, ast.Raise(exc=ast.expr())], orelse=[]):
            return True
    return False


def _open_method(method: Function, known: Mapping[str, Function], imports: Collection[str]) -> None:
    for block in [*list_blocks(method)]:
        opened = [one for each in block for one in _open(each, known, imports)]
        if opened != block:
            forget_text(method)
            block[:] = opened


def _open(
    node: ast.stmt, known: Mapping[str, Function], imports: Collection[str]
) -> Iterator[ast.stmt]:
    found: Sequence[ast.stmt] | None = None
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as func) as call):
            name = spell_dotted(func)
            if name in known:
                found = _give(known[name], call)
            elif name in imports and _checks_state(name, call):
                found = [ast.Assert(ast.UnaryOp(ast.Not(), call), None)]
    for each in [node] if found is None else found:
        yield each if each is node else ast.fix_missing_locations(ast.copy_location(each, node))


def _give(function: Function, call: ast.Call) -> Sequence[ast.stmt] | None:
    bare = copy_node(function)
    bare.args = copy_node(function.args)
    # As if it were a method: the first parameter of a method is not given by its call.
    bare.args.posonlyargs = [ast.arg(""), *function.args.posonlyargs]
    given = bind_arguments(bare, call)
    names = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    if any(each.arg not in given for each in names):
        return None
    return [replace_names(each, given) for each in _read_refusals(function)]


def _checks_state(name: str, call: ast.Call) -> bool:
    """Whether a function is called after a check, and is given a state of the object."""
    if not get_last(name).lstrip("_").startswith(_CHECKS):
        return False
    for each in (*call.args, *(word.value for word in call.keywords)):
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=attr) if is_called_state(
                attr.lstrip("_")
            ):
                return True
    return False
