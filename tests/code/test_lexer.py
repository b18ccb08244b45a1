"""What the scan says of open strings, comments and brackets."""

import pytest

from git_retcon.code.languages.known import language_of
from git_retcon.code.lexer import scan_lines


def states(path: bytes, text: bytes) -> list[tuple[int, bool]]:
    """Depth and openness at the start of each line and at the end."""
    found = scan_lines(text.splitlines(keepends=True), language_of(path))
    return list(zip(found.depth, found.is_open, strict=True))


def test_brackets_are_counted_outside_strings_and_comments() -> None:
    text = b"f(')', # (\n  x)\ny\n"
    assert states(b"a.py", text) == [(0, False), (1, False), (0, False), (0, False)]


def test_a_triple_quoted_string_stays_open_over_lines() -> None:
    text = b'x = """ (\n" \' {\n"""\ny = 1\n'
    assert states(b"a.py", text) == [(0, False), (0, True), (0, True), (0, False), (0, False)]


def test_a_single_quote_never_reaches_the_next_line() -> None:
    assert states(b"a.js", b"it = 'open\n(\n")[1:] == [(0, False), (1, False)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (b"a.rs", b"fn f<'a>(x: &'a str) -> char { '{' }\nlet y = '\"';\n"),
        (b"a.c", b"char c = '\"';\nchar d = '\\'';\n"),
        (b"a.sh", b"echo ${#x} # it's\ncase x in\na) echo ;;\n"),
        (b"a.go", b"x := '`'\ny := \"`\"\n"),
    ],
)
def test_what_only_looks_like_a_string_opens_nothing(path: bytes, text: bytes) -> None:
    assert set(states(path, text)) == {(0, False)}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (b"a.c", b"/* a\nb */\nx\n"),
        (b"a.go", b"x := `a\nb`\ny\n"),
        (b"a.rs", b'let s = r#"a "\nb"#;\ny\n'),
        (b"a.js", b"s = `a\nb`\ny\n"),
        (b"a.java", b'String s = """\nb""";\ny\n'),
        (b"a.sh", b"s='a\nb'\ny\n"),
        (b"a.sh", b"cat <<EOF\nEOF\ny\n"),
        (b"a.py", b"x = 1 + \\\n  2\ny\n"),
    ],
)
def test_what_runs_over_lines_is_open_until_it_ends(path: bytes, text: bytes) -> None:
    assert [is_open for _, is_open in states(path, text)] == [False, True, False, False]


def test_a_here_document_is_open_to_its_word() -> None:
    found = states(b"a.sh", b"cat <<-'END' {\n it's {\n\tEND\nx\n")
    assert [is_open for _, is_open in found] == [False, True, True, False, False]


def test_prose_is_never_open() -> None:
    assert set(states(b"a.md", b"it's (\n\"quoted\n```\n")) == {(0, False)}


def test_bytes_that_are_no_text_are_scanned_too() -> None:
    assert states(b"a.py", b"x = '\xff\xfe' (\n\x80)\n") == [(0, False), (1, False), (0, False)]
