"""The values that the methods of a class give one attribute."""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.python.classes.inferred_values import Value, is_like, is_of_kind
from git_retcon.allium.extract.python.values.given_values import is_null, split_choice


class AttributeValues:
    """The values that an attribute gets; others, too, where it ``is_open``, and none at times where
    it ``is_optional``. It ``is_handed`` where ``__init__`` has it from its caller.
    """

    def __init__(self) -> None:
        self.values: list[Value] = []
        # Constants that it is compared with, and whether they are the class's own.
        self.asked: list[tuple[Value, bool]] = []
        self.is_open = False
        self.is_optional = False
        self.is_handed = False
        self._numbers: list[int | None] = []  # that it gets as such
        self._begun: list[int | None] = []  # what it begins with: such a number, or None for any

    def add(self, value: ast.expr | None, values: Sequence[Value] | None) -> None:
        """What it gets where a value is read as these; None for any."""
        self.is_optional |= value is not None and any(map(is_null, split_choice(value)))
        self.is_open |= values is None
        self.values += values or ()

    def add_number(self, number: int) -> None:
        """A number that it gets: one of its constants may be the same."""
        self._numbers.append(number)

    def begin(self, number: int | None) -> None:
        """What it begins with: a number, or None for what nobody can read."""
        self._begun.append(number)

    def list_asked(self) -> Sequence[Value]:
        """The constants that it is compared with and that it may have: the class's own, and those
        that are named like others; any where a number is the first of them.
        """
        asked = (
            one for one, is_own in self.asked if is_own or self._begun or is_like(one, self.values)
        )
        return [each for each in asked if is_of_kind(each, self.values)]

    def close(self) -> None:
        """Let what callers give be one of the texts that methods set, where they set any. A number
        is one of the constants; what it begins with may be any of those that another file has.
        """
        stored = {each.stored for each in self.values}
        is_text = len(stored) > 1 and all(isinstance(each, str) for each in stored)
        self.is_open |= self.is_handed and not is_text
        is_elsewhere = bool(self.values) and all(each.is_foreign for each in self.values)
        numbers = [*self._numbers, *(() if is_elsewhere else self._begun)]
        self.is_open |= not stored.issuperset(numbers)


def read_number(value: ast.expr | None) -> int | None:
    """The number that an expression is; None for anything else."""
    match value:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
    return None
