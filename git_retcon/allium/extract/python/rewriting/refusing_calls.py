"""Functions that do nothing but refuse what they are given, read as guards of what calls them.

::

    def ensure_draft(status):
        if status is not Status.DRAFT:
            raise ValueError

An operation that does ``ensure_draft(self.status)`` refuses what is no draft. What one of another
file refuses of a state, that file says.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.rewriting.local_answers import open_locals
from git_retcon.allium.extract.python.rewriting.predicates import is_enum
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    find_text,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.state_words import is_called_state

_CALLED = re.compile(rb"([\w\x80-\xff]+)\(")
_A_CHECK = b"("  # no name
_CHECKS = re.compile(r"_*(?:check|ensure|require|assert|verify|validate|enforce|guard)(?:_\w+)?")
_ENDS_IN_CHECK = re.compile(rf"{_CHECKS.pattern}$".encode())
# Words of checks that are about a state.
_ABOUT_STATES = (
    "status", "state", "transition", "phase", "stage", "can", "may", "allowed", "not", "is",
    "editable", "mutable", "modifiable", "final", "terminal", "active", "open", "closed",
)  # fmt: skip
LONGEST = 12  # statements


class _Lent:
    """The checks that a class has from base classes of other files, beside ``own`` steps that
    classes of the file have themselves.
    """

    def __init__(
        self, node: ast.ClassDef, known: Mapping[str, ast.ClassDef], own: Collection[str]
    ) -> None:
        self._node, self._known, self._own = node, known, own
        self._words: Collection[str] | None = None  # nobody asks for those of most classes

    def has(self, name: str) -> bool:
        """Whether a step of such a base class checks a state."""
        if name in self._own or _CHECKS.fullmatch(name) is None:
            return False
        if self._words is None:
            self._words = {*_list_lent(self._node, self._known)}
        return any(each in self._words for each in name.strip("_").split("_")[1:])


def open_refusing(
    functions: Mapping[str, Function], classes: Sequence[ast.ClassDef], imports: Collection[str]
) -> None:
    """Write what such functions refuse in place of their calls. The methods are changed."""
    known = {name: each for name, each in functions.items() if _is_refusing(each)}
    members: dict[str, list[Function]] = {}
    for owner in classes:
        for each in (item for item in owner.body if isinstance(item, Function)):
            marks = [*map(spell_dotted, each.decorator_list)]
            if marks == ["staticmethod"] and _is_refusing(each):
                known[f"{owner.name}.{each.name}"] = each
            elif not marks and is_enum(owner):
                members.setdefault(each.name, []).append(each)
    alone = {name: each[0] for name, each in members.items() if len(each) == 1}
    names = {get_last(each).encode() for each in (*known, *alone)}
    named = {each.name: each for each in classes}
    own = {each.name for node in classes for each in node.body if isinstance(each, Function)}
    for owner in classes:
        methods = (each for each in owner.body if isinstance(each, Function))
        if demanding := [each for each in methods if _may_demand(each, names)]:
            opener = _Opener(known, alone, imports, _Lent(owner, named, own))
            for each in demanding:
                opener.open_method(each)


@answer_once
def _is_refusing(node: Function) -> bool:
    return bool(read_refusals(node))


def _may_demand(node: Function, names: Collection[bytes]) -> bool:
    """Whether a function may call one of these, or a check."""
    called = _list_called(node)
    return called is None or _A_CHECK in called or not called.isdisjoint(names)


@answer_once
def _list_called(node: Function) -> frozenset[bytes] | None:
    """The names that the text of a function has as those of calls, with one for all checks; None
    for a function that is something else now.
    """
    text = find_text(node)
    if text is None:
        return None
    called = _CALLED.findall(text)
    checks = [_A_CHECK] if any(map(_ENDS_IN_CHECK.search, called)) else []
    return frozenset([*called, *checks])


def _list_lent(node: ast.ClassDef, known: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    """The words in names of checks that a class has from base classes of other files, where these
    are about its states: those of the constants that it names, and of states at all.
    """
    bases = [spell_dotted(each) for each in node.bases]
    if all(each in known for each in bases):
        return
    yield from _ABOUT_STATES
    for each in ast.iter_child_nodes(node):
        yield from _list_words(each) if isinstance(each, Function) else _walk_words(each)


@answer_once
def _list_words(node: Function) -> Collection[str]:
    return _walk_words(node)


def _walk_words(node: ast.AST) -> Collection[str]:
    """The words in the names of the constants that anything names."""
    named = (each.attr for each in walk_nodes(node) if isinstance(each, ast.Attribute))
    return {word for name in named if name.isupper() for word in name.lower().split("_")}


def read_refusals(node: Function) -> Sequence[ast.stmt]:
    """The refusals that a function is; none for one that does anything else."""
    if len(node.body) > LONGEST or not node.args.args or isinstance(node, ast.AsyncFunctionDef):
        return []
    body = open_locals(node.body)
    return body if all(map(_refuses, body)) else []


def _refuses(node: ast.stmt) -> bool:
    match node:
        case ast.If(body=[*_, ast.Raise(exc=ast.expr())], orelse=[]):
            return True
    return False


class _Opener:
    """Opens calls of functions by their names, and of members of enums that answer for a state."""

    def __init__(
        self,
        known: Mapping[str, Function],
        members: Mapping[str, Function],
        imports: Collection[str],
        lent: "_Lent",
    ) -> None:
        self._known, self._members, self._imports = known, members, imports
        self._lent = lent

    def open_method(self, method: Function) -> None:
        for block in [*list_blocks(method)]:
            opened = [one for each in block for one in self._open(each)]
            if opened != block:
                forget_text(method)
                block[:] = opened

    def _open(self, node: ast.stmt) -> Iterator[ast.stmt]:
        found: Sequence[ast.stmt] | None = None
        match node:
            case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as func) as call):
                found = self._open_call(spell_dotted(func), call)
            case ast.Assign(
                targets=[ast.Attribute() as target],
                value=ast.Call(func=ast.Attribute(value=asked, attr=name)) as call,
            ) if name in self._members and ast.unparse(target) == ast.unparse(asked):
                found = _move(self._members[name], call, target)
        for each in [node] if found is None else found:
            is_same = each is node
            yield each if is_same else ast.fix_missing_locations(ast.copy_location(each, node))

    def _open_call(self, name: str, call: ast.Call) -> Sequence[ast.stmt] | None:
        if name in self._known:
            return _give(self._known[name], call)
        last = get_last(name)
        is_asked = _is_state(getattr(call.func, "value", None))
        if is_asked and last in self._members:
            return _give(self._members[last], call, of_object=True) or None
        is_told = is_asked and bool(call.args or call.keywords)
        is_given = name.partition(".")[0] in self._imports and _gives_state(call)
        is_handed = any(isinstance(e, ast.Name) and e.id == "self" for e in call.args)
        if _CHECKS.fullmatch(last) and (is_told or is_given or is_handed):
            return [ast.Assert(ast.UnaryOp(ast.Not(), call), None)]
        if name == f"self.{last}" and self._lent.has(last):
            return ast.parse("assert getattr(self, unknown)").body
        return None


def _move(function: Function, call: ast.Call, target: ast.Attribute) -> Sequence[ast.stmt] | None:
    """What a member does that answers the state which it is given, where it refuses no other."""
    given = _bind(function, call, of_object=True)
    *refusals, last = open_locals(function.body) or [ast.Pass()]
    match last:
        case ast.Return(value=ast.Name(id=name)) if given is not None and name in given:
            if all(map(_refuses, refusals)) and refusals:
                guards = [replace_names(each, given) for each in refusals]
                return [*guards, ast.Assign([target], given[name])]
    return None


def _give(
    function: Function, call: ast.Call, *, of_object: bool = False
) -> Sequence[ast.stmt] | None:
    given = _bind(function, call, of_object=of_object)
    if given is None:
        return None
    return [replace_names(each, given) for each in read_refusals(function)]


def _bind(function: Function, call: ast.Call, *, of_object: bool) -> Mapping[str, ast.expr] | None:
    bare, names = function, [*function.args.args, *function.args.kwonlyargs]
    given: dict[str, ast.expr] = {}
    if of_object:
        given[names[0].arg] = getattr(call.func, "value", call.func)
    else:
        bare = copy_node(function)
        bare.args = copy_node(function.args)
        # As if it were a method: the first parameter of a method is not given by its call.
        bare.args.posonlyargs = [ast.arg(""), *function.args.posonlyargs]
    given |= bind_arguments(bare, call)
    return given if all(each.arg in given for each in names) else None


def _gives_state(call: ast.Call) -> bool:
    """Whether a function is given a state of the object."""
    return any(map(_is_state, (*call.args, *(word.value for word in call.keywords))))


def _is_state(node: ast.expr | None) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            return is_called_state(attr.lstrip("_"))
    return False
