"""What functions of a Python file answer, or refuse, for files that ask them.

A function is told as what it answers of what it is given, ``lambda current, new: new in NEXT``, and
one that only refuses as when it does so.
"""

import ast
from collections.abc import Iterable, Mapping

from git_retcon.allium.extract.python.rewriting.local_answers import open_locals, spell_answer
from git_retcon.allium.extract.python.rewriting.predicates import join_returns
from git_retcon.allium.extract.python.rewriting.refusing_calls import LONGEST, read_refusals
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_UNBOUND = frozenset({"staticmethod", "classmethod"})


def spell_functions(statements: Iterable[ast.stmt], constants: Constants) -> Mapping[str, str]:
    """What functions of a file, and static ones of its classes, answer or refuse, as Python."""
    found: dict[str, str] = {}
    for node in statements:
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            marks = [*map(spell_dotted, getattr(each, "decorator_list", []))]
            if isinstance(each, ast.FunctionDef) and isinstance(node, ast.ClassDef):
                skipped = 1 if marks == ["classmethod"] else 0
                text = _spell(each, constants, skipped) if marks else None
                found |= {f"{node.name}.{each.name}": text} if text is not None else {}
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            text = _spell(node, constants, 0)
            found |= {node.name: text} if text is not None else {}
    return found


def _spell(node: ast.FunctionDef, constants: Constants, skipped: int) -> str | None:
    names, given = [each.arg for each in node.args.args][skipped:], node.args
    is_whole = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
    if not (names and is_whole) or given.defaults or len(node.body) > LONGEST or names == ["self"]:
        return None
    if not _compares(node) or {*map(spell_dotted, node.decorator_list)} - _UNBOUND:
        return None
    tests = [each.test for each in read_refusals(node) if isinstance(each, ast.If)]
    answer = ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else tests[0] if tests else None
    answer = answer or join_returns(open_locals(node.body))
    return spell_answer(names, answer, constants) if answer is not None else None


@answer_once
def _compares(node: Function) -> bool:
    """Whether a function compares anything."""
    return any(isinstance(each, ast.Compare) for each in walk_nodes(node))
