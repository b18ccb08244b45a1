"""Tokens keep every byte, and their kinds are those of the language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.language.tokens import decode_text, make_tokens


def texts(text: str) -> list[str]:
    return [f"{token.kind} {token.text}" for token in make_tokens(text.encode())]


@given(st.binary() | st.text(alphabet='a1_-"`\\.{=>\n\r\t é').map(str.encode))
def test_joining_the_tokens_of_any_bytes_gives_the_bytes(data: bytes) -> None:
    tokens = make_tokens(data)
    assert "".join(token.text for token in tokens).encode("latin-1") == data
    assert [token.start for token in tokens] == [
        sum(len(token.text) for token in tokens[:index]) for index in range(len(tokens))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_1 B", ["word a_1", "space  ", "word B"]),
        ("a--b\nc", ["word a", "comment --b", "newline \n", "word c"]),
        ('"a--b"', ['string "a--b"']),
        (r'"a\"b"', [r'string "a\"b"']),
        ('"open\nx', ['error "open', "newline \n", "word x"]),
        ('"end\\', ['error "end\\']),
        ('"a\\\nb"', ['error "a\\', "newline \n", "word b", 'error "']),
        ("`de-CH`", ["quoted `de-CH`"]),
        ("`open\nx", ["error `open", "newline \n", "word x"]),
        ("24.hours", ["duration 24.hours"]),
        ("3.5.minutes", ["duration 3.5.minutes"]),
        ("1.day", ["duration 1.day"]),
        ("42.count", ["number 42", "mark .", "word count"]),
        ("1.days_left", ["number 1", "mark .", "word days_left"]),
        ("100_000", ["number 100_000"]),
        ("3.14", ["number 3.14"]),
        ("a=>b", ["word a", "mark =>", "word b"]),
        ("a>=b", ["word a", "mark >=", "word b"]),
        ("a??b?.c?", ["word a", "mark ??", "word b", "mark ?.", "word c", "mark ?"]),
        ("a->b-c", ["word a", "mark ->", "word b", "mark -", "word c"]),
        ("a!b", ["word a", "error !", "word b"]),
        ("a!=b", ["word a", "mark !=", "word b"]),
        ("a#$%b", ["word a", "error #$%", "word b"]),
        ("a\r\nb", ["word a", "space \r", "newline \n", "word b"]),
        ("-- x\r\n", ["comment -- x\r", "newline \n"]),
    ],
)
def test_the_kinds_of_tokens(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_byte_order_mark_is_an_error() -> None:
    assert make_tokens(b"\xef\xbb\xbfuse")[0].kind == "error"


def test_offsets_are_bytes_and_texts_are_shown_as_utf_8() -> None:
    (word, _, comment) = make_tokens("a -- été".encode())
    assert (word.start, comment.start, len(comment.text)) == (0, 2, 8)
    assert decode_text(comment.text) == "-- été"
    assert decode_text("\xff") == "\ufffd"
