"""The states in which a class runs its private steps.

::

    def close(self):
        if self.state != State.OPEN:
            raise ValueError
        self._shut()

What ``_shut`` sets follows on ``OPEN`` alone, as nothing else runs it. Where it is told how to do
its work, each call leads to what it asks for alone.
"""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import reduce

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.constants import States
from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.names import is_private
from git_retcon.allium.extract.python.operations import BoundOperation
from git_retcon.allium.extract.python.possible_states import Possible, join_states
from git_retcon.allium.extract.python.state_flow import ANY_STATE, StateFlow
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Rule

_CALLED = "()"  # behind the name of an own method, in a body that was translated


def list_steps(methods: Mapping[str, Function]) -> Set[str]:
    """The private methods of a class in Python that run at once: while one waits, the state may
    become another.
    """
    return {n for n, each in methods.items() if is_private(n) and isinstance(each, ast.FunctionDef)}


def narrow_steps(
    rules: Iterable[Rule], operations: Iterable[BoundOperation], content: bytes, steps: Set[str]
) -> Sequence[Rule]:
    """Rules without the transitions that no method of the class leads to. ``content`` is the whole
    file, which may run a step as well; ``steps`` are those that nothing else runs, as calls name
    them.
    """
    listed = [*rules]
    moving = {each.evidence[0] for each in listed if each.edges}
    found = {
        each.evidence: (each, name)
        for each in operations
        if each.evidence in moving and (name := _find_name(each)) in steps
    }
    return [
        _narrow_step(each, *found[each.evidence[0]], content, steps)
        if each.evidence[0] in found
        else each
        for each in listed
    ]


def _find_name(operation: BoundOperation) -> str:
    """The name by which calls run an operation of its class."""
    methods = operation.subject.methods
    own = (name for name, each in methods.items() if each is operation.node)
    return next(own, operation.node.name)


def _narrow_step(
    rule: Rule, step: BoundOperation, name: str, content: bytes, steps: Set[str]
) -> Rule:
    """A step's rule with the transitions from states that it may begin in."""
    fields = step.subject.fields.items()
    symbol = next((s for s, each in fields if each.name == rule.field), "")
    states = step.subject.states.get(symbol)
    if states is None or not states.choices:
        return rule
    begun = _Begun(step.subject, symbol, states, content, steps).list_moves(name)
    if not begun:
        return rule
    return rule._replace(edges=tuple(e for e in rule.edges if e in begun or e.source == ANY_STATE))


class _Begun:
    """In which states of a field a class runs its steps."""

    def __init__(
        self, subject: Subject, symbol: str, states: States, content: bytes, steps: Set[str]
    ) -> None:
        self._subject = subject
        self._symbol = symbol
        self._states = states
        self._content = content
        self._steps = steps
        self._every = frozenset(choice.name for choice in states.choices)

    def list_moves(self, step: str) -> Set[Edge]:
        """What the calls of a step may lead to; nothing where that is open."""
        begun = self._find_calls(step, frozenset())
        method = self._subject.methods.get(step)
        moves: set[Edge] = set()
        for call, states in begun.items() if method is not None else ():
            if states is None or method is None:
                return frozenset()
            flow = StateFlow(self._subject, self._symbol, self._states)
            flow.run_called(method, call, states)
            moves |= flow.edges.keys()
        return moves

    def _find_calls(self, step: str, runners: frozenset[str]) -> Mapping[ast.Call, Possible]:
        """The states in which each call runs a step, None where that is open; nothing where others
        may run it. ``runners`` are the steps that it runs in turn.
        """
        if step not in self._steps or step not in self._subject.methods:
            return {}
        found: dict[ast.Call, Possible] = {}
        calls = _list_calls(step, self._subject.methods, self._content)
        for name, runs in calls.items():
            is_step = name in self._steps and name not in runners
            begun = self._find_states(name, runners | {step}) if is_step else None
            flow = StateFlow(self._subject, self._symbol, self._states)
            flow.run(self._subject.methods[name].body, begun or self._every)
            # What is not followed, as in a condition, may run in any state.
            found |= {each: flow.begun.get(each) for each in runs}
        return found

    def _find_states(self, step: str, runners: frozenset[str]) -> Possible:
        begun = [*self._find_calls(step, runners).values()]
        return reduce(join_states, begun) if begun else None


def _list_calls(
    step: str, methods: Mapping[str, Function], content: bytes
) -> Mapping[str, Sequence[ast.Call]]:
    """The calls of a step, by the method that has them; none where it may be run elsewhere."""
    found: dict[str, list[ast.Call]] = {}
    count = 0
    for name, method in methods.items():
        for each in walk_nodes(method):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attribute)):
                    if attribute == step:
                        found.setdefault(name, []).append(each)
                        count += 1
    word = step.removesuffix(_CALLED).encode()
    mentioned = len(re.findall(rb"\b%s\b" % word, content))
    return found if mentioned == count + 1 else {}
