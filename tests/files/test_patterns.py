"""Patterns are read as git reads them; git itself is the judge."""

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.files.patterns import (
    Case,
    PatternLists,
    read_patterns,
    read_protective_patterns,
)
from tests.repository import TestRepository, new_repository


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    return new_repository(tmp_path_factory.mktemp("scratch") / "repo", "--template=")


def ignored_by_git(
    scratch: TestRepository, patterns: Sequence[str], paths: Iterable[bytes], *settings: str
) -> set[bytes]:
    """What git would ignore, were the patterns the only ones there are."""
    exclude = Path(scratch.path / ".git/info/exclude")
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_bytes(b"".join(os.fsencode(f"{pattern}\n") for pattern in patterns))
    done = subprocess.run(
        ["git", "-C", scratch.path, *settings, "check-ignore", "--no-index", "-z", "--stdin"],
        input=b"\0".join(paths) + b"\0",
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.split(b"\0")) - {b""}


def chosen_by_us(patterns: Sequence[str], paths: Iterable[bytes], case: Case) -> set[bytes]:
    found = read_patterns(patterns, case)
    return {path for path in paths if found.matches(path)}


_PIECES = st.sampled_from(
    ["*", "**", "***", "?", "/", "/", "!", "#", "\\", "\\ ", " ", "\t", "a", "b", "A", "1", ".py",
     "é", "\udcff", "-", "^", ",", "**/", "/**", "/**/", "a/", "b*", "\\*", "\\!", "\\#", "\\[",
     "[", "]", "[ab]", "[!a]", "[^b]", "[]]", "[]a]", "[!]]", "[a-c]", "[c-a]", "[a-]", "[-a]",
     "[--1]", "[\\]a]", "[a\\-c]", "[\\a-\\c]", "[[:alpha:]]", "[[:upper:]]", "[![:digit:]a]",
     "[[:bogus:]]", "[[:alpha:]", "[[:alpha]", "[[:]", "[:alpha:]", "[[a]", "[/]", "[!/]", "[.-0]"]
)  # fmt: skip
_PATTERNS = st.lists(st.lists(_PIECES, min_size=1, max_size=6).map("".join), max_size=4)
_NAMES = st.text("abcA1-é .]\\*", min_size=1, max_size=4).map(os.fsencode) | st.sampled_from(
    [b"a", b"b", b"a.py", b"b.py", b"ab", b" ", b"a ", b"\xff", b"a\xff", b"[", b"[a]", b"!a",
     b"#a", b"a*b", b"\t"]
)  # fmt: skip
_PATHS = st.lists(
    st.lists(_NAMES.filter(lambda name: name not in (b".", b"..")), min_size=1, max_size=4).map(
        b"/".join
    ),
    min_size=1,
    max_size=12,
)
# Before 2.53, git took `a**/b` for `a` and then `**/b`, against its own documentation.
_OLD_FAULT = re.compile(r"!?/?[^*?\[\\]*[^*?\[\\/]\*\*")


@pytest.mark.slow
@settings(max_examples=500)
@given(_PATTERNS, _PATHS)
@example(["src/", "!src/keep.py"], [b"src/keep.py", b"src/a", b"a/src/b", b"src"])
@example(["*", "!*/", "!*.py"], [b"a/b.py", b"a.py", b"a/b"])
@example(["a\\\\ "], [b"a\\ ", b"a\\", b"a"])
@example(["a\\ ", "b  "], [b"a ", b"a", b"b", b"b  "])
@example(["/a*/**/b[!c]"], [b"a/bd", b"ax/y/z/b/", b"ax/y/z/b\xff"])
@example(["**/a*b"], [b"a/ab", b"x/aab", b"ab"])
def test_what_is_chosen_is_what_git_ignores(
    scratch: TestRepository, patterns: list[str], paths: list[bytes]
) -> None:
    patterns = [pattern for pattern in patterns if not _OLD_FAULT.match(pattern)]
    theirs = ignored_by_git(scratch, patterns, paths, "-c", "core.ignoreCase=false")
    assert chosen_by_us(patterns, paths, Case.MATTERS) == theirs


@pytest.mark.slow
@settings(max_examples=200)
@given(_PATTERNS, _PATHS)
@example(["[[:upper:]]x", "[A-B].PY", "É"], [b"ax", b"a.py", "é".encode(), b"A.py"])
def test_without_regard_to_case_it_is_what_git_ignores_then(
    scratch: TestRepository, patterns: list[str], paths: list[bytes]
) -> None:
    # git itself keeps the case of a single letter in brackets or behind a backslash
    patterns = [p for p in patterns if not _OLD_FAULT.match(p) and not re.search(r"\\A|\[.*A", p)]
    theirs = ignored_by_git(scratch, patterns, paths, "-c", "core.ignoreCase=true")
    assert chosen_by_us(patterns, paths, Case.IGNORED) == theirs


@given(st.lists(_PATTERNS, max_size=4), _PATHS, st.sampled_from(Case))
@example(
    [["a"], ["/a/b"], ["a/"], ["!a", "a"], ["A"]], [b"a", b"a/b", b"b/a/c", b"A"], Case.MATTERS
)
def test_lists_asked_at_once_match_as_each_does_alone(
    lists: list[list[str]], paths: list[bytes], case: Case
) -> None:
    read = [read_patterns(patterns, case) for patterns in lists]
    together = PatternLists(read)
    for path in paths:
        assert together.find(path) == {at for at, one in enumerate(read) if one.matches(path)}


@given(_PATTERNS, _PATHS)
def test_all_below_a_folder_that_is_held_is_held(patterns: list[str], paths: list[bytes]) -> None:
    chosen = read_patterns(patterns, Case.MATTERS)
    for path in paths:
        assert not chosen.matches(path + b"/") or chosen.matches(path + b"/below")


@pytest.mark.parametrize(
    "name",
    ["alpha", "digit", "alnum", "upper", "lower", "blank", "space", "cntrl", "print", "graph",
     "punct", "xdigit"],
)  # fmt: skip
@pytest.mark.parametrize("sign", ["", "!", "^"])
def test_every_byte_is_in_the_classes_that_git_puts_it_in(
    scratch: TestRepository, name: str, sign: str
) -> None:
    paths = [b"x" + bytes((byte,)) for byte in range(1, 256) if byte != ord("/")]
    pattern = f"x[{sign}[:{name}:]]"
    assert chosen_by_us([pattern], paths, Case.MATTERS) == ignored_by_git(scratch, [pattern], paths)


@pytest.mark.parametrize(
    ("pattern", "path", "is_matched"),
    [
        ("*.md", b"docs/deep/a.md", True),
        ("docs", b"a/docs/b.md", True),
        ("/docs", b"a/docs/b.md", False),
        ("docs/", b"docs", False),
        ("docs/", b"docs/", True),
        ("a/**/b", b"a/b", True),
        ("a/**/b", b"a/x/y/b", True),
        ("foo**/bar", b"foo/x/bar", False),  # asterisks beside a name are one asterisk
        ("foo**/bar", b"foox/bar", True),
        ("foo**/bar", b"foox/y/bar", False),
        ("/a[!b]c", b"a/c", False),  # no class holds the slash
        ("[a-c-e]", b"d", False),  # a range ends there; the second dash is one
        ("[a-c-e]", b"-", True),
        ("[z-a]*.py", b"a.py", False),
        ("[z-a]", b"z", True),  # git reads the first letter before it sees a range
        ("[z-a]", b"m", False),
        ("[[:alpha:]]1.key", b"x1.key", True),
        ("[[:alpha:]]1.key", b":1.key", False),
        ("secret.key ", b"secret.key", True),
        ("secret.key\\ ", b"secret.key ", True),
        ("secret.key\\ ", b"secret.key", False),
        ("[", b"[", False),
        ("a\\", b"a", False),
        ("", b"a", False),
        ("!", b"a", False),
        ("/", b"a", False),
        ("# a", b"# a", False),
        ("\\# a", b"# a", True),
        ("?", "é".encode(), False),  # a byte, as in git
        ("??", "é".encode(), True),
        ("a\nb", b"b", True),  # two lines, as in a file
        ("a\r", b"a", True),
        ("a\0b", b"a", False),
    ],
)
def test_the_rules_by_example(pattern: str, path: bytes, is_matched: bool) -> None:
    assert read_patterns([pattern], Case.MATTERS).matches(path) is is_matched


def test_the_last_match_decides_but_not_below_a_folder_that_matches() -> None:
    chosen = read_patterns(["*.py", "!keep.py", "vendor/", "!vendor/keep.py"], Case.MATTERS)
    assert chosen.matches(b"src/a.py")
    assert not chosen.matches(b"src/keep.py")
    assert chosen.matches(b"vendor/keep.py")


def test_case_matters_where_the_reader_says_so() -> None:
    assert not read_patterns(["*.PY"], Case.MATTERS).matches(b"a.py")
    assert read_patterns(["*.PY", "[B]x", "\\Cx"], Case.IGNORED).matches(b"a.py")
    assert read_patterns(["[B]x"], Case.IGNORED).matches(b"bX")
    assert not read_patterns(["[!B]x"], Case.IGNORED).matches(b"bX")
    assert read_patterns(["\\Cx"], Case.IGNORED).matches(b"cx")


@pytest.mark.parametrize(
    "path",
    ["secret.key", "SECRET.KEY", "a/Secret.Key", "secret.key.", "secret.key ", "secret.key::$DATA",
     "sec\u200dret.key", "\uff53ecret.key", "secret.key/below"],
)  # fmt: skip
def test_a_list_that_protects_knows_every_spelling(path: str) -> None:
    assert read_protective_patterns(["Secret.key"]).matches(path.encode())


@pytest.mark.parametrize("pattern", ["größe/*.pem", "GRÖSSE/*.PEM", "gro\u0308ße/*.pem"])
def test_a_list_that_protects_knows_every_composition(pattern: str) -> None:
    for path in ("größe/a.pem", "GRÖSSE/a.pem", "gro\u0308ße/a.pem", "GRO\u0308SSE/A.PEM"):
        assert read_protective_patterns([pattern]).matches(path.encode())


def test_a_list_that_protects_may_take_names_out_again() -> None:
    protected = read_protective_patterns(["*.key", "!Public.key"])
    assert protected.matches(b"private.KEY")
    assert not protected.matches(b"PUBLIC.key")
    assert not read_protective_patterns([]).matches(b"a")


@given(_PATTERNS, _PATHS)
def test_a_list_that_protects_holds_at_least_what_git_would_ignore(
    scratch: TestRepository, patterns: list[str], paths: list[bytes]
) -> None:
    patterns = [p for p in patterns if not _OLD_FAULT.match(p) and not re.search(r"\\A|\[.*A", p)]
    protected = read_protective_patterns(patterns)
    held = {path for path in paths if protected.matches(path)}
    assert held >= ignored_by_git(scratch, patterns, paths, "-c", "core.ignoreCase=true")


def test_a_hostile_pattern_is_decided_at_all() -> None:
    for pattern in ("*a" * 30 + "b", "**/a*a*a*a*/" * 20 + "b", "**/" * 40 + "b"):
        assert not read_patterns([pattern], Case.MATTERS).matches(b"/".join([b"a" * 200] * 20))
    # with exponential steps this would never end
