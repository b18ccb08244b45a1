"""What a merge of specifications is of: what its sides come from, and the sides."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from git_retcon.allium.store.module_text import DeclarationText, cut_module
from git_retcon.allium.store.spec_store import SpecStore

# The others are of a module, and several may have them.
MOVING = frozenset({"entity", "value", "enum", "contract", "rule"})


class Sides(NamedTuple):
    """The specification that two sides come from, ours and theirs."""

    base: SpecStore
    ours: SpecStore
    theirs: SpecStore

    def change(self, change: Callable[[SpecStore], SpecStore]) -> "Sides":
        """All three, each with the same change."""
        return Sides(*map(change, self))

    def list_changed(self) -> list[bytes]:
        """The modules that they do not all have alike, in the order of the base and ours."""
        every = dict.fromkeys(path for store in self for path in store.all_modules())
        return [path for path in every if len({each.module_spec(path) for each in self}) > 1]


def list_moving(content: bytes | None) -> Iterator[DeclarationText]:
    """The declarations of a module that may be in another one, each of which is known by its kind
    and its name.
    """
    for each in cut_module(content).declarations if content else ():
        if each.kind in MOVING and each.ordinal == 0:
            yield each
