"""A place in the tokens that mean something, and what was found wrong on the way there."""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from git_retcon.allium.language.expressions import Name
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.tokens import (
    BOM,
    COMMENT,
    END,
    ERROR,
    NEWLINE,
    QUOTED,
    SPACE,
    STRING,
    WORD,
    Token,
    decode_text,
)
from git_retcon.show.style import shorten

# Far above what people write; each level takes up to four Python frames of the thousand there are.
DEEPEST: Final = 100
PARSE_ERROR: Final = "allium.parse.error"
# What follows the first word of a declaration: a word, or the start of a token.
_OPENERS: Final = {
    "use": '"', "config": "{", "given": "{", "entity": WORD, "external": WORD, "value": WORD,
    "enum": WORD, "variant": WORD, "rule": WORD, "surface": WORD, "actor": WORD, "contract": WORD,
    "invariant": WORD, "default": WORD, "deferred": WORD, "open": WORD,
}  # fmt: skip


class Fault(Exception):
    """The text cannot be read on from here; ``offset`` says where it is wrong."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class Comment:
    """A comment with its place; line and column count from 0."""

    __slots__ = ("column", "line", "start", "text")

    def __init__(self, text: str, start: int, line: int, column: int) -> None:
        self.text = text
        self.start = start
        self.line = line
        self.column = column


class Cursor:
    """Parallel lists over the tokens without trivia, and the index of the next one.

    The lists from ``texts`` to ``before`` are of one length, the last entry being the end of the
    file. Lists of plain values, because this is what parsing spends its time
    on. Lines and columns count from 0, a tab being one column.
    """

    __slots__ = (
        "before", "block_column", "columns", "comments", "depth", "findings", "indents", "index",
        "kinds", "lines", "starts", "texts",
    )  # fmt: skip

    def __init__(self, tokens: Iterable[Token], length: int) -> None:
        self.texts: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.lines: list[int] = []
        self.columns: list[int] = []
        self.indents: list[int] = []  # the column of the first token on the same line
        self.before: list[int] = []  # how many comments come before this token
        self.comments: list[Comment] = []
        self.findings: list[Finding] = []
        self.index = 0
        self.depth = 0
        self.block_column = -1  # of the declaration whose braces are open
        self._take_tokens(tokens, length)

    def _take_tokens(self, tokens: Iterable[Token], length: int) -> None:
        line = line_start = indent = 0
        filled = -1
        for kind, text, start in chain(tokens, [Token(END, "", length)]):
            if kind == SPACE:
                continue
            if kind == NEWLINE:
                line += 1
                line_start = start + 1
            elif kind == COMMENT:
                self.comments.append(Comment(text, start, line, start - line_start))
            else:
                if filled != line:
                    filled, indent = line, start - line_start
                self.texts.append(text)
                self.kinds.append(kind)
                self.starts.append(start)
                self.lines.append(line)
                self.columns.append(start - line_start)
                self.indents.append(indent)
                self.before.append(len(self.comments))

    # What is next

    def is_at(self, text: str) -> bool:
        return self.texts[self.index] == text

    def is_at_word(self) -> bool:
        return self.kinds[self.index] == WORD

    def is_at_end(self) -> bool:
        return self.kinds[self.index] == END

    def text_after(self, count: int) -> str:
        """The text of a later token, "" past the end."""
        index = self.index + count
        return self.texts[index] if index < len(self.texts) else ""

    def is_word_after(self, count: int) -> bool:
        index = self.index + count
        return index < len(self.kinds) and self.kinds[index] == WORD

    def is_first_on_line(self) -> bool:
        """Whether the next token begins its line."""
        index = self.index
        return index == 0 or self.lines[index - 1] < self.lines[index]

    def begins_declaration(self) -> bool:
        """Whether the next token is the first word of a declaration at the start of a line."""
        opens = _OPENERS.get(self.texts[self.index])
        if opens is None or not self.is_first_on_line():
            return False
        following = self.text_after(1)
        return following[:1] == opens if opens != WORD else self.is_word_after(1)

    def is_beyond_block(self) -> bool:
        """Whether the next token begins a declaration that cannot be in the open block.

        Then a closing brace is missing. An invariant or open question may be in a block.
        """
        if self.columns[self.index] > self.block_column:
            return False
        return self.texts[self.index] not in ("invariant", "open") and self.begins_declaration()

    @property
    def start(self) -> int:
        """Where the next token starts."""
        return self.starts[self.index]

    @property
    def end(self) -> int:
        """Where the token before ends."""
        before = self.index - 1
        return self.starts[before] + len(self.texts[before]) if before >= 0 else 0

    # Going on

    def take_if(self, text: str) -> bool:
        """Step over the next token if it is this one."""
        if self.texts[self.index] == text:
            self.index += 1
            return True
        return False

    def take(self, text: str) -> None:
        """Step over this token; raises Fault when the next one is another."""
        if self.texts[self.index] != text:
            raise self.fault(f"expected '{text}', found {self.describe()}")
        self.index += 1

    def take_name(self, meaning: str) -> Name:
        """An identifier, as any word may be one; ``meaning`` is for the message."""
        index = self.index
        if self.kinds[index] != WORD:
            raise self.fault(f"expected {meaning}, found {self.describe()}")
        self.index = index + 1
        text, start = self.texts[index], self.starts[index]
        return Name(start, start + len(text), text)

    # What is wrong

    def fault(self, message: str) -> Fault:
        """To be raised: the next token is not what can be here."""
        return Fault(self.start, message)

    def report(self, offset: int, message: str) -> None:
        self.findings.append(Finding(offset, Severity.ERROR, message, PARSE_ERROR))

    def enter(self) -> None:
        """One level deeper; the caller subtracts the level again, unless this raises."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault(f"nested more than {DEEPEST} levels deep")

    def describe(self) -> str:
        """The next token, for a message."""
        kind, text = self.kinds[self.index], decode_text(self.texts[self.index])
        if kind == END:
            return "end of file"
        if kind == ERROR and text[0] in '"`':
            return "a string without its end" if text[0] == '"' else "a backtick without its end"
        if kind == ERROR and self.starts[self.index] == 0 and text[0] == BOM.decode():
            return "a byte-order mark: save the file without it"
        if kind in (STRING, QUOTED, ERROR):
            return f"{'text' if kind != ERROR else 'unknown text'} {quote(text)}"
        return f"'{quote(text)}'"


def quote(text: str) -> str:
    """At most 40 characters, for a message of one line; control characters do not show as such."""
    shown = text if text.isprintable() else text.encode("unicode_escape").decode()
    return shorten(shown, 40)
