"""Known ways to break a tree: one line more in one file, of which the place is known.

The line is of the language's own and says nothing of any tool. Files are chosen by a digest, so
that the same clone is always broken in the same places.
"""

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

KINDS = ("syntax", "type", "missing import", "unused import", "format", "assertion")
_LEAST_LINES = 20
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|spec|docs?|examples?|bench(?:marks?|es)?|vendor"
    r"|third_party|(?:\w+-)?fuzz|node_modules|dist|scripts|tools|\.[^/]*)(?:/|$)"
)


class Breakage(NamedTuple):
    """A file with one line more: ``line`` counts from 1."""

    kind: str
    path: str
    line: int
    content: str


class _Language(NamedTuple):
    """How files of a language are broken.

    ``before`` is a line, at the left margin, before which another can come; without one it goes to
    the end. ``imports`` is one after which an import can come, where it cannot be there.
    ``is_test`` is of files that hold tests, which are sources too if the language ``mixes`` both.
    """

    endings: tuple[str, ...]
    is_test: re.Pattern[str]
    before: re.Pattern[str]
    lines: Mapping[str, str]
    assertions: Sequence[tuple[re.Pattern[str], str, bool]]
    imports: re.Pattern[str] | None = None
    mixes: bool = False


_NEVER = re.compile(r"(?!)")
# A pattern, the line that fails, and whether that comes after the line found (else before it).
_JS_ASSERTIONS = (
    (re.compile(r"^\s+expect\(.*\)\.to\."), "expect(1).to.equal(2);", False),
    (re.compile(r"^\s+(?:await )?expect\(.*\)\.\w"), "expect(1).toBe(2);", False),
    (re.compile(r"^\s+t\.(?:is|true|deepEqual)\("), "t.is(1, 2);", False),
    (re.compile(r"^\s+assert\.\w+\("), "assert.equal(1, 2);", False),
    (re.compile(r"^\s+\S+\.should\."), "(1).should.equal(2);", False),
)
LANGUAGES = {
    "Python": _Language(
        (".py",),
        re.compile(r"(?:^|/)test_[^/]*\.py$|_test\.py$"),
        re.compile(r"(?:def|class|async def) \w"),
        {
            "syntax": "def broken(:",
            "type": 'broken: int = "text"',
            "missing import": "import module_that_is_not_here",
            "unused import": "import colorsys",
            "format": "broken  =  [ 1,2 ]",
        },
        (
            (re.compile(r"^\s+assert "), "assert 1 == 2", False),
            (re.compile(r"^\s+self\.assert\w+\("), "self.assertEqual(1, 2)", False),
        ),
    ),
    "JavaScript": _Language(
        (".js", ".mjs", ".cjs"),
        re.compile(r"(?:^|/)(?:tests?|__tests__)/.*\.[cm]?js$|\.(?:test|spec)\.[cm]?js$"),
        re.compile(r"(?:export|function|class|const|async function) "),
        {
            "syntax": "function broken( {",
            "missing import": "import notHere from './not-here.js';",
            "unused import": "import {readFileSync as broken} from 'node:fs';",
            "format": "export const  broken  = [ 1,2 ]",
        },
        _JS_ASSERTIONS,
    ),
    "TypeScript": _Language(
        (".ts", ".mts", ".cts"),
        re.compile(r"(?:^|/)(?:tests?|__tests__)/.*\.[cm]?tsx?$|\.(?:test|spec)\.[cm]?tsx?$"),
        re.compile(r"(?:export|function|class|const|async function) "),
        {
            "syntax": "function broken( {",
            "type": 'export const broken: number = "text";',
            "missing import": "import notHere from './not-here.js';",
            "unused import": "import {readFileSync as broken} from 'node:fs';",
            "format": "export const  broken  = [ 1,2 ]",
        },
        _JS_ASSERTIONS,
    ),
    "Go": _Language(
        (".go",),
        re.compile(r"_test\.go$"),
        re.compile(r"func "),
        {
            "syntax": "func broken( {",
            "type": 'var broken int = "text"',
            "missing import": 'import "example.org/not/here"',
            "unused import": 'import "archive/tar"',
            "format": "var  broken  = [ ]int{ 1,2 }",
        },
        ((re.compile(r"^func Test\w+\(t \*testing\.T\) \{$"), '\tt.Error("got 1, want 2")', True),),
        re.compile(r"^package \w+$"),
    ),
    "Rust": _Language(
        (".rs",),
        re.compile(r"(?:^|/)tests/[^/]*\.rs$|(?:^|/)src/.*\.rs$"),
        re.compile(r"(?:pub )?(?:fn|struct|enum|trait|mod|impl)\b"),
        {
            # An open parenthesis would be complained of at the end of the file.
            "syntax": "fn broken() { let = 1; }",
            "type": 'const BROKEN: u32 = "text";',
            "missing import": "use crate::not_here;",
            "unused import": "use std::time::Duration;",
            "format": "const  BROKEN: u32  = 1;",
        },
        ((re.compile(r"^\s+assert(?:_eq|_ne)?!\("), "assert_eq!(1, 2);", False),),
        mixes=True,
    ),
    "Java": _Language(
        (".java",),
        re.compile(r"Test\.java$"),
        _NEVER,
        {
            "syntax": "int broken( {",
            "type": 'class Broken { int broken = "text"; }',
            "missing import": "import not.here.Nothing;",
            "unused import": "import java.util.Timer;",
        },
        ((re.compile(r"^\s+assert\w*\("), "assertEquals(1, 2);", False),),
        re.compile(r"^package [\w.]+;$"),
    ),
    "C++": _Language(
        (".cc", ".cpp", ".cxx", ".c"),
        re.compile(r"(?:^|/)(?:unit)?tests?/.*\.(?:cc|cpp|cxx|c)$|-test\.cc$"),
        _NEVER,
        {
            "syntax": "int broken( {",
            "type": 'static int broken = "text";',
            "missing import": '#include "not_here.h"',
        },
        ((re.compile(r"^\s+EXPECT_\w+\("), "EXPECT_EQ(1, 2);", False),),
    ),
}


def list_breakages(
    top: Path, paths: Sequence[str], language: str, files: int = 1
) -> Iterator[Breakage]:
    """Of each kind that the language has so many, each in another file of the tree ``top``."""
    known = LANGUAGES[language]
    own = sorted((path for path in paths if path.endswith(known.endings)), key=shuffle_path)
    tests = [path for path in own if known.is_test.search(path)]
    whole = [path for path in own if not _ASIDE.search(path)]
    sources = [path for path in whole if known.mixes or path not in tests] or whole
    for kind in KINDS:
        insert = _choose_insert(known, kind)
        found = (
            insert(path, _read(top / path)) for path in (tests if kind == "assertion" else sources)
        )
        yield from itertools.islice((each for each in found if each is not None), files)


def _choose_insert(
    language: _Language, kind: str
) -> Callable[[str, Sequence[str]], Breakage | None]:
    if kind == "assertion":
        return lambda path, lines: _fail_assertion(language, path, lines)
    return lambda path, lines: _insert_line(language, kind, path, lines)


def _insert_line(
    language: _Language, kind: str, path: str, lines: Sequence[str]
) -> Breakage | None:
    text = language.lines.get(kind)
    if text is None or len(lines) < _LEAST_LINES:
        return None
    if "require(" in "\n".join(lines):
        # An export would make it another kind of module: no fault of the format alone.
        text = _as_require(text) if "import" in kind else text.removeprefix("export ")
    at = _find_place(language, kind, lines)
    return _make(kind, path, lines, at, text)


def _find_place(language: _Language, kind: str, lines: Sequence[str]) -> int:
    """How many lines come before the new one."""
    if "import" in kind and language.imports is not None:
        return next((at + 1 for at, line in enumerate(lines) if language.imports.match(line)), 0)
    for at, line in enumerate(lines):
        # Behind an empty line there is no comment, decorator or attribute that belongs to the next.
        if at > 5 and language.before.match(line) and not lines[at - 1].strip():
            return at
    return len(lines)


def _as_require(text: str) -> str:
    """An import in the older form of JavaScript."""
    found = re.match(r"import (\{.*\}|\w+) from ('[^']+');", text)
    return f"const {found[1].replace(' as', ':')} = require({found[2]});" if found else text


def _fail_assertion(language: _Language, path: str, lines: Sequence[str]) -> Breakage | None:
    """A statement that fails, beside an assertion that does not.

    What a macro of Rust asserts fails where the macro is used, so files with one are passed over.
    """
    if any("macro_rules!" in line for line in lines):
        return None
    for pattern, text, is_after in language.assertions:
        for at, line in enumerate(lines):
            # The line before must be whole, and so no statement that goes on with this one.
            if pattern.match(line) and (is_after or _ends_statement(lines[at - 1])):
                indent = "" if is_after else line[: len(line) - len(line.lstrip())]
                return _make("assertion", path, lines, at + is_after, indent + text)
    return None


def _ends_statement(line: str) -> bool:
    return not line.strip() or line.rstrip().endswith((";", "{", ":", ")"))


def _make(kind: str, path: str, lines: Sequence[str], at: int, text: str) -> Breakage:
    content = "\n".join([*lines[:at], text, *lines[at:]]) + "\n"
    return Breakage(kind, path, at + 1, content)


def _read(file: Path) -> Sequence[str]:
    try:
        return file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()


def shuffle_path(path: str) -> str:
    return hashlib.sha256(path.encode()).hexdigest()
