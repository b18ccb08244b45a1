"""One key of one ``[[commit]]``, or of the top, gets another value, and no other byte changes its
meaning.

The TOML library that writes does not keep every layout, so each result is read by another parser.
"""

import itertools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence

import tomlkit
from tomlkit.items import AoT, Array, InlineTable, Table, Whitespace

from git_retcon.retcon.spec.layout import UnwritableTable
from git_retcon.retcon.spec.line_numbers import Lines

_HEADER = "[[commit]]\n"

Edit = Callable[[Table | InlineTable], None]


def edit_section(body: str, key: str, value: object, edit: Edit) -> str:
    """The text below a ``[[commit]]`` header after an edit that gives a key a value.

    None as ``value`` means that the key is gone afterwards, or an empty list. Raises
    UnwritableTable where anything else would change.
    """
    text = _HEADER + body
    document = tomlkit.parse(text)
    # Better to refuse than to change what the user wrote.
    if document.as_string() != text:
        raise UnwritableTable
    commits = document["commit"]
    assert isinstance(commits, AoT)
    edit(commits[0])
    written = document.as_string()
    _check_tables(tomllib.loads(text), tomllib.loads(written), 0, key, value)
    return written.removeprefix(_HEADER)


def edit_inline(text: str, index: int, key: str, value: object, edit: Edit) -> str:
    """The same for one commit of ``commit = [{ … }]``, in the whole text."""
    document, tables = parse_inline(text)
    edit(tables[index])
    written = document.as_string()
    _check_tables(tomllib.loads(text), tomllib.loads(written), index, key, value)
    return written


def write_worktree(text: str, *, wanted: bool) -> str:
    """The whole text with another value of ``worktree``; where that is new, below ``source``."""
    rows = text.splitlines(keepends=True)
    lines, value = Lines(text), "true" if wanted else "false"
    if "worktree" in tomllib.loads(text):
        at = lines.key("worktree") - 1
        rows[at] = re.sub(r"\b(true|false)\b", value, rows[at], count=1)
    else:
        at = lines.key("source") - 1
        # A value of several lines is not cut in two.
        behind = at + 1 if _is_whole(rows[at]) else at
        rows.insert(behind, f"worktree = {value}\n")
    written = "".join(rows)
    if tomllib.loads(written) != {**tomllib.loads(text), "worktree": wanted}:
        raise UnwritableTable
    return written


def _is_whole(row: str) -> bool:
    try:
        return bool(tomllib.loads(row))
    except tomllib.TOMLDecodeError:
        return False


def parse_inline(text: str) -> tuple[tomlkit.TOMLDocument, Sequence[Table | InlineTable]]:
    """A document whose commits are a list of inline tables. Raises UnwritableTable."""
    document = tomlkit.parse(text)
    commits = document["commit"]
    if document.as_string() != text or not isinstance(commits, Array):
        raise UnwritableTable
    return document, list(commits)


def remove_key(table: Table | InlineTable, key: str) -> None:
    """Take a key off a table, in one line with the space on one side of it."""
    if isinstance(table, InlineTable):
        _join_spaces(table, key)
    # Not `del`: the table itself has no record of a key that was inserted into its container.
    if key in table.value:
        table.value.remove(key)
    dict.pop(table, key, None)


def _join_spaces(table: InlineTable, key: str) -> None:
    """Drop the space before a key that is to go, where there is one behind it too."""
    body = table.value.body
    places = [at for at, (name, _) in enumerate(body) if name is not None and name.key == key]
    for at in places:
        texts = [item.as_string() for _, item in body[max(at - 1, 0) : at + 3]]
        before, behind = texts[:1] if at else [""], texts[2:] if at else texts[1:]
        if "".join(before).isspace() and "".join(behind).removeprefix(",").startswith(" "):
            body[at - 1] = (None, Whitespace(""))


def insert_key(
    table: Table | InlineTable, key: str, array: Array, *, above: Sequence[str] = ()
) -> None:
    """Give a table a new key, below its last one but above the keys of ``above``."""
    body = table.value.body
    # A key below [commit.some] would belong to that table.
    own = itertools.takewhile(lambda pair: not isinstance(pair[1], (Table, AoT)), body)
    names = [name for name, _ in own if name is not None]
    keys = list(itertools.takewhile(lambda name: name.key not in above, names))
    if isinstance(table, InlineTable):
        # tomlkit takes the space before the brace for the one behind the new comma
        is_spaced = table.as_string().endswith(" }")
        array.trivia.trail, array.trivia.indent = (" ", "") if is_spaced else ("", " ")
        table[key] = array
    elif not keys:
        table[key] = array
    else:
        # tomlkit keeps the blank lines and comments before the next header in this table; a plain
        # append would put the key below them
        table.value._insert_after(keys[-1], key, array)


def _check_tables(
    before: Mapping[str, list[dict[str, object]]],
    after: Mapping[str, list[dict[str, object]]],
    index: int,
    key: str,
    value: object,
) -> None:
    """Raise UnwritableTable unless the key has its value and all else is as before."""
    before["commit"][index].pop(key, None)
    found = after["commit"][index].pop(key, [])
    # ``repr``: ``==`` finds no ``nan`` equal to itself.
    if found != ([] if value is None else value) or repr(before) != repr(after):
        raise UnwritableTable
