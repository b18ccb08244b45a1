"""What other operations do to an object while one of them waits.

::

    async setup() {
      if (this.phase !== 'setup') return;
      await this.extension.setup();
      this.phase = 'active';
    }

Another run of ``setup`` may have come to its end by then, and others may have led on from there:
so the phase is set in any state that they lead to from where this one waits.
"""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.names import is_private
from git_retcon.allium.extract.python.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.state_flow import StateFlow
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.waiting_steps import is_pause
from git_retcon.allium.extract.source_facts import Rule

# The rules of a class by what is known of it.
ReadRules = Callable[[Subject], Sequence[Rule]]


def let_others_between(rules: Sequence[Rule], subject: Subject, read: ReadRules) -> Sequence[Rule]:
    """The rules of a class, with what its operations lead to behind places where they wait."""
    methods = subject.methods.values()
    if not any(is_pause(each) for method in methods for each in walk_nodes(method)):
        return rules
    moved = {each.field for each in rules if each.edges}
    between = {
        symbol: _list_between(subject, symbol)
        for symbol, field in subject.fields.items()
        if field.name in moved
    }
    return read(subject._replace(between=between))


def _list_between(subject: Subject, symbol: str) -> Mapping[str, frozenset[str]]:
    """The states that operations which begin in one lead to, one after the other, by each."""
    next_states = {
        choice.name: _list_next(subject, symbol, choice.name)
        for choice in subject.states[symbol].choices
    }
    found: dict[str, frozenset[str]] = {}
    for state in next_states:
        reached = {state}
        while more := {each for one in reached for each in next_states[one]} - reached:
            reached |= more
        found[state] = frozenset(reached)
    return found


def _list_next(subject: Subject, symbol: str, state: str) -> set[str]:
    # What one lets run later belongs to it, and comes in its turn.
    alone = subject._replace(runs_later=False)
    found: set[str] = set()
    for method in subject.methods.values():
        if method.name not in BEGINNINGS and not is_private(method.name):
            flow = StateFlow(alone, symbol, subject.states[symbol])
            flow.run_method(method, frozenset([state]))
            found |= {edge.target for edge in flow.edges}
    return found
