"""Names of a Python module: what it binds, and what nothing binds, which linters call undefined.

Python's own symbol tables say which scope a name belongs to. What is left for the module and is
not bound there is built in, or is missing.
"""

import builtins
import symtable
import warnings
from typing import NamedTuple

from git_retcon.code.lazy_pattern import LazyPattern

_STAR = LazyPattern(rb"(?m)^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*\*")
# With it, symbol tables leave the names in annotations out; a linter does not.
_LATE_ANNOTATIONS = LazyPattern(rb"(?m)^from __future__ import annotations[ \t]*\r?$")
# What every module has.
_GIVEN = frozenset({*dir(builtins), "__file__", "__path__", "__builtins__"})


class ModuleNames(NamedTuple):
    """``bound`` are the names of the module's own scope; ``unbound`` those that it uses and does
    not bind, but for those that every module has."""

    bound: frozenset[str]
    unbound: frozenset[str]


def read_names(content: bytes) -> ModuleNames | None:
    """The names of a module.

    None where they cannot be told: it does not parse, or imports all that another module has.
    Whether a name is bound before it is used is not asked.
    """
    if _STAR.search(content):
        return None
    try:
        # A text may hold what its own interpreter warns of; that is not ours to print.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = _LATE_ANNOTATIONS.sub(b"", content).decode("utf-8-sig")
            module = symtable.symtable(text, "file", "exec")
    # Nested too deeply, not UTF-8, or no Python.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    used: set[str] = set()
    bound: set[str] = set()
    waiting: list[symtable.SymbolTable] = [module]
    for table in waiting:
        for symbol in table.get_symbols():
            is_global = table is module or symbol.is_global()
            if is_global and symbol.is_referenced():
                used.add(symbol.get_name())
            if is_global and (symbol.is_assigned() or symbol.is_imported()):
                bound.add(symbol.get_name())
        waiting += table.get_children()
    return ModuleNames(frozenset(bound), frozenset(used - bound - _GIVEN))
