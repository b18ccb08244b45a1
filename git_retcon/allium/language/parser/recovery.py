"""Going on after what cannot be read: one message for one mistake, and the rest is still read."""

from bisect import bisect_right

from git_retcon.allium.language.declarations import Unreadable
from git_retcon.allium.language.parser.cursor import PARSE_ERROR, Cursor, Fault


def recover_item(cursor: Cursor, first: int, fault: Fault) -> Unreadable:
    """Report the fault and skip to the next item: a line that is not further in than this one.

    ``first`` is the index of the item's first token. The block's closing brace is not skipped, nor
    is the next declaration.
    """
    report_fault(cursor, fault)
    last, depth = max(cursor.index, first), 0
    cursor.index = first
    # Of the line, since what is left of a broken item begins in the middle of one.
    column = cursor.indents[first]
    while not cursor.is_at_end():
        text = cursor.texts[cursor.index]
        if cursor.index > first and cursor.is_beyond_block():
            break
        if text == "}" and depth == 0:
            break
        is_next = cursor.is_first_on_line() and cursor.columns[cursor.index] <= column
        if depth == 0 and cursor.index > last and is_next:
            break
        depth += (text == "{") - (text == "}")
        cursor.index += 1
    # At least one token: otherwise the same fault would be found here for ever.
    if cursor.index == first and not cursor.is_at("}"):
        cursor.index += 1
    return Unreadable(cursor.starts[first], max(cursor.end, cursor.starts[first]))


def recover_declaration(cursor: Cursor, first: int, fault: Fault) -> Unreadable:
    """Report the fault and skip to the next declaration that is not further in than this one."""
    report_fault(cursor, fault)
    cursor.index = max(cursor.index, first + 1)
    column = cursor.columns[first]
    while not cursor.is_at_end():
        if cursor.columns[cursor.index] <= column and cursor.begins_declaration():
            break
        cursor.index += 1
    return Unreadable(cursor.starts[first], cursor.end)


def report_fault(cursor: Cursor, fault: Fault) -> None:
    """What follows a mistake on its line is a consequence of it, so a line has one message."""
    line = _line_of(cursor, fault.offset)
    last = next((f for f in reversed(cursor.findings) if f.code == PARSE_ERROR), None)
    if last is None or _line_of(cursor, last.offset) != line:
        cursor.report(fault.offset, fault.message)


def _line_of(cursor: Cursor, offset: int) -> int:
    return cursor.lines[max(bisect_right(cursor.starts, offset) - 1, 0)]
