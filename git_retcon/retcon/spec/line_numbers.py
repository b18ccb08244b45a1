"""The lines of keys and entries in a specification, for messages that name a line.

The TOML library keeps no positions, so lines are found by their look. A miss costs a less exact
line number in a message, nothing else.
"""

import re

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.layout import find_headers, hide_long_strings


@dataclass(frozen=True)
class Lines:
    """The text of one specification."""

    text: str

    @classmethod
    def of(cls, content: bytes) -> "Lines":
        """Those of a file's content."""
        return cls(content.decode("utf-8", "replace"))

    @property
    def last(self) -> int:
        return max(1, len(self._split_rows()))

    def commit(self, index: int) -> int:
        """The line of the n-th ``[[commit]]`` (counted from 0)."""
        return self._find_block(index)[0] + 1

    def key(self, name: str, index: int | None = None) -> int:
        """The line of a key, at the top or in the n-th commit."""
        rows = self._split_rows()
        start, stop = (0, len(rows)) if index is None else self._find_block(index)
        pattern = re.compile(rf"^\s*\[{{0,2}}\s*(commit\.)?[\"']?{re.escape(name)}\b")
        for at in range(start, stop):
            if pattern.match(rows[at]):
                return at + 1
        return start + 1

    def item(self, text: str, index: int) -> int:
        """The line of the n-th commit that holds a string, as an item of a list."""
        rows = self._split_rows()
        start, stop = self._find_block(index)
        quoted = (f'"{text}"', f"'{text}'")
        found = (at for at in range(start, stop) if any(each in rows[at] for each in quoted))
        return next(found, start) + 1

    def comment(self, line: int) -> str:
        """The comment at the end of a line, without its ``#``; "" for none."""
        code, row = self._split_rows()[line - 1], self.text.split("\n")[line - 1]
        return row[len(code.rstrip()) :].strip().lstrip("#").strip()

    def history_entry(self, index: int, number: int) -> int:
        """The line of the n-th entry of a commit's history."""
        rows = self._split_rows()
        start = self.key("history", index) - 1
        stop = self._find_block(index)[1]
        # A history may be written as tables of its own, one an entry.
        if rows[start].lstrip().startswith("[["):
            tables = [at for at in range(start, stop) if "[[commit.history]]" in rows[at]]
            return tables[min(number, len(tables) - 1)] + 1 if tables else start + 1
        entries = [
            at
            for at in range(start, stop)
            for _ in range(_count_entries(rows[at], is_first=at == start))
        ]
        return entries[number] + 1 if number < len(entries) else start + 1

    def _split_rows(self) -> list[str]:
        """The lines, without comments and what multi-line strings hold."""
        return hide_long_strings(self.text).split("\n")

    def _find_block(self, index: int) -> tuple[int, int]:
        starts = [each.line - 1 for each in find_headers(self.text) if each.begins_commit]
        stops = [*starts[1:], self.text.count("\n") + 1]
        return (starts[index], stops[index]) if index < len(starts) else (0, stops[-1])


def _count_entries(row: str, *, is_first: bool) -> int:
    """How many history entries begin on a row: tables, or strings outside of tables."""
    body = row.partition("=")[2] if is_first else row
    tables = body.count("{")
    outside = re.sub(r"\{[^}]*\}?", "", body.partition("#")[0])
    return tables + len(re.findall(r'"[^"]*"|\'[^\']*\'|(?<![\w.-])\d+', outside))
