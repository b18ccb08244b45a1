"""History entries in TOML: reading them, and writing them into one commit's table.

Comments and layout belong to the user and stay: a history keeps its place, each entry that is
replaced keeps the comments around it, and one that goes leaves them behind. A history that is new
goes below the last key.
"""

import itertools
import tomllib
from collections.abc import Iterable, Sequence

import tomlkit
from tomlkit.items import AoT, Array, Comment, InlineTable, Item, Null, Table, Whitespace

from git_retcon.retcon.spec.history import Event, make_values
from git_retcon.retcon.spec.table_edits import (
    edit_inline,
    edit_section,
    insert_key,
    parse_inline,
    remove_key,
)


def write_section(body: str, history: Sequence[Event]) -> str:
    """The text below a ``[[commit]]`` header with another history.

    An empty one removes the key, unless comments belong to it. Raises UnwritableTable where
    anything else would change.
    """
    return edit_section(
        body, "history", make_values(history), lambda table: write_history(table, history)
    )


def write_inline(text: str, index: int, history: Sequence[Event]) -> str:
    """The whole text with another history in one of its commits. Raises UnwritableTable."""
    return edit_inline(
        text, index, "history", make_values(history), lambda table: write_history(table, history)
    )


def add_inline(text: str, message: str) -> str:
    """The whole text with one more commit at the end of its list. Raises UnwritableTable."""
    document, _ = parse_inline(text)
    commits = document["commit"]
    assert isinstance(commits, Array)
    table = tomlkit.inline_table()
    table.add("message", message)
    commits.append(table)
    return document.as_string()


def write_message(message: str) -> str:
    """The text below the header of a new commit."""
    return f"message = {tomlkit.string(message).as_string()}\n"


def write_history(table: Table | InlineTable, history: Sequence[Event]) -> None:
    """Write one history as an inline array, kept where it was or below the commit's last key."""
    current = table.get("history")
    own_line = isinstance(table, Table)
    if isinstance(current, Array) and (history or _has_comment(current)):
        _rewrite_entries(current, history, own_line=own_line)
        return
    array = tomlkit.array()
    tables = current if isinstance(current, AoT) else None
    above = _comments_of(tables) if tables else ()
    _add_entries(array, history, above, own_line=own_line)
    below = _trailing_trivia(tables) if tables else []
    remove_key(table, "history")
    if history or _has_comment(array):
        insert_key(table, "history", array)
    if isinstance(table, Table):
        for item in below:
            table.add(item)


def _rewrite_entries(array: Array, history: Sequence[Event], *, own_line: bool) -> None:
    """Replace the entries that differ, take off those behind the last, and add what is new."""
    comments = [group.comment for group in array._value if group.comment is not None]
    known = array.unwrap()
    for at in range(len(known) - 1, len(history) - 1, -1):
        _remove_entry(array, at)
    if not array and not _has_comment_inside(array):
        array.clear()  # white space
    for at, event in enumerate(history):
        if at >= len(known):
            _add_entry(array, event, own_line=own_line)
        elif make_values([event]) != known[at : at + 1]:
            array[at] = _entry_item(event)
    if not _is_read_back(array, history):  # tomlkit takes a comma too many, or one too few
        array.clear()
        _add_entries(array, history, [map(_text_of, comments)], own_line=own_line)


def _is_read_back(array: Array, history: Sequence[Event]) -> bool:
    try:
        return tomllib.loads(f"history = {array.as_string()}") == {"history": make_values(history)}
    except tomllib.TOMLDecodeError:
        return False


def _remove_entry(array: Array, at: int) -> None:
    group = array._value[array._index_map[at]]
    if group.comment is None:
        del array[at]
        return
    list.__delitem__(array, at)
    group.value, group.comma = Null(), None
    if group.indent is not None and "\n" in group.indent.s:
        group.comment.trivia.indent = ""
    array._reindex()


def _add_entries(
    array: Array,
    history: Sequence[Event],
    above: Iterable[Iterable[str]],
    *,
    own_line: bool,
) -> None:
    """Add entries, each below the comments that are above it."""
    for event, comments in itertools.zip_longest(history, above):
        for comment in comments or ():
            array.add_line(comment=comment)
        if event is not None:
            _add_entry(array, event, own_line=own_line)


def _text_of(comment: Item) -> str:
    return comment.trivia.comment[1:].strip()


def _has_comment(array: Array) -> bool:
    return bool(array.trivia.comment) or _has_comment_inside(array)


def _has_comment_inside(array: Array) -> bool:
    return any(group.comment is not None for group in array._value)


def _add_entry(array: Array, event: Event, *, own_line: bool) -> None:
    if not own_line:
        array.append(_entry_item(event))
        return
    array.add_line(_entry_item(event))
    if not array.as_string().rstrip("]").rstrip(" \t").endswith("\n"):
        array.add_line(indent="")


def _entry_item(event: Event) -> Item:
    value = make_values([event])[0]
    if isinstance(value, str):
        return tomlkit.string(value)
    ((key, text),) = value.items()
    return tomlkit.value(f"{{ {key} = {tomlkit.string(text).as_string()} }}")


def _comments_of(tables: AoT) -> list[list[str]]:
    """The comments of each ``[[commit.history]]``, less those below the last."""
    found = [[table, *(item for _, item in table.value.body)] for table in tables]
    found[-1] = found[-1][: len(found[-1]) - len(_trailing_trivia(tables))]
    commented = [
        [item for item in items if not isinstance(item, Whitespace) and item.trivia.comment]
        for items in found
    ]
    return [[_text_of(item) for item in items] for items in commented]


def _trailing_trivia(tables: AoT) -> list[Comment | Whitespace]:
    """The blank lines and comments below the last table: they are about what follows."""
    found: list[Comment | Whitespace] = []
    for key, item in reversed(tables[-1].value.body):
        if key is not None or not isinstance(item, (Comment, Whitespace)):
            break
        found.append(item)
    return found[::-1]
