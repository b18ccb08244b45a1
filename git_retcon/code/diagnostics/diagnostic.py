"""One complaint of a tool, in terms that are the same for all tools."""

import enum
import re
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.code.lazy_pattern import LazyPattern


class Kind(enum.Enum):
    """What a tool complains of, by what would answer it."""

    UNDEFINED = "undefined"  # a name that nothing defines
    IMPORT = "import"  # a module that exists lacks a name
    MEMBER = "member"  # a type or module lacks a field, method, variant or attribute
    FILE = "file"  # a header, module, package or file was not found
    MISMATCH = "mismatch"  # a definition and its use or implementation disagree
    UNUSED = "unused"  # something is defined or imported that nothing uses
    DUPLICATE = "duplicate"  # something is defined twice
    SYNTAX = "syntax"
    TEST = "test"  # a test ran and did not pass
    OTHER = "other"


class Severity(enum.Enum):
    """How grave the tool says it is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Category(enum.Enum):
    """In which sort of work it was found: what ``git heal`` sorts by."""

    COMPILE = "compile"
    TYPE_CHECK = "type-check"
    TEST = "test"
    RUNTIME = "runtime"
    LINT = "lint"
    DEPENDENCY = "dependency"
    CONFIG = "config"
    INFRASTRUCTURE = "infrastructure"  # the machine, the network, a missing program
    METADATA = "metadata"
    UNKNOWN = "unknown"


class Edit(NamedTuple):
    """A replacement that the tool proposes: lines and columns from 1, the end is exclusive.

    Columns count characters. ``end_line`` 0 and ``start_line`` 0: characters from the start of
    the file are given instead, in the columns (from 0), as eslint does.
    """

    path: bytes
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    text: str


class Diagnostic(NamedTuple):
    """One complaint.

    ``path`` and ``line`` (from 1) are the place that the tool names, as the tool writes it.
    ``missing`` are the names it lacks (for UNUSED and DUPLICATE: the names it is about).
    ``wants_file`` are headers, modules, packages or files it did not find, in the tool's own form.
    ``owner`` is the type, module or function that should have had ``missing``; "" if unsaid.
    ``noun`` is the tool's word for what is missing ("type", "function"); "" if unsaid.
    ``column`` is as the tool counts, mostly from 1. ``rule`` is the tool's name for the sort of
    complaint ("E501", "no-unused-vars"), or the name of a test. ``stack`` are the lines below the
    message that say where from it came. ``first`` and ``last`` are the lines of the output that
    it was read from, counted from 0. ``base`` is where a relative path begins, if the tool says
    so: a directory that make entered, or Go's name of a package. ``logged``: its form tells that
    a program printed an error and went on.
    """

    path: bytes | None
    line: int | None
    message: str
    missing: tuple[str, ...] = ()
    wants_file: tuple[bytes, ...] = ()
    kind: Kind = Kind.OTHER
    owner: str = ""
    noun: str = ""
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    severity: Severity = Severity.ERROR
    category: Category = Category.UNKNOWN
    rule: str = ""
    tool: str = ""
    stack: tuple[str, ...] = ()
    suggestion: str = ""
    edits: tuple[Edit, ...] = ()
    first: int = 0
    last: int = 0
    base: bytes = b""
    logged: bool = False


class PlacedMessage(NamedTuple):
    """A message and the place that its tool names; the rest as in ``Diagnostic``."""

    path: str | None
    line: int | None
    message: str
    column: int | None = None
    severity: Severity = Severity.ERROR
    category: Category = Category.UNKNOWN
    rule: str = ""
    tool: str = ""
    first: int = 0
    last: int = 0


class Rule:
    """How one sort of message is known.

    ``needle`` is a literal that every such message holds: most messages are dismissed by it
    without the regular expression. The groups ``symbol``, ``owner``, ``file`` and ``noun`` fill
    the fields of the diagnostic; ``symbol`` may hold several names.
    """

    def __init__(self, kind: Kind, needle: str, pattern: str) -> None:
        self.kind = kind
        self.needle = needle
        self.pattern = LazyPattern(pattern)

    def read(self, located: PlacedMessage) -> Diagnostic | None:
        """The diagnostic of a message with the needle; None where it is of another sort."""
        found = self.pattern.search(located.message)
        if found is None:
            return None
        groups = {name: text for name, text in found.groupdict().items() if text}
        file = groups.get("file")
        symbols, owner = _split_qualifier(groups.get("symbol", ""))
        return make_diagnostic(located, self.kind)._replace(
            missing=symbols,
            wants_file=(as_bytes(file),) if file else (),
            owner=strip_owner(groups.get("owner", "")) or owner,
            noun=groups.get("noun", ""),
        )


def classify(
    rules: Sequence[Rule], located: PlacedMessage, otherwise: Kind = Kind.OTHER
) -> Diagnostic:
    """The first rule's diagnostic, or one of the kind ``otherwise`` that names nothing."""
    message = located.message
    for candidate in rules:
        # Dismissed here: for most rules the call would cost more than the look.
        if candidate.needle in message and (diagnostic := candidate.read(located)) is not None:
            return diagnostic
    return make_diagnostic(located, otherwise)


def make_diagnostic(located: PlacedMessage, kind: Kind = Kind.OTHER) -> Diagnostic:
    """The diagnostic that says no more than its place, message and origin."""
    return Diagnostic(
        path=as_path(located.path),
        line=located.line,
        message=make_printable(located.message),
        kind=kind,
        column=located.column,
        severity=located.severity,
        category=located.category,
        rule=located.rule,
        tool=located.tool,
        suggestion=find_suggestion(located.message),
        first=located.first,
        last=max(located.first, located.last),
    )


_DID_YOU_MEAN = LazyPattern(
    r"[Dd]id you mean:?(?: to (?:use|import|write|access))?(?: (?:the )?\w+(?: \w+)?)??"
    r" ?['\"`‘](?P<name>[^'\"`’]{1,80})"
)


def find_suggestion(message: str) -> str:
    """The name that the tool thinks was meant, or ""."""
    if "id you mean" not in message:
        return ""
    found = _DID_YOU_MEAN.search(message)
    return found["name"] if found else ""


def read_number(text: str | None) -> int | None:
    """A line number; None for other words, and for what no file could have."""
    if not text or not (text.isascii() and text.isdigit()):
        return None
    # Python refuses to convert a text of thousands of digits.
    return int(text) if len(text) < 10 else None


def as_bytes(text: str) -> bytes:
    """The bytes that the tool printed, in any encoding."""
    return text.encode("utf-8", "surrogateescape")


def as_path(text: str | None) -> bytes | None:
    """A path as printed, less what means "here"."""
    if not text:
        return None
    path = as_bytes(text.strip().removeprefix("file://"))
    while path.startswith(b"./"):
        path = path[2:]
    return path or None


def make_printable(text: str) -> str:
    """A message that any terminal can print, of a length that a person reads."""
    # 300: a compiler may quote a type of a thousand characters.
    return as_bytes(text.strip()).decode("utf-8", "replace")[:300]


_IDENTIFIER = LazyPattern(r"[^\W\d][\w$]*!?|\$[\w$]+")
_ARGUMENTS = LazyPattern(r"[(<\[].*")


def _split_qualifier(text: str) -> tuple[tuple[str, ...], str]:
    """The names in a symbol group, and what qualifies a single one (``B::go(int)`` → go, B)."""
    if re.search(r"[,]\s*[`'\"\w]|\band\b", _ARGUMENTS.sub("", text)):
        found = (name for name in _IDENTIFIER.findall(text) if name != "and")
        return tuple(dict.fromkeys(found)), ""
    names = _IDENTIFIER.findall(_ARGUMENTS.sub("", text))
    if not names:
        return (), ""
    return (names[-1].rstrip("!"),), ".".join(names[:-1])


def strip_owner(text: str) -> str:
    """A type's or module's name without arguments, quotes and keywords; dots between its parts."""
    text = re.sub(r"^(?:typeof import|struct|class|enum|union|trait|interface|typeof)\b", "", text)
    bare = re.sub(r"<.*|\(\).*|\[.*|\", \{.*", "", text).strip(" \"'`()&*")
    return bare.replace("::", ".")
