"""Results that say that an operation failed, read as the errors that they are.

``if (this.status !== Status.New) { return Result.fail('not new'); }`` refuses as ``throw`` does.
What a step answers so, and its caller hands on, is an error of both::

    const open = this.requireOpen();
    if (open.isFailure) return Result.fail(open.error);
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# A name alone, or of what is called as results are: others have a left side, or log an error.
_FAILING = re.compile(
    r"(?:(?:[A-Z]\w*|[Rr]esults?|[Ee]ither|outcome)\.)?(?:create)?"
    r"(?:[Ff]ail(?:ed|ure|With)?|[Ee]rr(?:or)?|ERR|[Ll]eft|[Ff]ailureResult)(?:\(\))?"
    r"|(?:Err|Left|Failure|Fail|Error)\.(?:create|of|from)"
)
_IMPORTED = re.compile(r"\bimport\s+([^;'\"]*?)\s*\bfrom\s*['\"]([^'\"]+)['\"]")
_MODULE = re.compile(
    r"(?i)result|either|neverthrow|fp-ts|effect|monad|option|outcome|purify|oxide|err|fail|left|core"
)
_RESULT = re.compile(r"(?:Result|Either|Left|Right|Ok|Err|Success|Failure|Outcome)$")
_LEAVING = ast.Return | ast.Raise
_SAYS_NO = frozenset({"success", "ok", "isSuccess", "isOk", "isValid", "valid", "allowed"})
_FAILED = re.compile(r"is_?(?:Failure|Failed|Err|Error|Left)|failed|isfailure", re.IGNORECASE)
_WELL = re.compile(r"is_?(?:Success|Ok|Right)|ok|success|succeeded", re.IGNORECASE)


class _Around(NamedTuple):
    """What a file has of modules for results, the steps that set something, and whether anything
    was set before.
    """

    known: frozenset[str]
    movers: frozenset[str]
    is_moved: bool = False


def raise_results(methods: Mapping[str, Function], owner: str, body: Node | None) -> None:
    """Let the methods of a class, by what bodies call them, raise such errors. They are changed.
    What is a result itself, by the name of its class, makes others and refuses nothing.
    """
    while body is not None and body.parent is not None:
        body = body.parent
    known, movers = frozenset(_list_imported(read_text(body))), _list_movers(methods)
    places = {
        name: [*_list_failing(each.body, _Around(known - _list_given(each), movers))]
        for name, each in methods.items()
    }
    failing = {name for name, found in places.items() if found}
    if not failing or _RESULT.search(owner):
        return
    for each in methods.values():
        failing -= {*_list_kept(each, failing)}
    for name, each in methods.items():
        _drop_handed(each.body, failing)
        if name in failing:
            for block, at in [
                *_list_failing(each.body, _Around(known - _list_given(each), movers))
            ]:
                value = block[at].value  # type: ignore[attr-defined]
                block[at] = ast.copy_location(ast.Raise(exc=value, cause=None), block[at])


def _list_imported(text: str) -> Iterator[str]:
    """What a file has of modules for results."""
    for names, module in _IMPORTED.findall(text):
        if _MODULE.search(module):
            yield from re.findall(r"[A-Za-z_$][\w$]*", names)


def _list_given(node: Function) -> frozenset[str]:
    return frozenset(each.arg for each in node.args.args)


def _list_movers(methods: Mapping[str, Function]) -> frozenset[str]:
    """The steps that set something of the object, by themselves or by others."""
    found: frozenset[str] = frozenset()
    while more := {
        name
        for name, each in methods.items()
        if name not in found and any(_sets_own(part, found) for part in each.body)
    }:
        found |= more
    return found


def _list_failing(body: list[ast.stmt], around: _Around) -> Iterator[tuple[list[ast.stmt], int]]:
    """Where blocks leave with a failure, and nothing was set before."""
    for at, each in enumerate(body):
        if isinstance(each, ast.Return) and _is_failure(each.value, around.known):
            if not around.is_moved:
                yield body, at
        elif not isinstance(each, ast.Try | ast.FunctionDef | ast.AsyncFunctionDef):
            for block in _list_blocks(each):
                yield from _list_failing(block, around)
        if not around.is_moved and _sets_own(each, around.movers):
            around = around._replace(is_moved=True)


def _list_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in BLOCKS.get(node.__class__, ()):
        parts = getattr(node, name)
        is_listed = name in ("handlers", "cases")
        yield from [part.body for part in parts] if is_listed else [parts]


def _sets_own(node: ast.stmt, movers: Set[str]) -> bool:
    """Whether something of the object is set behind a statement, if it leads there."""
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], _LEAVING):
        return False
    for each in walk_nodes(node):
        match each:
            case ast.Assign(targets=targets):
                if any(spell_dotted(target).startswith("self.") for target in targets):
                    return True
            case ast.AugAssign(target=target) if spell_dotted(target).startswith("self."):
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name)) if name in movers:
                return True
    return False


def _is_failure(value: ast.expr | None, known: Set[str]) -> bool:
    match value:
        case ast.Call(func=func):
            name = spell_dotted(func)
            is_known = not name[:1].islower() or "." in name or name.removesuffix("()") in known
            return is_known and _FAILING.fullmatch(name) is not None
        case ast.Dict(keys=keys, values=values):
            for key, each in zip(keys, values, strict=True):
                match key, each:
                    case ast.Constant(value=str() as name), ast.Constant(value=False):
                        if name in _SAYS_NO:
                            return True
    return False


def _find_step(node: ast.AST | None) -> str:
    """The step of the object that a call, or what waits for it, runs."""
    match node:
        case ast.Await(value=value):
            return _find_step(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name
    return ""


def _list_kept(node: Function, failing: Iterable[str]) -> Iterator[str]:
    """The steps whose failures a method keeps: it does something else with what they answer."""
    known = {*failing}
    handed = {id(each) for each in _list_handed(node.body)}
    for part in node.body:
        for each in walk_nodes(part):
            match each:
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    if name in known and id(each) not in handed:
                        yield name


def _list_handed(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The places that name a step whose failure leaves the method as well."""
    for at, each in enumerate(body):
        after = body[at + 1] if at + 1 < len(body) else None
        match each:
            case ast.Return(value=value):
                yield from _list_called(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _hands_on(after, name):
                yield from _list_called(value)
            case ast.If(test=test) if (asked := _read_failed(each)) is not None and test:
                yield from _list_called(asked)
        for block in _list_blocks(each):
            yield from _list_handed(block)


def _list_called(value: ast.expr | None) -> Iterator[ast.AST]:
    inner = value.value if isinstance(value, ast.Await) else value
    if _find_step(inner) and isinstance(inner, ast.Call):
        yield inner.func


def _hands_on(node: ast.stmt | None, name: str) -> bool:
    asked = _read_failed(node) if isinstance(node, ast.If) else None
    return isinstance(asked, ast.Name) and asked.id == name


def _read_failed(node: ast.If) -> ast.expr | None:
    """What a condition asks for its failure, where a method leaves with it then."""
    if node.orelse or not isinstance(node.body[-1], ast.Return | ast.Raise) or len(node.body) > 1:
        return None
    match node.test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            asked, pattern = operand, _WELL
        case asked:
            pattern = _FAILED
    if isinstance(asked, ast.Call) and not asked.args:
        asked = asked.func
    match asked:
        case ast.Attribute(value=value, attr=attr) if pattern.fullmatch(attr.removesuffix("()")):
            return value
    return None


def _drop_handed(body: list[ast.stmt], failing: Iterable[str]) -> None:
    """Leave out what only hands on a failure that is an error now."""
    known = {*failing}
    for at in reversed(range(len(body))):
        each = body[at]
        for block in _list_blocks(each):
            _drop_handed(block, known)
        if not isinstance(each, ast.If) or (asked := _read_failed(each)) is None:
            continue
        before = body[at - 1] if at else None
        if _find_step(asked) in known:
            body[at] = ast.copy_location(ast.Expr(value=asked), each)
        elif (
            isinstance(before, ast.Assign)
            and _find_step(before.value) in known
            and _hands_on(each, spell_dotted(before.targets[0]))
        ):
            del body[at]
