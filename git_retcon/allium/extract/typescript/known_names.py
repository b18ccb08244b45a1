"""What the code of a class may name: constants of its file, of others, and of places that no file
shows.

Of ``states.OPEN``, where ``states`` comes from a package, only the name is known. It is another
constant than ``states.CLOSED``, and so another state.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.source_facts import DEFAULT, Import
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.typescript.constant_values import Values

OWN = "this"  # what has a constant of an object's own
_NEAR = (".", "@", "~", "#")  # how paths in a project begin, and no packages of others


class KnownNames(NamedTuple):
    """The ``values`` of constants, ``imports``, other ``types`` of a file, what it has ``taken``
    out of others for its own names, and names ``bound`` to what may have constants.
    """

    values: Values
    imports: Mapping[str, Import]
    types: Collection[str] = ()
    taken: Mapping[str, str] = {}
    bound: frozenset[str] = frozenset()

    def has(self, value: str) -> bool:
        """Whether it is a constant that this file, or one that it imports, says all of."""
        owner, _, name = value.rpartition(".")
        is_type = owner in self.imports or owner in self.types
        is_imported = is_type and owner[:1].isupper() and name[:1].isupper()
        return value in self.values or is_imported or self.is_alone(value)

    def are_alone(self, values: Sequence[str]) -> bool:
        """Whether no one name of an imported type has all of these constants, and files have each
        of them.
        """
        return any(map(self.is_alone, values)) and all(
            each in self.values or self.is_alone(each) for each in values
        )

    def is_alone(self, value: str) -> bool:
        """Whether it is a constant of another file, by its own name or by that of the file."""
        owner, _, name = value.rpartition(".")
        imported = self.imports.get(owner or name)
        if imported is None or len(name) < 2 or not name.isupper():
            return False
        is_near = imported.full_name.startswith(_NEAR)
        return is_near and self.is_whole(owner or name) is bool(owner)

    def may_name(self, value: str) -> bool:
        """Whether it is a constant by its name alone, which only another place may declare."""
        owner, _, name = value.rpartition(".")
        first, last = value.partition(".")[0], owner.rpartition(".")[2]
        is_enum = owner in self.imports and is_named_for_states(owner) and not self.is_whole(first)
        if value in self.values or owner in self.types or is_enum or first == OWN:
            return False
        is_written = len(name) > 1 and name[:1].isalpha() and name.isupper()
        is_member = is_written or (last[:1].isupper() and name[:1].isupper())
        if first in self.imports or first in self.bound:
            return is_member if owner else is_written and first in self.imports
        return bool(owner) and is_written and first[:1].isupper()

    def is_foreign(self, value: str) -> bool:
        """Whether a constant comes from another file."""
        return value not in self.values and value.partition(".")[0] in self.imports

    def may_be_other(self, name: str) -> bool:
        """Whether what looks like the name of a type may be that of a file, or of a class that has
        constants.
        """
        return name in self.bound or self.is_whole(name)

    def is_whole(self, name: str) -> bool:
        """Whether a name is that of a file, or of what it has for its one export."""
        imported = self.imports.get(name)
        return imported is not None and imported.symbol in ("", DEFAULT)

    def list_beside(self, given: Collection[str]) -> frozenset[str]:
        """All constants beside these, where they are in one place that has no others."""
        owners = {each.rpartition(".")[0] for each in given}
        owner = min(owners)
        is_one = len(owners) == 1 and owner not in ("", OWN)
        return frozenset(e for e in self.values if is_one and e.rpartition(".")[0] == owner)


def are_called_states(constants: Collection[str]) -> bool:
    """Whether constants belong to one thing that is called after states."""
    owners = {each.rpartition(".")[0] for each in constants}
    name = min(owners).rpartition(".")[2]
    return len(owners) == 1 and (is_named_for_states(name) or is_called_state(name.rstrip("s")))
