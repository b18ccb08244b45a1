"""Pins in TOML: one a line, with what it pins as a comment. The user's own comments stay."""

from collections.abc import Iterator, Sequence

import tomlkit
from tomlkit.items import Array, InlineTable, Table

from git_retcon.retcon.spec.model import PinLine
from git_retcon.retcon.spec.table_edits import edit_inline, edit_section, insert_key, remove_key
from git_retcon.show.style import printable


def merge_pins(current: Sequence[str], pins: Sequence[PinLine]) -> list[PinLine]:
    """The pins in the order in which they are written: those that are there stay in place."""
    place = {pin: at for at, pin in enumerate(current)}
    return sorted(pins, key=lambda pin: place.get(pin.id, len(place)))


def write_section(body: str, pins: Sequence[PinLine]) -> str:
    """The text below a ``[[commit]]`` header with other pins, merged; none removes the key.

    Raises UnwritableTable where anything else would change.
    """
    return edit_section(body, "hunks", _list_ids(pins), lambda table: _write_pins(table, pins))


def write_inline(text: str, index: int, pins: Sequence[PinLine]) -> str:
    """The whole text with other pins in one of its commits. Raises UnwritableTable."""
    return edit_inline(
        text, index, "hunks", _list_ids(pins), lambda table: _write_pins(table, pins)
    )


def _list_ids(pins: Sequence[PinLine]) -> list[str]:
    return [pin.id for pin in pins]


def _write_pins(table: Table | InlineTable, pins: Sequence[PinLine]) -> None:
    current = table.get("hunks")
    old = list(_read_lines(current)) if isinstance(current, Array) else []
    # TOML allows neither a line end nor a comment in an inline table.
    array = _make_block(old, pins) if isinstance(table, Table) else _make_row(pins)
    if not pins:
        remove_key(table, "hunks")
    elif isinstance(current, Array) and isinstance(table, Table):
        array.trivia.comment, array.trivia.comment_ws = (
            current.trivia.comment,
            current.trivia.comment_ws,
        )
        table["hunks"] = array
    else:
        remove_key(table, "hunks")
        insert_key(table, "hunks", array, above=("history",))


def _read_lines(array: Array) -> Iterator[PinLine]:
    """What is in an array now; a comment on a line of its own has no id."""
    for group in array._value:
        text = group.comment.trivia.comment[1:].strip() if group.comment is not None else ""
        if group.value is not None and not isinstance(group.value, tomlkit.items.Null):
            yield PinLine(str(group.value.unwrap()), text)
        elif text:
            yield PinLine("", text)


def _make_block(old: Sequence[PinLine], pins: Sequence[PinLine]) -> Array:
    """Pins that stay where they were, with their comments; new ones below."""
    wanted = {pin.id for pin in pins}
    known = {line.id for line in old}
    array = tomlkit.array()
    for line in old:
        if not line.id:
            array.add_line(comment=line.comment)
        elif line.id in wanted:
            array.add_line(line.id, comment=line.comment or None)
    for pin in pins:
        if pin.id not in known:
            # TOML takes no control character in a comment, and a path may hold any.
            array.add_line(pin.id, comment=printable(pin.comment).replace("\n", "\\n") or None)
    array.add_line(indent="")
    return array


def _make_row(pins: Sequence[PinLine]) -> Array:
    array = tomlkit.array()
    array.extend(_list_ids(pins))
    return array
