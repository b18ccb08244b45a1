"""The answer's grammar: ``^^^path`` to ``^^^end`` replaces a file, with ``^^^delete`` removes it.

A fence begins at column 0; blanks behind it do not count. Text outside blocks is prose. In a
block, a line that begins with ``^^^`` is written with a backslash before it, and a line that
begins with backslashes and ``^^^`` with one more. Code fences of Markdown around blocks, or
around a block's whole body, are understood.

Nothing is guessed: an answer is sound as a whole, or it is refused with every fault's line.
"""

import re
from collections.abc import Iterable, Sequence

from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.lazy_dataclass import dataclass

FENCE = b"^^^"
_END, _DELETE = b"^^^end", b"^^^delete"
_BLANKS = b" \t\r\n"
_LONGEST_SHOWN = 200  # bytes of a name in a fault
# Possessive quantifiers below: hostile lines must not make the patterns go back.
_ESCAPED = re.compile(rb"\\+\^\^\^")
_TO_ESCAPE = re.compile(rb"(?m)^(?=\\*\^\^\^)")
_CODE_FENCE = re.compile(rb"(`{3,}+|~{3,}+)[ \t]*+([A-Za-z0-9_+#.-]*+)[ \t]*+\r?\n?")
_CODE_FENCE_END = re.compile(rb"(`{3,}+|~{3,}+)[ \t]*+\r?\n?")
_RUN = re.compile(rb"`+|~+")
# Files in which a code fence at both ends may well be meant.
_PROSE_FILES = (b".md", b".markdown", b".mdx", b".rst", b".adoc", b".txt")
_MESSAGE = re.compile(rb"\**+Commit message:\**+[ \t]*+(\S.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an answer, and on which line (from 1)."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class Faulty(Exception):
    """The answer cannot be used; nothing of it was."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(frozen=True, slots=True)
class Body:
    """A file's new content as it was written. ``crlf``: the fence above it ends in CRLF."""

    content: bytes
    crlf: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The block of one file: a new body, or None for its removal."""

    line: int
    path: bytes
    body: Body | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A sound answer. ``message`` is the commit message it proposes, if any."""

    blocks: tuple[Block, ...]
    message: str | None = None


def parse_answer(answer: bytes) -> Answer:
    """Read a whole answer. Any bytes give an Answer, or Faulty is raised and names every fault."""
    reader = _Reader()
    # A mark that editors of Windows put in front would hide a fence on the first line.
    for number, line in enumerate(_split_lines(answer.removeprefix(b"\xef\xbb\xbf")), 1):
        reader.take(number, line)
    return reader.finish()


def escape_content(content: bytes) -> bytes:
    """Escape content that is to be written between two fences."""
    return _TO_ESCAPE.sub(rb"\\", content)


def write_block(path: bytes, content: bytes | None) -> bytes:
    """The block that replaces a file, or (None) removes it: the inverse of ``parse``.

    A file's last line gets a newline where it has none.
    """
    opening = FENCE + path
    if opening in (_END, _DELETE) or path[:1] in _BLANKS:
        opening = FENCE + b"./" + path
    if content is None:
        return opening + b"\n" + _DELETE + b"\n"
    last = b"" if not content or content.endswith(b"\n") else b"\n"
    body = list(_split_lines(escape_content(content) + last))
    if len(_unwrap_code_fence(path, body)) < len(body):
        # Wrapped once more, so that its own fence is not the one that is taken off.
        longest = max(map(len, _RUN.findall(content)), default=0)
        fence = b"`" * (longest + 1)
        kind = b"markdown" if path.lower().endswith(_PROSE_FILES) else b""
        body = [fence + kind + b"\n", *body, fence + b"\n"]
    return b"".join([opening, b"\n", *body, _END, b"\n"])


class _Reader:
    """Takes line by line; outside of any block while ``_opened``, a line number, is 0."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._blocks: dict[bytes, Block] = {}
        self._opened = 0
        self._path: bytes | None = None
        self._crlf = False
        self._body: list[bytes] = []
        self._after_delete = False
        self._message: str | None = None
        self._seen = False

    def take(self, number: int, line: bytes) -> None:
        fence = line.rstrip(_BLANKS) if line.startswith(FENCE) else b""
        if self._opened:
            self._read_inside(number, line, fence)
        elif fence:
            self._read_outside(number, line, fence)
        else:
            self._read_prose(number, line)

    def finish(self) -> Answer:
        """The answer. Raises Faulty."""
        if self._opened:
            self._add_fault(self._opened, "this block is not terminated: '^^^end' is missing")
        elif not self._seen:
            self._add_fault(1, "there is no block; a file is replaced by '^^^path' ... '^^^end'")
        if self._faults:
            raise Faulty(self._faults)
        return Answer(tuple(self._blocks.values()), self._message)

    def _read_prose(self, number: int, line: bytes) -> None:
        if self._after_delete and line.strip(_BLANKS) and not _CODE_FENCE.fullmatch(line):
            self._add_fault(number, "text after '^^^delete', which ends its block")
            self._after_delete = False
        if found := _MESSAGE.match(line.rstrip(_BLANKS)):
            self._message = found[1].decode("utf-8", "replace")

    def _read_outside(self, number: int, line: bytes, fence: bytes) -> None:
        self._after_delete = False
        self._seen = True
        name = fence.removeprefix(FENCE).strip(_BLANKS)
        if fence in (_END, _DELETE):
            self._add_fault(number, f"'{fence.decode()}' without an open block")
            return
        self._opened, self._body = number, []
        self._crlf = line.endswith(b"\r\n")
        self._path = self._read_path(number, name)

    def _read_path(self, number: int, name: bytes) -> bytes | None:
        if not name:
            self._add_fault(number, "'^^^' without the name of a file")
            return None
        try:
            return clean_path(name)
        except ForbiddenPath as error:
            self._add_fault(number, f"'{_show_name(name[:_LONGEST_SHOWN])}': {error}")
            return None

    def _read_inside(self, number: int, line: bytes, fence: bytes) -> None:
        if fence == _END:
            self._close_body(Body(self._read_content(), self._crlf))
        elif fence == _DELETE and not self._body:
            self._close_body(None)
            self._after_delete = True
        elif fence == _DELETE:
            self._add_fault(number, "'^^^delete' after text in the same block")
            self._opened = 0
        elif fence.split(maxsplit=1)[:1] in ([_END], [_DELETE]):
            word = fence.split(maxsplit=1)[0].decode()
            self._add_fault(number, f"text after '{word}' on its line")
            self._opened = 0
        elif fence:
            self._add_fault(
                number,
                f"a fence in the block of line {self._opened}, which is not terminated "
                r"(a line of the file that begins with '^^^' is written '\^^^')",
            )
            self._opened = 0
            self._read_outside(number, line, fence)
        else:
            self._body.append(line[1:] if _ESCAPED.match(line) else line)

    def _read_content(self) -> bytes:
        return b"".join(_unwrap_code_fence(self._path or b"", self._body))

    def _close_body(self, body: Body | None) -> None:
        if self._path is not None:
            block = Block(self._opened, self._path, body)
            earlier = self._blocks.setdefault(self._path, block)
            if earlier.body != body:
                self._add_fault(
                    self._opened,
                    f"'{self._path.decode()}' has a different block on line {earlier.line}",
                )
        self._opened = 0

    def _add_fault(self, line: int, why: str) -> None:
        self._faults.append(Fault(line, why))


def _show_name(name: bytes) -> str:
    """A name for people, with every invisible character escaped."""
    text = name.decode("utf-8", "backslashreplace")
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _split_lines(answer: bytes) -> Iterable[bytes]:
    start = 0
    while start < len(answer):
        end = answer.find(b"\n", start) + 1 or len(answer)
        yield answer[start:end]
        start = end


def _unwrap_code_fence(path: bytes, body: list[bytes]) -> list[bytes]:
    """The body without a code fence that was put around the whole of it."""
    if len(body) < 2:
        return body
    first, last = _CODE_FENCE.fullmatch(body[0]), _CODE_FENCE_END.fullmatch(body[-1])
    if first is None or last is None or not last[1].startswith(first[1]):
        return body
    # A README may well begin and end with a code block of its own.
    if path.lower().endswith(_PROSE_FILES) and first[2].lower() not in (b"markdown", b"md"):
        return body
    return body[1:-1]
