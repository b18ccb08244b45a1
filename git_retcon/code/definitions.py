"""Which names a line defines, and which definitions a line stands in.

Regular expressions and indentation, no grammar: it must work on any language and on half-written
code, and a wrong guess costs a word, never a byte. It is for cutting hunks and for the planner; a
repair, which also needs members, imports and uses, and can try what it guesses, asks ``symbols``.
"""

import functools
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_retcon.code.languages import LISTING, MARKDOWN, RST, TEXT, Blocks, Language

# Only this much of a line is read: definitions stand at its start.
_HEAD = 240
# Versions of a file share most of their lines: what a line is, is remembered, within bounds.
_MOST_KNOWN = 1 << 16

_MODIFIERS = (
    rb"(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|final"
    rb"|abstract|async|unsafe|extern|inline|virtual|override|open|sealed|data|partial|readonly"
    rb"|declare|suspend|local|const)\s+)*"
)
_KEYWORD = re.compile(
    rb"\s*" + _MODIFIERS + rb"(?:def|defp|class|fn|func|fun|function\*?|struct|enum|trait|interface"
    rb"|type|module|mod|namespace|record|object|protocol|extension|union|macro_rules!|macro"
    rb"|defmodule)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$?]*)"
)
_IMPL = re.compile(rb"\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s+(?:[\w:<>', ]+\s+for\s+)?&?(\w+)")
_DEFINE = re.compile(rb"\s*#\s*define\s+(\w+)")
_BINDING = re.compile(
    rb"\s*" + _MODIFIERS + rb"(?:const|let|var|val|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]"
)
_ASSIGNED = re.compile(rb"([A-Za-z_]\w*)\s*(?::[^=]{1,80})?=(?![=>])")
_MEMBER = re.compile(
    rb"\s*(?:module\.)?(?:[\w$]+\.)+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function|\()"
)
# In this order, each with what a line must hold for it: looking for that is far cheaper.
_PATTERNS = (
    (b"", _KEYWORD),
    (b"impl", _IMPL),
    (b"define", _DEFINE),
    (b"", _BINDING),
    (b"=", _ASSIGNED),
    (b".", _MEMBER),
)
_TABLE = re.compile(rb"\[\[?\s*([\w.\-\"' ]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rb"\s*[\"']?([A-Za-z_][\w.-]*)[\"']?\s*:(?:\s|$)")
_IDENTIFIER = re.compile(rb"[A-Za-z_~$][\w$]*")
_NO_FUNCTION = frozenset(
    b"if for while switch return else catch do case throw new delete sizeof assert await yield "
    b"foreach using lock when match print elif with in not and or defer go select typeof".split()
)
_HEADING = re.compile(rb"(#{1,6})\s+(.+?)\s*#*\s*$")
_UNDERLINE = re.compile(rb"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
# One of these begins, or a colon ends, whatever the next two match.
_MARKS = frozenset(b"{}()[];,#/*-@")
_COLON = ord(":")
_SKIPPED = re.compile(rb"\s*(?:[)\]}]|[{(\[;,]*\s*$|#\s*(?:if|el|endif|pragma)|\w+:\s*$)")
_COMMENT = re.compile(rb"\s*(?://|/\*|\*|#(?!define|\[)|--|@)")


def defined(line: bytes, language: Language) -> tuple[str, ...]:
    """The names that a line defines, most often none or one."""
    head = line[:_HEAD]
    if not head.strip() or language is TEXT or language is LISTING:
        return ()
    if language is MARKDOWN or language is RST:
        heading = _HEADING.match(head)
        return (_text(heading[2]),) if heading and language is MARKDOWN else ()
    name = _defined(head, language)
    return (_text(name),) if name else ()


def _defined(head: bytes, language: Language) -> bytes | None:
    if language.name == "toml":
        found = _TABLE.match(head) or _ASSIGNED.match(head)
        return found[1] if found else None
    if language.name in ("json", "yaml"):
        found = _KEY.match(head)
        return found[1] if found else None
    if _COMMENT.match(head):
        return None
    for needed, pattern in _PATTERNS:
        if needed not in head:
            continue
        found = pattern.match(head)
        if found and (pattern is not _BINDING or len(head) - len(head.lstrip()) <= 4):
            return found[1]
    return _function_head(head) if language.function_heads else None


def _function_head(head: bytes) -> bytes | None:
    """The name of ``int f(int x)`` or ``method(a) {``; None for a call or a statement."""
    before, bracket, after = head.partition(b"(")
    ending = after.rstrip()
    if not bracket or b"=" in before or (ending.endswith((b";", b",")) and b"{" not in ending):
        return None
    words = _IDENTIFIER.findall(before)
    if not words or words[0] in _NO_FUNCTION or words[-1] in _NO_FUNCTION or b"." in before:
        return None
    if not before.rstrip().endswith(words[-1]):
        return None
    if len(words) == 1 and not ending.endswith(b"{"):
        return None
    return bytes(words[-1])


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def indent_of(line: bytes) -> int:
    """Columns of leading white space, a tab counting for four."""
    blank = len(line) - len(line.lstrip(b" \t"))
    return blank + 3 * line.count(b"\t", 0, blank)


@dataclass(frozen=True, slots=True)
class Outline:
    """The definitions of one file: ``parent[i]`` is the line that line ``i`` stands under, or -1;
    ``names[i]`` are those that line ``i`` defines (absent for none)."""

    parent: Sequence[int]
    names: Mapping[int, tuple[str, ...]]

    def enclosing(self, line: int) -> Iterator[int]:
        """The defining lines around a line, innermost first, at most eight."""
        found = 0
        at = self.parent[line] if line < len(self.parent) else -1
        while at >= 0 and found < 8:
            if at in self.names:
                found += 1
                yield at
            at = self.parent[at]

    def owner(self, line: int) -> int:
        """The innermost definition of a line, itself where it is one; -1 at the top."""
        return line if line in self.names else next(self.enclosing(line), -1)

    def scope(self, line: int) -> tuple[str, ...]:
        """The definitions that a line stands in, outermost first, itself included."""
        own = [line] if line in self.names else []
        return tuple(self.names[at][0] for at in reversed([*own, *self.enclosing(line)]))


# In place of a width: keys stand under their table; what waits belongs to the next line; what is
# bare, to nothing.
_TABLE_WIDTH, _WAITS, _BARE = -1, -2, -3


class _Reader:
    """What lines are in one language, each looked at once."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._widths: dict[bytes, int] = {}
        self._names: dict[bytes, tuple[str, ...]] = {}

    def width(self, line: bytes) -> int:
        """A line's indentation, or what stands for it."""
        bare = line.strip()
        if bare and bare[0] not in _MARKS and bare[-1] != _COLON and len(line) <= _HEAD:
            return indent_of(line)  # most lines are told by this look
        head = line if len(line) <= _HEAD else line[:_HEAD]
        found = self._widths.get(head)
        if found is None:
            if len(self._widths) >= _MOST_KNOWN:
                self._widths.clear()
            found = self._widths[head] = self._width(head)
        return found

    def _width(self, head: bytes) -> int:
        bare = head.strip()
        if not bare:
            return _BARE
        if (bare[0] in _MARKS or bare[-1] == _COLON) and (
            _SKIPPED.match(head) or _COMMENT.match(head)
        ):
            return _BARE if self._language.blocks is Blocks.BRACKETS else _WAITS
        is_table = self._language.name == "toml" and head.startswith(b"[")
        return _TABLE_WIDTH if is_table else indent_of(head)

    def names(self, line: bytes) -> tuple[str, ...]:
        """The names that a line defines, unless it only waits for the next one."""
        head = line if len(line) <= _HEAD else line[:_HEAD]
        found = self._names.get(head)
        if found is None:
            if len(self._names) >= _MOST_KNOWN:
                self._names.clear()
            is_read = self.width(head) >= _TABLE_WIDTH
            found = self._names[head] = defined(head, self._language) if is_read else ()
        return found


_reader = functools.cache(_Reader)


class _Names(Mapping[int, tuple[str, ...]]):
    """The lines that define something, found out when they are asked for: most never are."""

    def __init__(
        self, lines: Sequence[bytes], language: Language, decorators: Container[int]
    ) -> None:
        self._lines = lines
        self._reader = _reader(language)
        self._decorators = decorators

    def __contains__(self, at: object) -> bool:
        assert isinstance(at, int)
        return bool(self._reader.names(self._lines[at])) and at not in self._decorators

    def __getitem__(self, at: int) -> tuple[str, ...]:
        if at not in self:
            raise KeyError(at)
        return self._reader.names(self._lines[at])

    def __iter__(self) -> Iterator[int]:
        return (at for at in range(len(self._lines)) if at in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def outline(lines: Sequence[bytes], language: Language) -> Outline:
    """Read a file's structure in one pass: by headings in prose, by indentation elsewhere."""
    if language is MARKDOWN or language is RST:
        return _headings(lines, language)
    parent: list[int] = []
    stack: list[tuple[int, int]] = []
    pending: list[int] = []  # comments and decorators stand where the next line does
    decorator = _Decorator()
    decorators: set[int] = set()
    reader = _reader(language)
    for at, width in enumerate(map(reader.width, lines)):
        if (width == _WAITS or decorator.left_open) and decorator.reads(lines[at], reader):
            decorators.add(at)
            width = _WAITS
        if width < _TABLE_WIDTH:
            parent.append(stack[-1][1] if stack else -1)
            if width == _WAITS:
                pending.append(at)
            continue
        while stack and stack[-1][0] >= width:
            stack.pop()
        above = stack[-1][1] if stack else -1
        parent.append(above)
        if pending:
            for waiting in pending:
                if waiting in decorators or indent_of(lines[waiting]) == width:
                    parent[waiting] = above
            pending.clear()
        stack.append((width, at))
    return Outline(parent, _Names(lines, language, decorators))


class _Decorator:
    """Follows a decorator over as many lines as its brackets are open."""

    def __init__(self) -> None:
        self.left_open = 0
        self._width = 0

    def reads(self, line: bytes, reader: _Reader) -> bool:
        """Whether a line belongs to a decorator; a definition no deeper than it ends it."""
        if not self.left_open:
            if not line.lstrip().startswith(b"@"):
                return False
            self._width = indent_of(line)
        elif indent_of(line) <= self._width and reader.names(line):
            self.left_open = 0
            return False
        self.left_open = max(0, self.left_open + _opened(line))
        return True


def _opened(line: bytes) -> int:
    return sum(map(line.count, (b"(", b"[", b"{"))) - sum(map(line.count, (b")", b"]", b"}")))


def _headings(lines: Sequence[bytes], language: Language) -> Outline:
    parent: list[int] = []
    names: dict[int, tuple[str, ...]] = {}
    stack: list[tuple[int, int]] = []
    levels: dict[bytes, int] = {}
    fenced = False
    for at, line in enumerate(lines):
        if language is MARKDOWN and line.startswith((b"```", b"~~~")):
            fenced = not fenced
        level, title = 0, b""
        if not fenced and language is MARKDOWN and (heading := _HEADING.match(line[:_HEAD])):
            level, title = len(heading[1]), heading[2]
        elif at + 1 < len(lines) and line.strip() and not _UNDERLINE.match(line[:_HEAD]):
            rule = _UNDERLINE.match(lines[at + 1][:_HEAD])
            if rule and len(lines[at + 1].strip()) >= min(len(line.strip()), 4):
                level, title = levels.setdefault(rule[1], len(levels) + 1), line.strip()
        if level:
            while stack and stack[-1][0] >= level:
                stack.pop()
            names[at] = (_text(title[:_HEAD]),)
        parent.append(stack[-1][1] if stack else -1)
        if level:
            stack.append((level, at))
    return Outline(parent, names)
