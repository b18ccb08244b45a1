"""Where the methods of a class run others, by the states that they begin in."""

import ast
from collections.abc import Collection, Mapping

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States


class FollowedSteps:
    """Follows one field through the methods of a class, each once for the states that it begins in.
    What it finds does not depend on the rules that are known.
    """

    def __init__(self, subject: Subject, symbol: str, states: States) -> None:
        self._subject = subject
        self._symbol = symbol
        self._states = states
        # Those of an enum in another file are not known here.
        self.every = frozenset(choice.name for choice in states.choices) or None
        self._found: dict[tuple[ast.AST, Possible], Mapping[ast.Call, Possible]] = {}
        self._run: dict[ast.AST, Collection[ast.Call]] = {}

    def follow(self, method: Function, before: Possible) -> Mapping[ast.Call, Possible]:
        """The states in which a method runs others. What is not followed, as in a condition, may
        run in any state.
        """
        if (method, before) not in self._found:
            flow = StateFlow(self._subject, self._symbol, self._states)
            flow.run_method(method, before)
            is_whole = before == self.every and not self._subject.fixed
            others = () if is_whole else self._list_run(method)
            self._found[method, before] = dict.fromkeys(others, NOWHERE) | flow.begun
        return self._found[method, before]

    def _list_run(self, method: Function) -> Collection[ast.Call]:
        if method not in self._run:
            flow = StateFlow(self._subject._replace(fixed={}), self._symbol, self._states)
            flow.run_method(method, self.every)
            self._run[method] = flow.begun
        return self._run[method]
