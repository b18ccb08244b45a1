"""What failures complain of, and whether one is nearer to passing than another."""

import re

from git_retcon.code.diagnostics.build_failures import names_something
from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.failure import Failure

_STEPS = ("build", "test")
_NUMBER = re.compile(r"\d+")

Problem = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Problems:
    """What a failure complains of. Where it does is left out: lines move while the tree grows."""

    step: str
    found: frozenset[Problem]
    syntax: frozenset[Problem]


def read_problem(diagnostic: Diagnostic) -> Problem:
    """A complaint without its line and folder, so that it is known again in another tree."""
    # Tools print paths relative to where they run, and builds change folders.
    file = (diagnostic.path or b"").rpartition(b"/")[2]
    if names_something(diagnostic):
        named = (diagnostic.missing, diagnostic.wants_file, diagnostic.owner)
        return (diagnostic.kind, file, *named)
    # Numbers are lines, columns and counts, which change with every hunk taken.
    return (diagnostic.kind, file, _NUMBER.sub("0", diagnostic.message))


def read_problems(failure: Failure) -> Problems:
    """What a failure complains of; its whole output is one problem where nothing can be read."""
    diagnostics = failure.diagnostics
    found = frozenset(map(read_problem, diagnostics)) or frozenset(((failure.output,),))
    syntax = frozenset(read_problem(each) for each in diagnostics if each.kind is Kind.SYNTAX)
    return Problems(failure.step, found, syntax)


def is_nearer(before: Problems, after: Problems | None) -> bool:
    """Whether a later step fails, or fewer of the same problems, or none."""
    if after is None:
        return True
    if before.step != after.step:
        return _is_later_step(before, after)
    return after.found < before.found


def is_answered(before: Problems, after: Problems | None, asked: frozenset[Problem]) -> bool:
    """Whether some of the problems ``asked`` about are gone, and the tree still parses."""
    if after is None:
        return True
    if before.step != after.step:
        return _is_later_step(before, after)
    # A hunk that breaks the parser hides all other complaints, which would look like progress.
    return bool(asked - after.found) and after.syntax <= before.syntax


def _is_later_step(before: Problems, after: Problems) -> bool:
    return before.step == _STEPS[0] and after.step == _STEPS[-1]
