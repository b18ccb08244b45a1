"""What an operation demands before it does anything, and where it does nothing at all."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.checking_steps import find_check, is_run
from git_retcon.allium.extract.python.flow.required_states import asks_state, list_required
from git_retcon.allium.extract.python.syntax.caught_errors import Block, leaves_blocks, may_return
from git_retcon.allium.extract.python.syntax.conditions import (
    Subject,
    face_field,
    find_states,
    read_states,
    translate_condition,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import TouchedNames, reads_names

# Errors of the programmer, not of the domain.
_INTERNAL = frozenset(
    {"NotImplementedError", "TypeError", "AttributeError", "AssertionError", "ImportError"}
)
_ASKING = ("is", "has", "can", "may", "get", "len", "all", "any", "exists", "should", "allows")
_PERMISSIONS = ("can_", "may_", "is_", "has_")
# What only tells people of something: console.warn(), logger.info(), debug().
_LOGS = frozenset({"console", "logger", "logging", "log", "warnings"})
# What answers that it did not work: Err("too late"), Result.failure(error).
_FAILURE = re.compile(r"[A-Z]\w*\.(?:err|error|fail|failure)|Err|Failure|err")
_LOG_CALLS = frozenset({"debug", "print"})


class Guard(NamedTuple):
    """What has to hold, in the language, or None and the source's own words."""

    condition: str | None
    guidance: str = ""


def list_guards(body: Sequence[ast.stmt], subject: Subject) -> Iterator[Guard]:
    """What has to hold, in the order of the source.

    Guards come first: what an operation assigned itself is no demand on its caller.
    """
    touched = TouchedNames(subject)
    is_begun = may_have_left = False
    for node, blocks in _list_reached(body, lambda each: _only_leaves(each, subject)):
        touched.enter(blocks)
        match node:
            case ast.If(test=test, body=inner, orelse=[]) if fails(node, subject):
                hides = _hands_on(inner, test, subject) or reads_names(
                    test, touched.find(), subject
                )
                if is_raised(inner, blocks) and not (hides or may_have_left):
                    text = translate_condition(test, subject, negate=True)
                    if text is not None:
                        yield Guard(text)
                    else:
                        said = _name_permission(test, subject) or f"Fails if {ast.unparse(test)}"
                        yield Guard(None, said)
                        yield from map(Guard, list_required(test, subject, holds=False))
                continue
            case ast.If() if (quiet := read_refusal(node, subject)) is not None:
                # Doing nothing in some states is another way to refuse, before anything is done.
                if is_begun:
                    return
                yield Guard(quiet)
                continue
            case ast.If() if may_return(node):
                if is_begun or not _only_leaves(node, subject):
                    return  # what follows happens only sometimes
                # Whatever else it leaves by, it does nothing then.
                yield from map(Guard, list_required(node.test, subject, holds=False))
                may_have_left = True
                is_begun = not all(map(is_asked, walk_nodes(node.test)))
                continue
        check = find_check(node, subject)
        if check is not None and not may_have_left and is_run(node, check):
            yield from _list_checked(check, subject, blocks, touched.find())
        is_begun = is_begun or begins_work(node)
        touched.add(node)


def _list_checked(
    check: ast.FunctionDef | ast.AsyncFunctionDef,
    subject: Subject,
    blocks: Sequence[Block],
    touched: Set[str],
) -> Iterator[Guard]:
    """What a step refuses with an error, for the operation that runs it."""
    names = [each.arg for each in check.args.args]
    if check.decorator_list or names[:1] != [subject.name]:
        return
    own = subject._replace(parameters={})
    for node, within in list_certain(check.body, own):
        if may_return(node):
            return  # what follows is refused only sometimes
        match node:
            case ast.If(test=test, body=inner, orelse=[]) if fails(node, own):
                if is_raised(inner, (*blocks, *within)) and not reads_names(test, touched, own):
                    text = translate_condition(test, own, negate=True)
                    yield from [Guard(text)] if text is not None else []


def begins_work(node: ast.stmt) -> bool:
    """Whether an operation that leaves behind a statement has done something."""
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Attribute) for each in node.targets)
    return not (is_quiet(node) or isinstance(node, ast.Assert))


def list_certain(
    body: Iterable[ast.stmt], subject: Subject
) -> Iterator[tuple[ast.stmt, tuple[Block, ...]]]:
    """The statements that run in any case, each with the blocks that it is in: none behind a way
    out that says nothing of states.
    """
    yield from _list_reached(body, lambda each: read_refusal(each, subject) is not None)


def _list_reached(
    body: Iterable[ast.stmt], passes: Callable[[ast.If], bool], blocks: tuple[Block, ...] = ()
) -> Iterator[tuple[ast.stmt, tuple[Block, ...]]]:
    """The statements up to a way out that does not pass."""
    for node in body:
        if isinstance(node, ast.With | ast.AsyncWith | ast.Try):
            yield from _list_reached(node.body, passes, (*blocks, node))
        elif isinstance(node, ast.If) and node.orelse and isinstance(node.body[-1], ast.Raise):
            # What is behind "else" always runs where no error is raised.
            yield ast.If(test=node.test, body=node.body, orelse=[]), blocks
            yield from _list_reached(node.orelse, passes, blocks)
        else:
            yield node, blocks
        if isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return
        if may_return(node) and not (isinstance(node, ast.If) and passes(node)):
            return


def is_raised(body: Sequence[ast.stmt], blocks: Sequence[Block]) -> bool:
    """Whether the error that a body ends with leaves the operation."""
    last = body[-1]
    return isinstance(last, ast.Raise) and leaves_blocks(last.exc, blocks)


def _hands_on(body: Sequence[ast.stmt], test: ast.expr, subject: Subject) -> bool:
    """Whether an operation raises the error that its caller gave it, and asks nothing of the
    object before: it reports a fault, and demands nothing.
    """
    match body[-1]:
        case ast.Raise(exc=ast.Name(id=error)) if error in subject.parameters:
            names = (each.id for each in ast.walk(test) if isinstance(each, ast.Name))
            return subject.name not in names
    return False


def read_refusal(node: ast.If, subject: Subject) -> str | None:
    """What has to hold for an operation not to leave here without doing anything, where that is
    about states alone.
    """
    if not _only_leaves(node, subject):
        return None
    return (
        translate_condition(node.test, subject, negate=True)
        if asks_state(node.test, subject)
        else None
    )


def _only_leaves(node: ast.If, subject: Subject) -> bool:
    """Whether an operation does nothing where a condition holds."""
    return not node.orelse and _refuses_quietly(node.body, subject.name)


def leaves_quietly(node: ast.If) -> bool:
    """Whether an operation does nothing where a condition holds, if all that it names is itself."""
    match node.body[-1]:
        case ast.Return(value=ast.Name(id=owner)):
            return not node.orelse and _refuses_quietly(node.body, owner)
    return not node.orelse and _refuses_quietly(node.body)


def is_asked(node: ast.AST) -> bool:
    """Whether a part of a condition asks, and does nothing."""
    match node:
        case ast.Call(func=func):
            return get_last(spell_dotted(func)).lstrip("_").startswith(_ASKING)
    return not isinstance(node, ast.Await | ast.NamedExpr)


def list_permissions(body: Sequence[ast.stmt], subject: Subject) -> Iterator[str]:
    """Guards that ask a method or a property whose meaning cannot be read: its name is all that is
    known.
    """
    for node, blocks in list_certain(body, subject):
        match node:
            case ast.If(test=test, body=inner, orelse=[]) if raises_error(inner):
                said = _name_permission(test, subject) if is_raised(inner, blocks) else ""
                if said and translate_condition(test, subject) is None:
                    yield said


def _name_permission(test: ast.expr, subject: Subject) -> str:
    """What is asked of the object's own permission, in prose; "" for any other condition."""
    is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    asked = test.operand if isinstance(test, ast.UnaryOp) else test
    match asked.func if isinstance(asked, ast.Call) else asked:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == subject.name:
            if attribute.startswith(_PERMISSIONS):
                word = "unless" if is_negated else "if"
                return f"Fails {word} {attribute.removesuffix('()')} holds."
    return ""


def list_conditions(body: Sequence[ast.stmt], subject: Subject) -> Sequence[str]:
    """What has to hold for an operation to do anything, where all that it does is in one ``if``."""
    branches = list_branches(body)
    if any(isinstance(each.body[-1], ast.Raise) for each in branches):
        return ()
    if len(branches) > 1:
        tests = [each.test for each in branches]
        joined = _join_tests(tests, subject)
        text = translate_condition(joined, subject) if joined is not None else None
        return [text] if text is not None and all(asks_state(e, subject) for e in tests) else ()
    parts = (part for each in branches for part in _list_parts(each.test, ast.And))
    texts = (translate_condition(each, subject) for each in parts if asks_state(each, subject))
    return [text for text in texts if text is not None]


def _join_tests(tests: Sequence[ast.expr], subject: Subject) -> ast.expr | None:
    """That one of them holds: as one question where all ask one field for its states; None where
    these are all that it has.
    """
    listed: dict[str, ast.expr] = {}
    fields: dict[str, ast.expr] = {}
    for each in tests:
        match each:
            case ast.Compare(ops=[ast.Eq() | ast.Is()]):
                left, _, right = face_field(each, subject)
                parts = [right]
            case ast.Compare(
                left=left,
                ops=[ast.In()],
                comparators=[ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts)],
            ):
                pass
            case _:
                return ast.BoolOp(op=ast.Or(), values=[*tests])
        fields[ast.unparse(left)] = left
        listed |= {ast.unparse(part): part for part in parts}
    if len(fields) > 1:
        return ast.BoolOp(op=ast.Or(), values=[*tests])
    place, asked = min(fields.items())[1], ast.Tuple(elts=[*listed.values()])
    states = find_states(place, subject)
    named = read_states(asked, states, subject.constants) if states is not None else None
    is_every = states is not None and {each.name for each in states.choices} <= {*(named or ())}
    return None if is_every else ast.Compare(left=place, ops=[ast.In()], comparators=[asked])


def enter_whole(
    body: Sequence[ast.stmt], subject: Subject, demanded: Sequence[str]
) -> Sequence[ast.stmt]:
    """What an operation does where what it demands holds: all in its one ``if``, of which all is
    demanded, or the body itself.
    """
    whole = find_whole(body)
    said = list_conditions(body, subject)
    if whole is None or not all(each in demanded for each in said):
        return body
    count = sum(1 for _ in _list_parts(whole.test, ast.And))
    return whole.body if len(said) == count else body


def _list_parts(test: ast.expr, word: type[ast.boolop]) -> Iterator[ast.expr]:
    """What a condition joins by "and", or by "or"."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, word):
        for each in test.values:
            yield from _list_parts(each, word)
    else:
        yield test


def find_whole(body: Sequence[ast.stmt]) -> ast.If | None:
    """The ``if`` that holds all that an operation does; None where there is none."""
    branches = list_branches(body)
    return branches[0] if len(branches) == 1 else None


def list_branches(body: Sequence[ast.stmt]) -> Sequence[ast.If]:
    """The branches that hold all that an operation does, as ``elif`` joins them; none where it does
    something in any case.
    """
    last = body[-1] if body else None
    if not isinstance(last, ast.If) or not all(map(is_quiet, body[:-1])):
        return ()
    found = [last]
    while True:
        match found[-1].orelse:
            case [ast.If() as other] if not is_quiet(other):
                found.append(other)
            case rest:
                is_all = all(map(is_quiet, rest)) or _refuses_quietly(rest)
                return found if is_all else ()


def open_blocks(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that always begin, until one leaves; those in ``with`` and ``try`` count."""
    for node in body:
        if isinstance(node, ast.With | ast.AsyncWith | ast.Try):
            yield from open_blocks(node.body)
        else:
            yield node
        if isinstance(node, ast.Return | ast.Raise):
            return


def raises_error(body: Sequence[ast.stmt]) -> bool:
    """Whether a block ends with an error of the domain."""
    last = body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    return get_last(spell_dotted(last.exc)) not in _INTERNAL


def fails(node: ast.If, subject: Subject) -> bool:
    """Whether a block ends with an error of the domain: what a state is wrong for is one, even if
    the source calls it one of types.
    """
    if raises_error(node.body):
        return True
    match node.body[-1]:
        case ast.Raise(exc=ast.expr() as error) if get_last(spell_dotted(error)) == "TypeError":
            found = (find_states(each, subject) for each in ast.walk(node.test)
                     if isinstance(each, ast.Attribute))  # fmt: skip
            return asks_state(node.test, subject) and any(e and e.choices for e in found)
    return False


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a text, or another constant, alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _refuses_quietly(body: Sequence[ast.stmt], owner: str = "self") -> bool:
    """Whether a block leaves with nothing, or with the object itself, and does nothing before."""
    return leaves_with_nothing(body[-1], owner) and all(map(is_quiet, body[:-1]))


def leaves_with_nothing(node: ast.stmt, owner: str) -> bool:
    """Whether a statement leaves with nothing, with "no", which may come first in a tuple or be
    called a failure, or with the object itself.
    """
    match node:
        case ast.Return(value=None) | ast.Return(value=ast.Constant(value=None | False)):
            return True
        case ast.Return(value=ast.Tuple(elts=[ast.Constant(value=False), *others])):
            return not any(isinstance(e, ast.Call) for each in others for e in walk_nodes(each))
        case ast.Return(value=ast.Call(func=ast.Name() | ast.Attribute() as called)):
            return _FAILURE.fullmatch(spell_dotted(called).replace("()", "")) is not None
        case ast.Return(value=ast.Name(id=name)):
            return name == owner
    return False


def is_quiet(node: ast.stmt) -> bool:
    """Whether a statement changes nothing that outlives the method: names, texts and logs."""
    match node:
        case ast.If(body=body, orelse=orelse):
            return all(map(is_quiet, [*body, *orelse]))
        case ast.Try(body=body, handlers=handlers):
            inner = [each for handler in handlers for each in handler.body]
            return all(map(is_quiet, [*body, *inner]))
        case ast.Assign(targets=targets):
            return all(isinstance(each, ast.Name) for each in targets)
        case ast.Expr(value=ast.Call(func=func)):
            dotted = spell_dotted(func)
            first, _, last = dotted.rpartition(".")
            is_log = get_last(first).lower().strip("_") in _LOGS
            return is_log or (not first and last.removesuffix("()") in _LOG_CALLS)
    return is_docstring(node) or isinstance(node, ast.Pass)
