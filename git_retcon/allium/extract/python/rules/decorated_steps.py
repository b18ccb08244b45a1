"""Private steps behind a decorator, which says how they are run, and not what they do.

::

    @work(thread=True)
    def _load(self):
        self.state = State.LOADED

It may run at once, or go on when what called it is over; it begins in no other state than these
lead to.
"""

import ast
import copy
from collections.abc import Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# What makes something else of a method than a step that is called.
_OTHERS = frozenset({
    "property", "cached_property", "staticmethod", "classmethod", "contextmanager",
    "asynccontextmanager", "overload", "setter", "getter", "deleter", "abstractmethod",
})  # fmt: skip


class OpenedSteps(NamedTuple):
    """The methods of a class with its decorated steps as plain ones, and the names of these."""

    methods: Mapping[str, _Function]
    names: Set[str]


def open_decorated(methods: Mapping[str, _Function]) -> OpenedSteps:
    """All of them, to be followed into what their decorators run."""
    found = {name: _open_step(each) for name, each in methods.items() if _is_decorated(each)}
    return OpenedSteps({**methods, **found} if found else methods, frozenset(found))


def _is_decorated(method: _Function) -> bool:
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    return bool(marks) and is_private(method.name) and marks.isdisjoint(_OTHERS)


def _open_step(method: _Function) -> _Function:
    found = copy.copy(method)
    found.decorator_list = []
    forget_text(found)
    return found
