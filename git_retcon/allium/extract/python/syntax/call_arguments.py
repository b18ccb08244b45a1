"""What the parameters of a method get in a call of it; the one that takes the rest gets a tuple."""

import ast
from collections.abc import Mapping


def bind_arguments(
    method: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call
) -> Mapping[str, ast.expr]:
    """The parameters behind the first one with what each gets, given or by default.

    Behind a list that the call spreads none gets anything: which one it would be is open.
    """
    spread = next((i for i, e in enumerate(call.args) if isinstance(e, ast.Starred)), None)
    names = [each.arg for each in (*method.args.posonlyargs, *method.args.args)]
    given = dict(zip(reversed(names), reversed(method.args.defaults), strict=False))
    for each, default in zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True):
        given |= {each.arg: default} if default is not None else {}
    if any(not each.arg for each in call.keywords):
        given = {}  # "**words" may give what has a default
    if spread is not None:
        given = {}  # the list may give it, too
    given |= dict(zip(names[1:], call.args[:spread], strict=False))
    if method.args.vararg is not None and spread is None:
        rest = call.args[max(0, len(names) - 1) :]
        given[method.args.vararg.arg] = ast.Tuple(elts=rest, ctx=ast.Load())
    return given | {each.arg: each.value for each in call.keywords if each.arg}
