"""Methods of the same object that a statement runs, with what their parameters get."""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.allowed_states import read_local_lists, spread_given
from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.flag_parameters import split_flags
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names, list_set_names

Method = ast.FunctionDef | ast.AsyncFunctionDef
# Gives what a parameter of the caller was given, in place of its name.
Resolve = Callable[[ast.expr], ast.expr]


class CalledMethod(NamedTuple):
    """A method that a statement runs, by its name, and what its parameters get."""

    name: str
    method: Method
    call: ast.Call
    given: Mapping[str, ast.expr]


def find_called(value: ast.expr | None, subject: Subject, resolve: Resolve) -> CalledMethod | None:
    """The method that an expression runs and waits for; None where that is none, or is open."""
    call = value.value if isinstance(value, ast.Await) else value
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            method = subject.methods.get(name) if owner == subject.name else None
        case _:
            return None
    # Without "await" it is only made, and runs later or never.
    is_made = isinstance(method, ast.AsyncFunctionDef) and not isinstance(value, ast.Await)
    if method is None or is_made or is_left_to_heirs(method):
        return None
    given = bind_called(method, call, subject, resolve)
    return CalledMethod(name, method, call, given) if given is not None else None


@answer_once
def is_left_to_heirs(method: Method) -> bool:
    """Whether a method says only that heirs have it: ``raise NotImplementedError``."""
    match [each for each in method.body if not is_docstring(each)]:
        case [ast.Raise(exc=ast.expr() as error)]:
            return spell_dotted(error) == "NotImplementedError"
    return False


def split_given(given: Mapping[str, ast.expr], method: Method) -> Iterator[Mapping[str, ast.expr]]:
    """What parameters get by each answer of the first condition that decides on one of them, and
    by each truth of those that the method asks for again and again.
    """
    name = next((name for name, each in given.items() if isinstance(each, ast.IfExp)), "")
    chosen = given.get(name)
    if isinstance(chosen, ast.IfExp):
        yield from split_flags(method, {**given, name: chosen.body})
        yield from split_flags(method, {**given, name: chosen.orelse})
    else:
        yield from split_flags(method, given)


def bind_called(
    method: Method, call: ast.Call, subject: Subject, resolve: Resolve
) -> Mapping[str, ast.expr] | None:
    """What the parameters get, names of the caller's own replaced; None where that is open."""
    names = [each.arg for each in (*method.args.posonlyargs, *method.args.args)]
    if not names or names[0] != subject.name or method.decorator_list:
        return None
    # What a method sets itself is no longer what it was given.
    own = list_local_names(method) if len(names) > 1 else frozenset[str]()
    if names[0] in own:
        return None
    kept = _list_kept(method) if not own.isdisjoint(names) else frozenset[str]()
    if not own.isdisjoint(names) and not _sets_state(method, subject):
        return None
    if any(name in subject.methods or _has_states(subject, name) for name in kept):
        return None
    given = bind_arguments(method, call).items()
    found = {name: resolve(each) for name, each in given if name not in own}
    listed = read_local_lists(method).items()
    return found | {name: spread_given(each, found) for name, each in listed}


def _sets_state(method: Method, subject: Subject) -> bool:
    """Whether a method, or one that it runs, sets a state: of others, less is worth knowing."""
    states = {f".{name}" for name in subject.states}
    return any(name in states for each in method.body for name in list_set_names(each, subject))


def _has_states(subject: Subject, name: str) -> bool:
    """Whether an attribute has states; what is no more than a field has none here."""
    states = subject.states.get(name)
    return states is not None and bool(states.enum or states.choices)


@answer_once
def _list_kept(method: Method) -> frozenset[str]:
    """The attributes that a method sets to what it is given: perhaps a state, by a guard of its
    own, or a property that sets one.
    """
    names = {each.arg for each in (*method.args.args, *method.args.kwonlyargs)}
    found: set[str] = set()
    for node in walk_nodes(method):
        match node:
            case ast.Assign(targets=targets, value=ast.Name(id=name)) if name in names:
                found |= {each.attr for each in targets if isinstance(each, ast.Attribute)}
    return frozenset(found)
