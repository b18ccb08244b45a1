"""The values of expressions, and how GitHub turns one kind into another.

The rules are those of JavaScript's ``==`` and ``Number()``, with two exceptions of GitHub's:
strings are compared without regard to case, and objects are never turned into primitives.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

# .NET upper-cases one character at a time, by which the dotless i stays as it is.
_DOTLESS = "ı"
_INT32 = 2**31


class Array:
    """A list of values. Two arrays are equal only if they are the same one."""

    __slots__ = ("items",)

    def __init__(self, items: "Iterable[Value]" = ()) -> None:
        self.items = tuple(items)


class FilteredArray(Array):
    """What ``*`` selected: a further property is taken of each item, not of the list."""

    __slots__ = ()


class Object:
    """Names with values, in order. ``fold`` says which names are the same.

    ``rest`` is the value of all other names: null, or unknown where not all names are known.
    """

    __slots__ = ("_fold", "_pairs", "rest")

    def __init__(
        self,
        pairs: "Iterable[tuple[str, Value]]" = (),
        fold: Callable[[str], str] = str.upper,
        rest: "Unknown | None" = None,
    ) -> None:
        self._fold = fold
        self._pairs = {fold(name): (name, value) for name, value in pairs}
        self.rest = rest

    def get(self, name: str) -> "Value":
        """The value of that name."""
        return self._pairs.get(self._fold(name), (name, self.rest))[1]

    def __contains__(self, name: str) -> bool:
        return self._fold(name) in self._pairs or self.rest is not None

    def __iter__(self) -> "Iterator[tuple[str, Value]]":
        return iter(self._pairs.values())

    def __len__(self) -> int:
        return len(self._pairs)


class Unknown:
    """What only a run can say. To ask for it raises NotKnown."""

    __slots__ = ()


class Login(Unknown):
    """A name that nobody knows here, of somebody who is none of the bots whose names end so."""

    __slots__ = ("_bots",)

    def __init__(self, *bots: str) -> None:
        self._bots = bots

    def differs_from(self, value: "Value") -> bool:
        """Whether it is another name for sure."""
        return isinstance(value, str) and value.lower().endswith(self._bots)


class NotKnown(Exception):
    """The value depends on what only a run can say; the message names it."""


Value = None | bool | float | str | Array | Object | Unknown
UNKNOWN = Unknown()


def make_exact_object(pairs: Iterable[tuple[str, Value]]) -> Object:
    """An object whose names differ by case, as those of ``env`` do on Linux."""
    return Object(pairs, str)


def make_open_object(pairs: Iterable[tuple[str, Value]]) -> Object:
    """An object of which not all names are known."""
    return Object(pairs, rest=UNKNOWN)


def make_value(plain: object) -> Value:
    """The value of what JSON can say. Raises TypeError for anything else."""
    if plain is None or isinstance(plain, bool | float | str | Array | Object | Unknown):
        return plain
    if isinstance(plain, int):
        return float(plain)
    if isinstance(plain, list | tuple):
        return Array(make_value(item) for item in plain)
    if isinstance(plain, Mapping):
        return Object((str(name), make_value(value)) for name, value in plain.items())
    raise TypeError(f"no value of an expression: {plain!r}")


def is_true(value: Value) -> bool:
    """Whether a condition with this value holds."""
    if isinstance(value, float):
        return value != 0 and not math.isnan(value)
    return not (value is None or value is False or value == "")


def is_primitive(value: Value) -> bool:
    return not isinstance(value, Array | Object | Unknown)


def to_text(value: Value) -> str:
    """The value as a text shows it."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number_text(value)
    return "Array" if isinstance(value, Array) else "Object"


def _number_text(number: float) -> str:
    """Fifteen digits, as .NET's format ``G15``."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return "0" if number == 0 else format(number, ".15G")


def to_number(value: Value) -> float:
    """The number of a value; NaN where there is none."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, float):
        return value
    if value is None:
        return 0.0
    return read_number(value) if isinstance(value, str) else math.nan


def read_number(text: str) -> float:
    """The number that a text spells; NaN where it spells none, and 0 for an empty one."""
    text = text.strip()
    if not text:
        return 0.0
    found = _number().fullmatch(text)
    if found is None:
        return math.nan
    if found["hexadecimal"]:
        return _wrap_integer(int(found["hexadecimal"], 16))
    if found["octal"]:
        return _wrap_integer(int(found["octal"], 8))
    return float(text)


@functools.cache
def _number() -> re.Pattern[str]:
    return re.compile(
        r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?Infinity"
        r"|0x(?P<hexadecimal>[0-9a-fA-F]+)|0o(?P<octal>[0-7]+)"
    )


def _wrap_integer(number: int) -> float:
    """As GitHub reads it into 32 bits with a sign."""
    if number >= 2 * _INT32:
        return math.nan
    return float(number if number < _INT32 else number - 2 * _INT32)


def fold_case(text: str) -> str:
    """The form in which texts are compared."""
    return _DOTLESS.join(map(str.upper, text.split(_DOTLESS)))


def are_equal(left: Value, right: Value) -> bool:
    left, right = _coerce_values(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return fold_case(left) == fold_case(right)
    if isinstance(left, Array | Object):
        return left is right
    return type(left) is type(right) and left == right


def is_less(left: Value, right: Value) -> bool:
    """``left < right``; kinds that cannot be compared are never less."""
    left, right = _coerce_values(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return fold_case(left) < fold_case(right)
    if isinstance(left, float) and isinstance(right, float):
        return left < right
    return isinstance(left, bool) and isinstance(right, bool) and left < right


def _coerce_values(left: Value, right: Value) -> tuple[Value, Value]:
    """Both as numbers where their kinds differ and neither is an array or object."""
    if type(left) is type(right) or not (is_primitive(left) and is_primitive(right)):
        return left, right
    return to_number(left), to_number(right)
