"""What a class gives a field itself, and what is left of transitions by that."""

import ast

from git_retcon.allium.extract.python.flow.entered_states import find_entered, leave_from
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import Choice, Edge, Evidence, Field, Rule, Type

STATES = States(choices=tuple(Choice(each, each, each) for each in ("new", "up", "down")))
STEPS = """
def constructor(self):
    self.state = "new"
def open(self):
    self.before = self.state
    self._set("up" if self.ok else "new")
def back(self):
    self.state = self.before
def _set(self, state):
    self.state = state
"""


def find(source: str) -> list[str] | None:
    steps = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    methods = {each.name: each for each in steps}
    fields = {"state": Field("state", Type("Text"), "state")}
    subject = Subject("self", "job", fields, {"state": STATES}, {}, {}, methods=methods)
    found = find_entered(subject, "state", (), ("self.before",))
    return None if found is None else sorted(found)


def test_a_class_gives_what_it_names() -> None:
    assert find(STEPS) == ["new", "up"]
    named = STEPS.replace("self.state = self.before", "self.state = 'down'")
    assert find(named) == ["down", "new", "up"]


def test_what_comes_from_outside_is_open() -> None:
    assert find(STEPS.replace("_set", "set")) is None
    assert find(STEPS + "    bus.on(self._set)\n") is None
    assert find(STEPS.replace("= self.before", "= self.other")) is None
    assert find(STEPS.replace("self.state = self.before", "(self.state, _) = read()")) is None
    assert find(STEPS.replace('self.state = "new"', "pass")) is None


def test_transitions_begin_in_some_states() -> None:
    edges = (Edge("*", "up"), Edge("down", "new"), Edge("new", "down"))
    rule = Rule("Open", (Evidence(b"job.ts", "Job.open"),), "Open", ("job",), edges=edges)
    every = ["new", "up", "down"]
    assert leave_from(rule, {"new", "up"}, every).edges == (Edge("new", "up"), Edge("new", "down"))
    assert leave_from(rule, every, every).edges == edges
