"""The states in which a class runs its private steps.

::

    def close(self):
        if self.state != State.OPEN:
            raise ValueError
        self._shut()

What ``_shut`` sets follows on ``OPEN`` alone, as nothing else runs it.
"""

import ast
from collections.abc import Collection, Mapping, Sequence, Set
from functools import reduce
from typing import NamedTuple

from git_retcon.allium.extract.grammar.calls import find_origin
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.named_steps import finds_steps, name_steps
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS, find_renewed
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.waiting_steps import (
    awaits_event,
    list_waiting,
    make_waiting,
    runs_once,
)
from git_retcon.allium.extract.python.rules.decorated_steps import open_decorated
from git_retcon.allium.extract.python.rules.followed_steps import FollowedSteps
from git_retcon.allium.extract.python.rules.handed_steps import (
    Handed,
    Ways,
    list_calls,
    list_handed,
    list_reached,
    read_tabled,
)
from git_retcon.allium.extract.python.rules.kept_timers import (
    begins_alone,
    find_kept,
    list_movers,
    list_takers,
)
from git_retcon.allium.extract.python.rules.made_objects import (
    list_made,
    makes_object,
    runs_at_once,
)
from git_retcon.allium.extract.python.rules.step_mentions import Surroundings, count_mentions
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes, walk_own
from git_retcon.allium.extract.source_facts import Edge

_MOST_RUNNERS = 60  # methods that are followed to know where one step begins


class _Runs(NamedTuple):
    """What a step leads to, and the states in which it is begun."""

    moves: Collection[Edge]
    states: Set[str]


class BegunSteps:
    """In which states of a field a class runs its steps."""

    def __init__(
        self,
        subject: Subject,
        symbol: str,
        states: States,
        around: Surroundings,
        followed: FollowedSteps,
    ) -> None:
        methods, self._decorated = open_decorated(subject.methods)
        self._subject = subject = subject._replace(methods=methods)
        self._symbol = symbol
        self._states = states
        self._around = around
        self._calls = list_calls(subject.methods)
        self._followed = followed
        self._later: dict[str, Sequence[ast.FunctionDef]] = {}
        self._renewed: Possible = None
        self._handed: Mapping[str, Sequence[Handed]] | None = None
        self._named: Mapping[str, frozenset[str]] | None = None
        self._beginnings: dict[str, bool] = {}
        self._unbound: set[ast.Call] = set()  # whose arguments others give
        self._left = _MOST_RUNNERS
        self._every = followed.every

    def is_step(self, name: str) -> bool:
        """Whether a method is for its class alone, or is found by the state's name."""
        method = self._subject.methods.get(name)
        return method is not None and (is_private(method.name) or name in self._list_named())

    def find_runs(self, step: str) -> _Runs | None:
        """What the calls of a step may lead to; None where that is open."""
        if self._around.rules and not self.is_step(step):
            return None  # only of a class whose other operations are not known here, all are steps
        self._left = _MOST_RUNNERS
        calls = self._find_calls(step, frozenset())
        method = self._subject.methods.get(step)
        moves: dict[Edge, None] = {}
        begun: set[str] = set()
        for call, states in calls.items():
            if states is None or method is None:
                return None
            flow = self._make_flow()
            flow.run_method(method, states, None if call in self._unbound else call)
            moves |= flow.edges
            begun |= states
        if method is None or not calls:
            return None
        for each in filter(awaits_event, list_waiting(method)):
            flow = self._make_flow()
            kept = self._find_in_time(step, each)
            flow.run(each.body, self._every if kept is None else kept)
            moves |= flow.edges
        return _Runs(moves, begun)

    def _find_calls(self, step: str, runners: frozenset[str]) -> Mapping[ast.Call, Possible]:
        """The states in which each call runs a step, None where that is open; nothing where others
        may run it. ``runners`` are the steps that it runs in turn.
        """
        self._left -= 1
        is_open = step in self._around.open_steps or self._left < 0
        if is_open or step not in self._subject.methods:
            return {}
        found: dict[ast.Call, Possible] = {}
        ways = self._list_ways(step)
        if ways is None:
            return {}
        if step in self._list_named():
            self._unbound.add(named := ast.Call(func=ast.Name(step), args=[], keywords=[]))
            found[named] = self._list_named()[step]
        found |= dict.fromkeys(ways.made, self._list_first() if ways.made else None)
        for handed in ways.handed:
            call = handed.node
            if not isinstance(call, ast.Call):
                self._unbound.add(call := ast.Call(func=call, args=[], keywords=[]))
            found[call] = self._find_handed(step, handed, runners)
        for name, listed in ways.calls.items():
            runs = [each for each in listed if each not in found]
            if makes_object(self._subject.methods[name]):
                found |= dict.fromkeys(runs, NOWHERE)
                continue
            begun = self._find_begin(name, step, runners)
            if begun == NOWHERE:
                # It is only run again from where it began.
                found |= dict.fromkeys(runs, NOWHERE)
                continue
            if self._is_beginning(name):
                found |= self._find_begun(name, step, {*runs}, begun)
                continue
            followed = self._followed.follow(self._subject.methods[name], begun)
            found |= {e: followed[e] if e in followed else self._guard(name, e) for e in runs}
            if step in self._decorated:  # it may run at once, too
                found |= {e: join_states(found[e], followed.get(e, NOWHERE)) for e in listed}
            found |= self._find_later(name, {*runs}, followed)
        return found

    def _is_beginning(self, name: str) -> bool:
        """Whether a method makes an object, or is a step that nothing else runs."""
        if name not in self._beginnings:
            self._beginnings[name] = self._subject.methods[name].name in BEGINNINGS
            ways = self._list_ways(name) if self.is_step(name) else None
            if ways is not None and not ways.handed and name not in self._around.open_steps:
                methods = self._subject.methods
                makers = [e for e in ways.calls if not makes_object(methods[e])]
                self._beginnings[name] = bool(makers) and all(
                    self._is_beginning(e) and runs_at_once(methods[e], ways.calls[e])
                    for e in makers
                )
        return self._beginnings[name]

    def _find_begun(
        self, name: str, step: str, runs: Set[ast.Call], begun: Possible
    ) -> Mapping[ast.Call, Possible]:
        """The states in which what makes an object has a step run: those that follow on the one
        that the object begins with, where functions run it that wait. What runs at once makes that
        one, which is no transition.
        """
        flow = self._make_flow()
        begun = flow.run_method(self._subject.methods[name], begun)
        found = {each: NOWHERE if each in flow.begun else None for each in runs}
        for each in self._list_later(name):
            calls = [c for c in walk_nodes(each) if isinstance(c, ast.Call) and c in runs]
            # What waits for an event runs again and again, but for a time.
            is_again = awaits_event(each) and not runs_once(each)
            over = {name} if is_again else {name, step}
            own = self._list_moved(each) if runs_once(each) else frozenset()
            reached = None if begun is None else self._reach(begun, over, own)
            followed = self._followed.follow(each, reached) if calls else {}
            found |= {call: followed.get(call) for call in calls}
        return found

    def _find_begin(self, name: str, step: str, runners: frozenset[str]) -> Possible:
        """The states in which a method begins that has a step run; none where only those run it
        that it runs itself.
        """
        if self._is_beginning(name):
            return self._make_flow().run(self._around.beginning, self._every)
        if not self.is_step(name):
            return self._every
        begun = NOWHERE if name in runners else self._find_states(name, runners | {step})
        return self._every if begun is None else begun

    def _find_handed(self, step: str, handed: Handed, runners: frozenset[str]) -> Possible:
        """The states in which others run a step that a class hands on; None where that is open."""
        methods = self._subject.methods
        flow = self._make_flow()
        tabled = read_tabled(handed, methods.values(), self._states, flow.is_field)
        if tabled or not self._around.rules:
            return frozenset(tabled) or None
        begun = self._find_begin(handed.method, step, runners)
        if begun == NOWHERE:
            return NOWHERE  # it is only handed on again from where it began
        states = self._find_behind(methods[handed.method], handed.statement, step, begun)
        makers = {each.method for each in self._list_handed()[step]}
        if all(map(self._is_beginning, makers)):
            makers |= self._list_own(step)  # it begins once, and what it does comes after that
        makers |= list_takers(methods, handed.statement, self._symbol)
        return self._reach(states, {*makers, step}) if states is not None else None

    def _find_behind(
        self, method: Function, statement: ast.stmt, step: str, begun: Possible
    ) -> Possible:
        """The states that a method leaves its object in where it came by a statement."""
        flow = self._make_flow()
        call = ast.Call(ast.Attribute(ast.Name(self._subject.name), step), args=[], keywords=[])
        flow.marks = {statement: make_waiting([ast.Expr(ast.Await(call))])}
        flow.run(method.body, begun)
        return flow.begun.get(call)

    def _list_moved(self, body: ast.FunctionDef) -> Set[str]:
        """The states that a function leads to."""
        flow = self._make_flow()
        flow.run_method(body, self._every)
        return {each.target for each in flow.edges}

    def _reach(self, states: Set[str], over: Set[str], own: Set[str] = frozenset()) -> Possible:
        """The states that follow on these without methods that are over by then, or what leads to
        its ``own``.
        """
        field = self._subject.fields[self._symbol].name
        rules = [each for each in self._around.rules if each.field == field]
        names = {each.removesuffix("()") for each in over}
        # What no rule leads to, something leads to that was not read.
        whole = (each for each in self._around.every_rule if each.field == field)
        known = {edge.target for each in whole for edge in each.edges}
        begun = self._list_first()
        unread = (
            frozenset() if begun is None else (self._every or frozenset()) - known - begun - own
        )
        return frozenset(list_reached(states | unread, rules, names))

    def _list_first(self) -> Possible:
        """The states that an object may begin with."""
        states = self._make_flow().run(self._around.beginning, None)
        for each in self._subject.methods.values():
            if each.name in BEGINNINGS:
                states = self._make_flow().run(each.body, states)
        return states

    def _list_own(self, step: str) -> Set[str]:
        """A step that is only handed on, and all that nothing but it runs."""
        ways = self._list_ways(step)
        found = {step} if ways is not None and not ways.calls else set()
        while more := {
            name
            for name, calls in self._calls.items()
            if found and name not in found and found.issuperset(calls)
            if name in self._subject.methods and is_private(self._subject.methods[name].name)
            if (ways := self._list_ways(name)) is not None and not ways.handed
        }:
            found |= more
        return found

    def _list_named(self) -> Mapping[str, frozenset[str]]:
        """The states by which steps are found, by their names."""
        if self._named is None:
            is_field, methods = self._make_flow().is_field, self._subject.methods.values()
            is_dynamic = finds_steps(self._around.content)
            self._named = name_steps(methods, self._states, is_field) if is_dynamic else {}
        return self._named

    def _list_handed(self) -> Mapping[str, Sequence[Handed]]:
        if self._handed is None:
            steps = [key for key, each in self._subject.methods.items() if is_private(each.name)]
            self._handed = list_handed(self._subject.methods, steps, self._decorated)
        return self._handed

    def _list_ways(self, step: str) -> "Ways | None":
        """All that runs a step; None where it may be run elsewhere."""
        calls = self._calls.get(step, {})
        others = count_mentions(self._around.content, step, self._around.owner)
        # What is written once may be in several functions that others run.
        known = [find_origin(each) for listed in calls.values() for each in listed]
        others -= len({each for each in known if not isinstance(each, ast.AST)})
        others -= sum(isinstance(each, ast.AST) for each in known)
        handed: Sequence[Handed] = ()
        # A coroutine that is called may be handed on, too.
        is_later = isinstance(self._subject.methods[step], ast.AsyncFunctionDef)
        if others or is_later or step in self._decorated:
            listed = self._list_handed().get(step, ())
            handed = [
                e
                for e in listed
                if isinstance(e.node, ast.Call) or find_origin(e.node) not in known
            ]
            named = (each.node for each in handed if not isinstance(each.node, ast.Call))
            others -= len({find_origin(each) for each in named})
        made = self._list_made(step) if others else ()
        return Ways(calls, handed, made) if others == len(made) else None

    def _list_made(self, step: str) -> Sequence[ast.Call]:
        return list_made(self._subject.methods.values(), step, self._around.owner)

    def _guard(self, name: str, call: ast.Call) -> Possible:
        """The states in which a call may run that none leads to: others may set one meanwhile, and
        the condition around it lets some in; None where that is open.
        """
        for each in reversed([*walk_statements(self._subject.methods[name].body)]):
            if isinstance(each, ast.If) and any(part is call for part in walk_own(each)):
                flow = self._make_flow()
                flow.run([each], self._every)
                states = flow.begun.get(call)
                return states if states != self._every else None
        return None

    def _find_later(
        self, name: str, runs: Set[ast.Call], followed: Mapping[ast.Call, Possible]
    ) -> Mapping[ast.Call, Possible]:
        """The states in which functions run a step that wait for something: those of the operation
        that lets them wait, and until an event comes those that others set.
        """
        found: dict[ast.Call, Possible] = {}
        for each in self._list_later(name):
            calls = [c for c in walk_nodes(each) if isinstance(c, ast.Call) and c in runs]
            begun = self._run_later(name, each) if calls and awaits_event(each) else {}
            found |= {
                call: join_states(followed.get(call), begun.get(call, NOWHERE)) for call in calls
            }
        return found

    def _list_later(self, name: str) -> Sequence[ast.FunctionDef]:
        if name not in self._later:
            self._later[name] = [*list_waiting(self._subject.methods[name])]
        return self._later[name]

    def _run_later(self, name: str, body: ast.FunctionDef) -> Mapping[ast.Call, Possible]:
        """The states in which a body runs steps that waits for an event."""
        if (kept := self._find_in_time(name, body)) is not None:
            return self._followed.follow(body, kept)
        if self._renewed is None:
            found = find_renewed(self._subject, self._symbol, self._states)
            self._renewed = self._every if found is None else found
        return self._followed.follow(body, self._renewed)

    def _find_in_time(self, name: str, body: ast.FunctionDef) -> Possible:
        """The states that a timer finds which something takes back; None for any other."""
        methods = self._subject.methods
        kept = find_kept(methods[name], body) if self._around.rules else None
        takers = list_takers(methods, kept, self._symbol) if kept is not None else ()
        begun = self._find_behind(methods[name], kept, name, self._every) if kept else None
        if kept is None or begun is None or not takers:
            return None
        movers = list_movers(methods, self._symbol)
        is_alone = begins_alone(methods[name], body, kept, movers, takers)
        return self._reach(begun, {*takers, name} if is_alone else takers)

    def _make_flow(self) -> StateFlow:
        return StateFlow(self._subject, self._symbol, self._states)

    def _find_states(self, step: str, runners: frozenset[str]) -> Possible:
        begun = [*self._find_calls(step, runners).values()]
        return reduce(join_states, begun) if begun else None
