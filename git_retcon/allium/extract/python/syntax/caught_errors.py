"""Whether an error leaves the operation that raises it, past the blocks that it is raised in."""

import ast
import builtins
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_own

Block: TypeAlias = ast.Try | ast.With | ast.AsyncWith
# Names of context managers that end an error, "suppress" of the standard library among them.
_SWALLOWING = ("suppress", "ignore", "swallow", "silence", "catch")
_ANY = frozenset({"Exception", "BaseException"})


def leaves_blocks(error: ast.expr | None, blocks: Sequence[Block]) -> bool:
    """Whether an error that is raised inside these blocks, the outermost first, leaves all."""
    for block in reversed(blocks):
        if isinstance(block, ast.Try):
            if any(map(may_return, block.finalbody)):
                return False
            handler = next((h for h in block.handlers if _may_catch(h.type, error)), None)
            if handler is not None:
                error = _find_raised(handler, error)
                if error is None:
                    return False
        elif swallows_errors(block) and _list_caught(block, error):
            return False
    return True


def swallows_errors(node: ast.stmt) -> bool:
    """Whether the body of ``with`` or ``try`` may end early without an error of the operation."""
    match node:
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return any(map(_is_swallowing, items))
        case ast.Try(handlers=handlers, finalbody=last):
            error = ast.Name("Exception")
            return any(map(may_return, last)) or any(
                _find_raised(each, error) is None for each in handlers
            )
    return False


def may_catch_all(node: ast.stmt) -> bool:
    """Whether no error of a body leaves a statement by itself."""
    kinds = (each.type for each in node.handlers) if isinstance(node, ast.Try) else ()
    return any(kind is None or get_last(spell_dotted(kind)) in _ANY for kind in kinds)


def may_return(node: ast.stmt) -> bool:
    """Whether an operation may be over behind a statement, without an error."""
    if node.__class__ not in BLOCKS:  # as most
        return isinstance(node, ast.Return)
    return any(isinstance(each, ast.Return) for each in walk_statements([node]))


def _find_raised(handler: ast.ExceptHandler, error: ast.expr | None) -> ast.expr | None:
    """What a handler raises in any case; None where it may end without an error."""
    last = handler.body[-1]
    leaves = (ast.Return, ast.Break, ast.Continue)
    if not isinstance(last, ast.Raise) or any(
        isinstance(each, leaves) for part in handler.body for each in walk_own(part)
    ):
        return None
    return last.exc if last.exc is not None else error or ast.Name("Exception")


def _is_swallowing(item: ast.withitem) -> bool:
    name = get_last(spell_dotted(item.context_expr)).lower()
    return any(word in name for word in _SWALLOWING)


def _list_caught(block: ast.With | ast.AsyncWith, error: ast.expr | None) -> bool:
    for item in filter(_is_swallowing, block.items):
        call = item.context_expr
        listed: Iterable[ast.expr] = call.args if isinstance(call, ast.Call) else ()
        kinds = [*listed]
        if not kinds or any(_may_catch(each, error) for each in kinds):
            return True
    return False


def _may_catch(kind: ast.expr | None, error: ast.expr | None) -> bool:
    """Whether a handler of this kind may take an error: it does not where both are known."""
    if kind is None or error is None:
        return True
    if isinstance(kind, ast.Tuple):
        return any(_may_catch(each, error) for each in kind.elts)
    name, raised = get_last(spell_dotted(kind)), get_last(spell_dotted(error))
    caught, given = getattr(builtins, name, None), getattr(builtins, raised, None)
    if name in _ANY or not isinstance(given, type):
        return True  # what an error of the project inherits is not known here
    if isinstance(caught, type):
        return issubclass(given, caught)
    # A class of the project never is a base of one of Python's own; a constant may name any.
    return name.isupper() or not name
