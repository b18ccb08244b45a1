"""The states that an heir leaves which moves what its base class, in another file, begins with.

``class Player extends Connection`` has all states that ``Connection`` may be in, and another heir
may give some of them alone. Of constants in an object an operation of ``Player`` leaves those that
its own file, or the base class, says anything of.
"""

import re
from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.python.entered_states import leave_from
from git_retcon.allium.extract.source_facts import FileFacts, Rule, Shape
from git_retcon.allium.extract.symbol_finder import SourceTree
from git_retcon.allium.extract.used_names import NO_STATES, FoundStates

_WORD = re.compile(r"\w+")
_OPEN = (b".py", b".pyi", b".java")  # whose heirs are read with all that their base classes have


def leave_named(
    rule: Rule, shape: Shape, found: Mapping[str, FoundStates], tree: SourceTree
) -> Rule:
    """A rule of a class without transitions from states that nothing in its files names."""
    files = dict.fromkeys(map(tree.locate, shape.evidence))
    held = [e for e in shape.fields if e.name == rule.field and len(files) > 1 and rule.edges]
    states, place = found[held[0].symbol or held[0].name] if held else NO_STATES
    if not states.choices or place is not None or rule.evidence[0].path.endswith(_OPEN):
        return rule
    every = [each.name for each in states.choices]
    # What an object begins with comes first, and need not be named again.
    known = {every[0], *_list_moved(rule.field, shape)}
    words = {word for each in files for word in _list_words(tree.read(each))}
    known |= {each.name for each in states.choices if each.symbol in words}
    return leave_from(rule, known, every)


def _list_moved(field: str, shape: Shape) -> Iterator[str]:
    """The states that a class moves its field between, as it is known already."""
    for graph in shape.graphs:
        if graph.field == field:
            yield from (state for edge in graph.edges for state in edge)


def _list_words(facts: FileFacts | None) -> Iterator[str]:
    """The words of what the operations of a file do."""
    for each in facts.services if facts is not None else ():
        for code in (each.code, *each.called):
            yield from _WORD.findall(code)
