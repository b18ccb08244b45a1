"""Where private steps run: by which calls, in which states, and what may run them besides."""

import ast
from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.rules.handed_steps import Handed
from git_retcon.allium.extract.source_facts import Edge, Rule


class Surroundings(NamedTuple):
    """What may run the steps of a class besides it, and the rules of its operations."""

    content: bytes
    open_steps: Collection[str]
    rules: Sequence[Rule] = ()
    beginning: Sequence[ast.stmt] = ()
    owner: str = ""  # the class, by its symbol
    every_rule: Sequence[Rule] = ()  # before any was narrowed


class Runs(NamedTuple):
    """What a step leads to, and the states in which it is begun."""

    moves: Collection[Edge]
    states: Set[str]


class Ways(NamedTuple):
    """The calls that run a step, by the method that has them, where it is handed on, and those
    that run it of an object just made.
    """

    calls: Mapping[str, Sequence[ast.Call]]
    handed: Sequence[Handed]
    made: Sequence[ast.Call]
