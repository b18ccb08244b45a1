"""The states of one field that another one keeps.

::

    def pause(self):
        self._before = self.state
        self.state = State.PAUSED

    def resume(self):
        self.state = self._before

An object goes on in one of the states in which it may have been paused.
"""

import ast
from collections.abc import Mapping, Sequence, Set

from git_retcon.allium.extract.python.flow.entered_states import find_entered, is_none, sets_part
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.waiting_steps import awaits_event
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# What a field is given, and the method that gives it.
_Given = Sequence[tuple[Function, ast.expr | None]]


def find_kept(
    subject: Subject, beginning: Sequence[ast.stmt] = ()
) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By the field, and by the text of each that keeps it, the states that this may have.
    ``beginning`` is what an object does before its constructor.
    """
    found: dict[str, Mapping[str, frozenset[str]]] = {}
    for symbol, states in subject.states.items():
        place = f"{subject.name}.{symbol}"
        keepers = _list_keepers(subject, place) if states.choices else ()
        given = {each: _list_given(subject, each) for each in keepers}
        every = frozenset(choice.name for choice in states.choices)
        entered = find_entered(subject, symbol, beginning, keepers) if keepers else None
        known = every if entered is None else entered
        read = {e: _read_kept(subject, symbol, known, listed) for e, listed in given.items()}
        kept = {
            each: one
            for each, one in read.items()
            if one
            and (_is_full(subject, symbol, given[each]) or _is_sure(subject, symbol, each, known))
        }
        found |= {symbol: kept} if kept else {}
    return found


def _list_keepers(subject: Subject, place: str) -> Sequence[str]:
    """The attributes of the object that get the field, and that it gets."""
    kept: set[str] = set()
    back: set[str] = set()
    for method in subject.methods.values():
        for target, value in _list_pairs(method):
            kept |= {target} if value == place else set()
            back |= {value} if target == place else set()
    own = f"{subject.name}."
    return sorted(each for each in kept & back if each.startswith(own) and each != place)


@answer_once
def _list_pairs(method: Function) -> Sequence[tuple[str, str]]:
    """The attributes that get other ones, each with that."""
    found: list[tuple[str, str]] = []
    for each in walk_nodes(method):
        match each:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Attribute() as value):
                found.append((spell_dotted(target), spell_dotted(value)))
    return found


def _list_given(subject: Subject, keeper: str) -> _Given:
    """All that an attribute gets; None for what is not one value."""
    found: list[tuple[Function, ast.expr | None]] = []
    for method in subject.methods.values():
        for each in walk_nodes(method):
            match each:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if spell_dotted(target) == keeper:
                            found.append((method, value))
                        elif sets_part(target, keeper):
                            found.append((method, None))
                case ast.AnnAssign(target=target, value=value):
                    found += [(method, value)] if spell_dotted(target) == keeper else []
                case ast.AugAssign(target=target) | ast.For(target=target):
                    found += [(method, None)] if sets_part(target, keeper) else []
    return found


def _read_kept(subject: Subject, symbol: str, known: Set[str], given: _Given) -> Possible:
    """The states that an attribute may have of its field's; None where that is open. What an
    object begins with is gone where the field is kept.
    """
    found = NOWHERE
    place = f"{subject.name}.{symbol}"
    for method, value in given:
        if value is not None and spell_dotted(value) == place:
            found = join_states(found, _follow_to(method, value, subject, symbol, known))
        elif method.name not in BEGINNINGS and not is_none(value):
            state = subject.states[symbol].read(value) if value is not None else None
            if state is None:
                return None
            found = join_states(found, frozenset([state]))
    return found


def _is_full(subject: Subject, symbol: str, given: _Given) -> bool:
    """Whether an attribute always has a state, from the beginning on."""
    begun = [value for method, value in given if method.name in BEGINNINGS]
    is_begun = any(each is not None and subject.states[symbol].read(each) for each in begun)
    return is_begun and not any(is_none(value) for _, value in given)


def _is_sure(subject: Subject, symbol: str, keeper: str, known: Set[str]) -> bool:
    """Whether a field gets back only what was kept: its state says so, or the same method has just
    kept it. Before that, an attribute has nothing to give.
    """
    place = f"{subject.name}.{symbol}"
    for method in subject.methods.values():
        given = [each for each in walk_nodes(method) if isinstance(each, ast.Assign)]
        keeps = any(_gives(each, place, keeper) for each in given)
        for each in given if not keeps else ():
            if _gives(each, keeper, place):
                states = _follow_to(method, each.value, subject, symbol, known)
                if states is None or not states < known:
                    return False
    return True


def _gives(node: ast.Assign, value: str, place: str) -> bool:
    return spell_dotted(node.value) == value and place in map(spell_dotted, node.targets)


def _follow_to(
    method: Function, kept: ast.expr, subject: Subject, symbol: str, known: Set[str]
) -> Possible:
    """The states in which a method comes to where it keeps its field."""
    if is_private(method.name) and _is_called(method, subject):
        return None  # what runs it may ask for the state before
    states = subject.states[symbol]
    copy = copy_tree(method)
    forget_text(copy)
    walked = zip(walk_nodes(method), walk_nodes(copy), strict=True)
    same = [two for one, two in walked if isinstance(one, ast.Assign) and one.value is kept]
    _Left(same[0]).visit(copy)
    return StateFlow(subject, symbol, states).run([*copy.body, ast.Raise()], frozenset(known))


def _is_called(method: Function, subject: Subject) -> bool:
    """Whether the class runs a method itself, but for events."""
    names = {f"{subject.name}.{key}" for key, each in subject.methods.items() if each is method}
    for runner in subject.methods.values():
        waiting = (each for each in walk_nodes(runner) if awaits_event(each))
        later = {id(part) for each in waiting for part in walk_nodes(each)}
        for each in walk_nodes(runner):
            is_now = isinstance(each, ast.Call) and id(each) not in later
            if isinstance(each, ast.Call) and is_now and spell_dotted(each.func) in names:
                return True
    return False


class _Left(ast.NodeTransformer):
    """Lets a method be over in one place, and fail in all others."""

    def __init__(self, place: ast.AST) -> None:
        self._place = place

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        return ast.Return(value=None) if node is self._place else node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return ast.Raise()
