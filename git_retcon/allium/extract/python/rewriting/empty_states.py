"""Fields that have no state where they are the text without a letter.

::

    def unload(self):
        self._state = ""

leaves the states that other methods give the field as texts, as ``None`` would.
"""

import ast
import re
from collections.abc import Collection, Iterable

from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.own_attributes import list_own_names, list_touches
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_EMPTY = re.compile(rb"""= *(?:''|"")[\s#]""")
_CALLED = re.compile(rb"(?:[Ss]tate|[Ss]tatus|[Pp]hase|[Ss]tage)(?:: *\w+)? *$")
_LONGEST = 40  # of a field with its type


def empty_states(content: bytes, classes: Iterable[ast.ClassDef]) -> None:
    """Let classes give such fields nothing in place of an empty text. Their methods are changed."""
    for node in classes if _may_empty(content) else ():
        methods = [each for each in node.body if isinstance(each, _Function)]
        emptied = _list_emptied(methods)
        for each in node.body if emptied else ():
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")):
                    each.value = ast.Constant(None if name in emptied else "")
        for each in methods if emptied else ():
            if not emptied.isdisjoint(list_own_names(each)):
                forget_text(each)
                empty_texts([each], emptied)


def _may_empty(content: bytes) -> bool:
    """Whether a file may have such fields, which most have not."""
    starts = (each.start() for each in _EMPTY.finditer(content))
    return any(_CALLED.search(content, max(0, at - _LONGEST), at) for at in starts)


def _list_emptied(methods: Iterable[_Function]) -> frozenset[str]:
    """The states that methods set to an empty text, and to several others."""
    found: dict[str, set[str]] = {}
    for each in (touch for method in methods for touch in list_touches(method)):
        for name, value in each.given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.setdefault(name, set()).add(value.value)
    return frozenset(n for n, e in found.items() if is_called_state(n) and "" in e and len(e) > 2)


def empty_texts(statements: Iterable[ast.stmt], symbols: Collection[str]) -> None:
    """Let the text without a letter be nothing where it is given to, or compared with, fields with
    these names. The statements themselves are changed.
    """
    for node in (each for part in statements for each in ast.walk(part)) if symbols else ():
        match node:
            case (
                ast.Assign(targets=[target], value=ast.Constant(value=""))
                | ast.AnnAssign(target=target, value=ast.Constant(value=""))
            ) if _is_field(target, symbols):
                node.value = ast.Constant(None)
            case ast.Compare(left=ast.Constant(value=""), comparators=[asked]) if _is_field(
                asked, symbols
            ):  # the other way round
                node.left, node.comparators = asked, [ast.Constant(None)]
            case ast.Compare(left=left, comparators=[asked]) if _is_field(left, symbols):
                node.comparators = [_empty(asked)]


def _empty(asked: ast.expr) -> ast.expr:
    match asked:
        case ast.Constant(value=""):
            return ast.Constant(None)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            asked.elts = [_empty(each) for each in parts]
    return asked


def _is_field(node: ast.expr, symbols: Collection[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=symbol):
            return symbol in symbols
    return False
