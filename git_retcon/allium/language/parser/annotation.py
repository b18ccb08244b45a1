"""Annotations: ``@invariant Name``, ``@guarantee Name``, ``@guidance``, and the prose below."""

from typing import Final

from git_retcon.allium.language.declarations import Annotation
from git_retcon.allium.language.expressions import Name
from git_retcon.allium.language.parser.cursor import Cursor
from git_retcon.allium.language.tokens import decode_text

_KINDS: Final = ("invariant", "guarantee", "guidance")


def parse_annotation(cursor: Cursor) -> Annotation:
    """One annotation; its body are the comment lines below that are further in than its ``@``."""
    start, column = cursor.start, cursor.columns[cursor.index]
    cursor.take("@")
    if cursor.texts[cursor.index] not in _KINDS:
        raise cursor.fault(
            f"expected 'invariant', 'guarantee' or 'guidance', found {cursor.describe()}"
        )
    kind = cursor.take_name("an annotation").text
    line = cursor.lines[cursor.index - 1]
    name = None if kind == "guidance" else parse_title(cursor, f"a name for @{kind}")
    if kind == "guidance" and cursor.is_at_word() and cursor.lines[cursor.index] == line:
        raise cursor.fault(f"@guidance takes no name, found {cursor.describe()}")
    prose = _read_prose(cursor, column)
    if not prose:
        cursor.report(start, f"@{kind} needs at least one comment line below it, indented further")
    return Annotation(start, cursor.end, kind, name, prose)


def parse_title(cursor: Cursor, meaning: str) -> Name:
    """A name that must begin with a capital letter."""
    name = cursor.take_name(meaning)
    if not name.text[0].isupper():
        cursor.report(name.start, f"'{name.text}' must begin with a capital letter")
    return name


def _read_prose(cursor: Cursor, column: int) -> tuple[str, ...]:
    """The comments between the annotation and the next token, up to one that is not further in."""
    prose = []
    index = cursor.index
    line = cursor.lines[index - 1]
    for comment in cursor.comments[cursor.before[index - 1] : cursor.before[index]]:
        # Behind the annotation itself, on its line: a remark, no part of its prose.
        if comment.line == line:
            continue
        if comment.column <= column:
            break
        prose.append(decode_text(comment.text[2:]).strip())
    return tuple(prose)
