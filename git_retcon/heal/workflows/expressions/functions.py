"""The functions that every expression may call (the others come with their place)."""

import json
import re
from collections.abc import Callable, Iterator, Sequence

from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    Array,
    NotKnown,
    Object,
    Unknown,
    Value,
    are_equal,
    fold_case,
    is_primitive,
    make_value,
    to_text,
)

MAX_MEMORY = 1_048_576
MAX_NESTING = 64
_TOO_LARGE = "The maximum allowed memory size was exceeded"
_INDENT = "  "


class Memory:
    """The bytes that the texts made by one evaluation may take, counted as GitHub counts them."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_MEMORY

    def keep(self, text: str) -> str:
        """The text itself. Raises ExpressionError when all of them are too large."""
        self._left -= 26 + 2 * len(text)
        if self._left < 0:
            raise ExpressionError(_TOO_LARGE)
        return text

    def join(self, parts: Iterator[str], separator: str = "") -> str:
        """The parts as one text, each of them counted before the next is made."""
        kept = []
        for part in parts:
            kept.append(part)
            self._left -= 2 * (len(part) + len(separator))
            if self._left < 0:
                raise ExpressionError(_TOO_LARGE)
        return separator.join(kept)


Arguments = Sequence[Value]
Function = Callable[[Arguments, Memory], Value]


def _contains_item(arguments: Arguments, memory: Memory) -> Value:
    where, what = arguments
    if isinstance(where, Array):
        return any(are_equal(what, item) for item in where.items)
    if not (is_primitive(where) and is_primitive(what)):
        return False
    return fold_case(to_text(what)) in fold_case(to_text(where))


def _starts_with(arguments: Arguments, memory: Memory) -> Value:
    text, start = arguments
    if not (is_primitive(text) and is_primitive(start)):
        return False
    return fold_case(to_text(text)).startswith(fold_case(to_text(start)))


def _ends_with(arguments: Arguments, memory: Memory) -> Value:
    text, end = arguments
    if not (is_primitive(text) and is_primitive(end)):
        return False
    return fold_case(to_text(text)).endswith(fold_case(to_text(end)))


def _join_items(arguments: Arguments, memory: Memory) -> Value:
    what = arguments[0]
    if is_primitive(what):
        return to_text(what)
    if not isinstance(what, Array):
        return ""
    separator = to_text(arguments[1]) if arguments[1:] and is_primitive(arguments[1]) else ","
    return memory.join((to_text(item) for item in what.items), separator)


def _format_text(arguments: Arguments, memory: Memory) -> Value:
    return memory.join(_fill_pattern(to_text(arguments[0]), arguments[1:]))


def _fill_pattern(pattern: str, arguments: Arguments) -> Iterator[str]:
    """The parts of a pattern in which ``{0}`` is an argument, and ``{{`` and ``}}`` braces."""
    position = 0
    for found in re.finditer(r"\{\{|\}\}|\{([0-9]+)\}|[{}]", pattern, re.ASCII):
        yield pattern[position : found.start()]
        position = found.end()
        if found[1] is None and len(found[0]) == 1:
            raise ExpressionError(f"The following format string is invalid: {pattern}")
        yield found[0][0] if found[1] is None else _find_argument(pattern, found[1], arguments)
    yield pattern[position:]


def _find_argument(pattern: str, digits: str, arguments: Arguments) -> str:
    # Longer than any list of arguments: int() of a hostile one would take long.
    number = int(digits) if len(digits) <= 3 else len(arguments)
    if number >= len(arguments):
        raise ExpressionError(
            "The following format string references more arguments than were supplied: " + pattern
        )
    return to_text(arguments[number])


def _from_json(arguments: Arguments, memory: Memory) -> Value:
    text = memory.keep(to_text(arguments[0]))
    try:
        # GitHub has one kind of number, and an integer of a million digits would take minutes.
        plain = json.loads(text, parse_int=float)
    except (ValueError, RecursionError) as error:
        raise ExpressionError(f"Error parsing fromJson: {error}") from None
    _refuse_nesting(plain)
    return make_value(plain)


def _refuse_nesting(plain: object) -> None:
    """Refuse what Python reads and GitHub does not: everything that walks it may then recurse."""
    level, depth = [plain], 0
    while level:
        depth += 1
        if depth > MAX_NESTING:
            raise ExpressionError(f"Error parsing fromJson: nested deeper than {MAX_NESTING}")
        children = (child for item in level for child in _list_children(item))
        level = [child for child in children if isinstance(child, dict | list)]


def _list_children(plain: object) -> Sequence[object]:
    if isinstance(plain, dict):
        return list(plain.values())
    return plain if isinstance(plain, list) else ()


def _to_json(arguments: Arguments, memory: Memory) -> Value:
    return memory.join(_write_json(arguments[0], "\n"))


def _write_json(value: Value, line: str) -> Iterator[str]:
    if isinstance(value, Unknown) or (isinstance(value, Object) and value.rest is not None):
        raise NotKnown("an object that is not known")
    if isinstance(value, Array) and value.items:
        yield "["
        for number, item in enumerate(value.items):
            yield ("," if number else "") + line + _INDENT
            yield from _write_json(item, line + _INDENT)
        yield line + "]"
    elif isinstance(value, Object) and len(value):
        yield "{"
        for number, (name, item) in enumerate(value):
            yield ("," if number else "") + line + _INDENT + _quote_text(name) + ": "
            yield from _write_json(item, line + _INDENT)
        yield line + "}"
    else:
        yield _write_single(value)


def _write_single(value: Value) -> str:
    if isinstance(value, str):
        return _quote_text(value)
    if isinstance(value, Array | Object):
        return "[]" if isinstance(value, Array) else "{}"
    return "null" if value is None else to_text(value)


def _quote_text(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    # The .NET library of the runner escapes these three, Python does not.
    for char in "\x85\u2028\u2029":
        quoted = quoted.replace(char, f"\\u{ord(char):04x}")
    return quoted


# `case` is not here: its arguments are evaluated one by one, by the evaluation itself.
FUNCTIONS: dict[str, Function] = {
    "contains": _contains_item,
    "endswith": _ends_with,
    "format": _format_text,
    "fromjson": _from_json,
    "join": _join_items,
    "startswith": _starts_with,
    "tojson": _to_json,
}
