"""What is known of each language: comments, strings, brackets, definitions, imports; and what
sort of file a path is. Tables only; ``lexing``, ``definitions``, ``outlines`` and ``splitting``
read them.
"""

import enum
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass


class FileClass(enum.Enum):
    """What a file is for, judged by its path. A file may be of several."""

    TEST = "test"
    DOC = "doc"
    LOG = "log"
    BUILD = "build"
    GENERATED = "generated"
    CONF = "conf"
    DECLARATION = "declaration"
    CODE = "code"


class Blocks(enum.Enum):
    """What holds a block together."""

    BRACKETS = "brackets"
    INDENT = "indent"
    WORDS = "words"  # "end", "fi": seen by indentation only


@dataclass(frozen=True, slots=True)
class Quote:
    """A string or block comment: from ``start`` to ``stop``; many lines only if it says so."""

    start: bytes
    stop: bytes
    many_lines: bool = False
    escapes: bool = True


@dataclass(frozen=True, slots=True)
class Language:
    """One language. ``literals`` match what only looks like the start of a string."""

    name: str
    line_comments: tuple[bytes, ...] = ()
    quotes: tuple[Quote, ...] = ()
    blocks: Blocks = Blocks.BRACKETS
    brackets: bytes = b"()[]{}"
    literals: bytes = b""
    heredocs: bool = False
    function_heads: bool = False  # a function may be defined by its head alone: "int f(int x)"
    imports: re.Pattern[bytes] | None = None
    attached: re.Pattern[bytes] | None = None  # belongs to the line that follows
    # Statements that stand each by itself beside others with the same first group; where there
    # are ``members``, only those right under a line that matches it.
    entries: re.Pattern[bytes] | None = None
    members: re.Pattern[bytes] | None = None


_DOUBLE = Quote(b'"', b'"')
_SINGLE = Quote(b"'", b"'")
_C_COMMENT = Quote(b"/*", b"*/", many_lines=True, escapes=False)
_C_CHARACTER = rb"'(?:\\(?:x[0-9a-fA-F]+|u\{?[0-9a-fA-F]+\}?|[0-7]{1,3}|.)|[^'\\\n])'"
_FIELD = re.compile(rb"([ \t]+)[A-Za-z_][^(){}=]*;[ \t]*(?://.*|/\*.*\*/\s*)?$")
_BULLET = re.compile(rb"([ \t]*)(?:[-*+]|\d+[.)])[ \t]+\S")
_C_ATTACHED = re.compile(rb"\s*(?://|/\*|\*|@\w|#\[|\[\w[^\]]*\]\s*$|template\s*<)")

PYTHON = Language(
    "python",
    line_comments=(b"#",),
    quotes=(
        Quote(b'"""', b'"""', many_lines=True),
        Quote(b"'''", b"'''", many_lines=True),
        _DOUBLE,
        _SINGLE,
    ),
    blocks=Blocks.INDENT,
    imports=re.compile(rb"\s*(?:import|from)\s+[\w.]+"),
    attached=re.compile(rb"\s*(?:@|#)"),
    entries=re.compile(rb"([ \t]+)[A-Za-z_]\w*[ \t]*(?::[^=]*)?(?:=(?!=)|$)"),
    members=re.compile(rb"\s*class\b.*:\s*(?:#.*)?$"),
)
C = Language(
    "c",
    line_comments=(b"//",),
    quotes=(_C_COMMENT, _DOUBLE),
    literals=_C_CHARACTER,
    function_heads=True,
    imports=re.compile(rb"\s*#\s*(?:include|import)\b|\s*using\s"),
    attached=_C_ATTACHED,
    entries=_FIELD,
    members=re.compile(rb"\s*(?:typedef\s+)?(?:struct|union)\b[^;(]*\{\s*$"),
)
RUST = Language(
    "rust",
    line_comments=(b"//",),
    quotes=(
        _C_COMMENT,
        Quote(b'r##"', b'"##', many_lines=True, escapes=False),
        Quote(b'r#"', b'"#', many_lines=True, escapes=False),
        Quote(b'r"', b'"', many_lines=True, escapes=False),
        Quote(b'"', b'"', many_lines=True),
    ),
    literals=_C_CHARACTER + rb"|\w+r\"",
    imports=re.compile(rb"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|mod|extern\s+crate)\s+[\w:]+"),
    attached=re.compile(rb"\s*(?://|/\*|\*|#\[)"),
)
GO = Language(
    "go",
    line_comments=(b"//",),
    quotes=(_C_COMMENT, _DOUBLE, Quote(b"`", b"`", many_lines=True, escapes=False)),
    literals=_C_CHARACTER,
    imports=re.compile(rb'\s*import\b|\s*(?:[\w.]+\s+)?"[\w./-]+"\s*$'),
    attached=_C_ATTACHED,
    entries=re.compile(rb"([ \t]+)[A-Za-z_*][^{}=]*$"),
    members=re.compile(rb".*\b(?:struct|interface)\s*\{\s*$"),
)
JAVA = Language(
    "java",
    line_comments=(b"//",),
    quotes=(_C_COMMENT, Quote(b'"""', b'"""', many_lines=True), _DOUBLE),
    literals=_C_CHARACTER,
    function_heads=True,
    imports=re.compile(rb"\s*(?:import|using)\s+(?:static\s+)?[\w.*{}]+"),
    attached=_C_ATTACHED,
)
JAVASCRIPT = Language(
    "javascript",
    line_comments=(b"//",),
    quotes=(_C_COMMENT, _DOUBLE, _SINGLE, Quote(b"`", b"`", many_lines=True)),
    function_heads=True,
    imports=re.compile(rb"\s*(?:import\b|export\s.*\bfrom\b|(?:const|let|var)\s.*=\s*require\()"),
    attached=_C_ATTACHED,
    entries=re.compile(rb"([ \t]+)[\w\"'\[(][^{}]*;[ \t]*(?://.*)?$"),
    members=re.compile(rb"\s*(?:export\s+|declare\s+|default\s+)*(?:interface|type)\b[^;]*\{\s*$"),
)
RUBY = Language(
    "ruby",
    line_comments=(b"#",),
    quotes=(_DOUBLE, _SINGLE),
    blocks=Blocks.WORDS,
    imports=re.compile(rb"\s*(?:require|require_relative|include|extend)\b"),
    attached=re.compile(rb"\s*#"),
)
SHELL = Language(
    "shell",
    line_comments=(),
    quotes=(Quote(b'"', b'"', many_lines=True), Quote(b"'", b"'", many_lines=True, escapes=False)),
    blocks=Blocks.WORDS,
    brackets=b"{}",
    literals=rb"(?:^|(?<=\s))#.*|\$\{#[^}]*\}|\\.",
    heredocs=True,
    imports=re.compile(rb"\s*(?:source|\.)\s+\S"),
    attached=re.compile(rb"\s*#"),
    entries=re.compile(
        rb"([ \t]*(?!(?:if|elif|else|for|while|until|case|select|function|return|exit|shift|cd|set"
        rb"|local|export|readonly|declare|break|continue|do|then)\b)[A-Za-z_][\w.-]*)"
        rb"[ \t][^\n]*[^\\|&;({\s]\s*$"
    ),
)
PHP = Language(
    "php",
    line_comments=(b"//", b"#"),
    quotes=(
        _C_COMMENT,
        Quote(b'"', b'"', many_lines=True),
        Quote(b"'", b"'", many_lines=True),
    ),
    function_heads=True,
    imports=re.compile(rb"\s*(?:use\s+[\w\\]+|(?:require|include)(?:_once)?\b)"),
    attached=_C_ATTACHED,
)
LUA = Language(
    "lua",
    line_comments=(b"--",),
    quotes=(
        Quote(b"--[[", b"]]", many_lines=True, escapes=False),
        Quote(b"[[", b"]]", many_lines=True, escapes=False),
        _DOUBLE,
        _SINGLE,
    ),
    blocks=Blocks.WORDS,
    imports=re.compile(rb"\s*(?:local\s+)?[\w.]*\s*=?\s*require\b"),
)
JSON = Language("json", line_comments=(b"//",), quotes=(_DOUBLE,))
TOML = Language(
    "toml",
    line_comments=(b"#",),
    quotes=(
        Quote(b'"""', b'"""', many_lines=True),
        Quote(b"'''", b"'''", many_lines=True, escapes=False),
        _DOUBLE,
        Quote(b"'", b"'", escapes=False),
    ),
    blocks=Blocks.WORDS,
    attached=re.compile(rb"\s*#"),
    entries=re.compile(rb"([ \t]*)[\w.\"'-]+[ \t]*=(?!=)"),
)
YAML = Language(
    "yaml",
    line_comments=(b"#",),
    blocks=Blocks.INDENT,
    attached=re.compile(rb"\s*#"),
    entries=re.compile(rb"([ ]*-(?=\s)|[ ]*(?=[\"']?[\w./-]+[\"']?[ ]*:(?:\s|$)))"),
)
CSS = Language("css", quotes=(_C_COMMENT, _DOUBLE, _SINGLE), imports=re.compile(rb"\s*@import\b"))
MAKE = Language(
    "make", line_comments=(b"#",), blocks=Blocks.INDENT, brackets=b"", attached=re.compile(rb"#")
)
TEXT = Language("text", blocks=Blocks.INDENT, brackets=b"", entries=_BULLET)
MARKDOWN = Language("markdown", blocks=Blocks.INDENT, brackets=b"", entries=_BULLET)
RST = Language("rst", blocks=Blocks.INDENT, brackets=b"", entries=_BULLET)
PROSE = (TEXT, MARKDOWN, RST)
# Requirements, patterns to ignore, names: each line is a thing of its own.
LISTING = Language(
    "list",
    blocks=Blocks.INDENT,
    brackets=b"",
    attached=re.compile(rb"\s*#"),
    entries=re.compile(rb"([ \t]*)[^\s#(){}\[\]](?:[^\n]*[^\\(\[{\s])?\s*$"),
)

_BY_EXTENSION: Mapping[bytes, Language] = {
    extension: language
    for extensions, language in (
        (b"py pyi pyx pxd", PYTHON),
        (b"c h cc cpp cxx hh hpp hxx inl m mm cu proto", C),
        (b"rs", RUST),
        (b"go", GO),
        (b"java kt kts scala groovy gradle cs swift dart", JAVA),
        (b"js jsx mjs cjs ts tsx mts cts vue svelte", JAVASCRIPT),
        (b"rb rake gemspec ex exs", RUBY),
        (b"sh bash zsh ksh bats", SHELL),
        (b"php", PHP),
        (b"lua", LUA),
        (b"json json5 jsonc", JSON),
        (b"toml ini cfg", TOML),
        (b"yml yaml", YAML),
        (b"css scss less", CSS),
        (b"mk cmake", MAKE),
        (b"md markdown mdx", MARKDOWN),
        (b"rst", RST),
    )
    for extension in extensions.split()
}
_BY_NAME: Mapping[bytes, Language] = {
    b"Makefile": MAKE,
    b"GNUmakefile": MAKE,
    b"CMakeLists.txt": MAKE,
    b"Rakefile": RUBY,
    b"Gemfile": RUBY,
    b"Cargo.lock": TOML,
    b"poetry.lock": TOML,
}


_LISTS = re.compile(
    rb"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)|\.[\w-]*ignore"
    rb"|CODEOWNERS|AUTHORS|CONTRIBUTORS|THANKS|MANIFEST\.in|\.mailmap|\.gitattributes"
)


@functools.lru_cache(maxsize=1 << 12)  # a file is asked about again for each of its versions
def language_of(path: bytes) -> Language:
    """The language of a file by its name; plain text where that says nothing."""
    folder, _, name = path.rpartition(b"/")
    known = _BY_NAME.get(name)
    if known is not None:
        return known
    if _LISTS.fullmatch(name) or (name.endswith(b".txt") and folder.endswith(b"requirements")):
        return LISTING
    return _BY_EXTENSION.get(name.rpartition(b".")[2].lower(), TEXT)


_CLASSES: tuple[tuple[FileClass, re.Pattern[bytes]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            FileClass.TEST,
            rb"(?:^|/)(?:tests?|specs?|testing|__tests__|testdata|fixtures)/"
            rb"|(?:^|/)(?:test_[^/]*|[^/]*[_.-](?:test|spec|tests)\.[^/]*|[^/]*tests?\.(?:java|cs|kt))$"
            rb"|(?:^|/)conftest\.py$",
        ),
        (
            FileClass.DOC,
            rb"(?:^|/)(?:docs?|documentation|man|examples?)/"
            rb"|\.(?:md|rst|adoc|mdx|[1-9])$|(?:^|/)(?:readme|license|copying|authors)[^/]*$",
        ),
        (
            FileClass.LOG,
            rb"(?:^|/)(?:change|release|history|news)[^/]*(?:\.(?:md|rst|txt))?$"
            rb"|(?:^|/)(?:newsfragments|changelog\.d|changes)/",
        ),
        (
            FileClass.BUILD,
            rb"(?:^|/)(?:makefile|cmakelists\.txt|dockerfile|setup\.(?:py|cfg)|pyproject\.toml"
            rb"|cargo\.toml|go\.mod|package\.json|pom\.xml|build\.[^/]*|meson[^/]*|configure[^/]*"
            rb"|tox\.ini|noxfile\.py|gemfile|requirements[^/]*)$"
            rb"|\.(?:mk|cmake|gradle|kts|csproj|sln|am|ac|m4)$|(?:^|/)(?:\.github|\.ci|ci|scripts?)/",
        ),
        (
            FileClass.GENERATED,
            rb"\.(?:min\.js|min\.css|map|snap|pb\.go|lock)$|(?:^|/)(?:dist|vendor|generated)/",
        ),
        (
            FileClass.CONF,
            rb"\.(?:toml|ya?ml|ini|cfg|conf|json|properties|editorconfig|xml)$"
            rb"|(?:^|/)\.[a-z][^/]*$",
        ),
        (FileClass.DECLARATION, rb"\.(?:h|hh|hpp|hxx|pyi|d\.ts|proto|pxd)$"),
    )
)
_NO_CODE = (*PROSE, LISTING, JSON, TOML, YAML)


def file_classes(path: bytes) -> frozenset[FileClass]:
    """Every class that a path speaks of; which are lock files is in ``files/lockfiles.py``."""
    found = {kind for kind, pattern in _CLASSES if pattern.search(path)}
    if language_of(path) not in _NO_CODE:
        found.add(FileClass.CODE)
    return frozenset(found)
