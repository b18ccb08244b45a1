"""Where the methods of a class run others."""

import ast

from git_retcon.allium.extract.python.rules.followed_steps import FollowedSteps
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import STRING, Choice, Field

CLOSE = """
def close(self):
    if self.state == 'open':
        self._shut()

def _shut(self):
    self.state = 'shut'
"""


def test_a_method_is_followed_once_for_the_states_that_it_begins_in() -> None:
    methods = {
        each.name: each for each in ast.parse(CLOSE).body if isinstance(each, ast.FunctionDef)
    }
    method = methods["close"]
    states = States(choices=(Choice("open", "", "open"), Choice("shut", "", "shut")))
    fields = {"state": Field("state", STRING, "state")}
    subject = Subject("self", "door", fields, {"state": states}, {}, {}, methods=methods)
    steps = FollowedSteps(subject, "state", states)
    found = steps.follow(method, steps.every)
    assert [*found.values()] == [frozenset({"open"})]
    assert steps.follow(method, steps.every) is found
    assert [*steps.follow(method, frozenset({"shut"})).values()] == [frozenset()]
