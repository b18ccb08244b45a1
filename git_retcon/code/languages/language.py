"""What can be said of a language. Readers know languages by these values alone, never by name.

A field that is left out says what most languages do, so a new language states only what is its own.
"""

import enum

from git_retcon.code.languages.usual import (
    USUAL_COMMENT,
    USUAL_CONTINUATION,
    USUAL_DEFINITIONS,
    USUAL_NOISE,
    Definition,
    Quote,
)
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_named_tuple import NamedTuple


class Content(enum.Enum):
    """What a file of the language holds."""

    CODE = "code"
    STYLE = "style"  # code, but its names mean nothing to other files
    DATA = "data"
    LIST = "list"  # each line is a thing of its own
    PROSE = "prose"


class Blocks(enum.Enum):
    """What holds a block together."""

    BRACKETS = "brackets"
    INDENT = "indent"
    WORDS = "words"  # "end", "fi": seen by indentation only


class Headings(enum.Enum):
    """How prose marks its sections."""

    NONE = "none"
    UNDERLINED = "underlined"
    MARKED = "marked"  # "# title" (not within a fence of backticks), or underlined


class Sign(NamedTuple):
    """What shows that a command fits a project: a pattern in a file at its top, or in the names of
    the files there, one a line, where ``file`` is empty.

    With ``keys``, the file is JSON, and the pattern is searched for in the text at these keys.
    """

    file: bytes
    pattern: LazyPattern[bytes]
    keys: tuple[str, ...] = ()


class Proposal(NamedTuple):
    """Commands to suggest; nobody runs them unasked. "" where none is known.

    Each fits only a project with its sign, where it has one.
    """

    build: str
    test: str
    build_sign: Sign | None = None
    test_sign: Sign | None = None


class Files(NamedTuple):
    """Which files are of the language, and what its tools call theirs.

    ``endings`` and ``names`` (words between spaces) decide the language, ``paths`` (a pattern that
    is searched for) that of plain text. The four file classes are patterns of whole file
    names, without regard to case. ``folder_files`` are imported by the name of their folder,
    ``root_words`` the words of a module's path that name no folder, ``test_marks`` what the name of
    a test has and its subject has not.

    ``folder_scoped`` are the endings (with dots) of files that see the names of their folder with
    no import, ``header_scoped`` of those that may see any of their kind by way of headers;
    ``declares_files`` says that a line which defines a module brings in the file of its name.

    ``proposals`` are commands for a project with such a file at its top, the first that fit
    ("*.py": any such file, if nothing else is known of it); ``tools`` (words) are the programs
    whose version a build depends on.
    """

    endings: bytes = b""
    names: bytes = b""
    paths: bytes = b""
    tests: bytes = b""
    builds: bytes = b""
    generated: bytes = b""
    declarations: bytes = b""
    folder_files: bytes = b""
    root_words: bytes = b""
    test_marks: bytes = b""
    folder_scoped: tuple[bytes, ...] = ()
    header_scoped: tuple[bytes, ...] = ()
    declares_files: bool = False
    proposals: tuple[tuple[bytes, Proposal], ...] = ()
    tools: str = ""


class Symbols(NamedTuple):
    """How single lines name things, where the usual forms (``code.symbols``) do not fit.

    Patterns of text, tried before the usual ones. ``definitions`` and ``members`` have a group
    ``name``; ``imports`` have ``names`` (what the import binds), ``module``, or both. ``noise``
    matches strings and comments, in which nothing is named.
    """

    definitions: tuple[LazyPattern[str], ...] = ()
    members: tuple[LazyPattern[str], ...] = ()
    imports: tuple[LazyPattern[str], ...] = ()
    noise: LazyPattern[str] = USUAL_NOISE


class Language(NamedTuple):
    """One language.

    ``literals`` match what only looks like the start of a string. ``attached`` are lines that
    belong to the line after them, ``comment`` lines that define nothing, ``continuation`` lines
    that go on with the statement before them. With ``function_heads``, a function may be defined by
    its head alone ("int f(int x)").

    ``entries`` are statements each of which is whole without the others that have the same first
    group; where there are ``members``, only right under a line that matches it. In JSON brackets
    hold nothing but such items (``only_items``), and no comma ends a list (``ends_with_comma``).
    ``has_tables`` says that keys belong to the "[table]" above them.
    """

    name: str
    files: Files
    content: Content = Content.CODE
    line_comments: tuple[bytes, ...] = ()
    quotes: tuple[Quote, ...] = ()
    blocks: Blocks = Blocks.BRACKETS
    brackets: bytes = b"()[]{}"
    literals: bytes = b""
    heredocs: bool = False
    function_heads: bool = False
    imports: LazyPattern[bytes] | None = None
    attached: LazyPattern[bytes] | None = None
    comment: LazyPattern[bytes] = USUAL_COMMENT
    continuation: LazyPattern[bytes] = USUAL_CONTINUATION
    definitions: tuple[Definition, ...] = USUAL_DEFINITIONS
    symbols: Symbols = Symbols()
    entries: LazyPattern[bytes] | None = None
    members: LazyPattern[bytes] | None = None
    only_items: bool = False
    ends_with_comma: bool = True
    headings: Headings = Headings.NONE
    has_tables: bool = False

    def __hash__(self) -> int:
        # Languages are keys of caches that are asked for every line; they are never made twice.
        return id(self)
