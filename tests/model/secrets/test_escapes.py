"""A text reads the same with what nobody sees left out, and with its escapes decoded."""

import pytest

from git_retcon.model.secrets.escapes import read_clear
from git_retcon.model.secrets.readings import Reading

KEY = "sk-ant-abc123"
UNSEEN = {
    "colour": "\x1b[1;31m",
    "colour, 8 bits": "\x9b31m",
    "as cat -v shows it": "^[[0m",
    "title": "\x1b]0;a title\x07",
    "link": "\x1b]8;;https://example.com\x1b\\",
    "device control": "\x1bPq#0;2\x1b\\",
    "character set": "\x1b(B",
    "save the cursor": "\x1b7",
    "escape alone": "\x1b",
    "unfinished title": "\x1b]",
    "bell": "\x07",
    "null": "\0",
    "delete": "\x7f",
    "overstruck": "x\x08",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "right to left": "\u202e",
    "isolate": "\u2066",
    "variation selector": "\ufe0f",
    "tag": "\U000e0041",
    "struck through": "\u0336",
    "Hangul filler": "\u3164",
    "next line": "\u0085",
}


@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN.keys())
def test_what_nobody_sees_is_left_out(unseen: str) -> None:
    written = f"before {KEY[:5]}{unseen}{KEY[5:]} after\n".encode()
    (reading, *_) = (r for r in read_clear(Reading(written)) if KEY.encode() in r.data)
    at = reading.data.index(KEY.encode())
    start, end = reading.find_in_text((at, at + len(KEY)))
    assert written[start:end] == f"{KEY[:5]}{unseen}{KEY[5:]}".encode()


def test_what_is_seen_stays() -> None:
    text = Reading("tabs\t and\r\nlines, ünïcödé, “quotes” – 日本 🎉 100 % \\n".encode())
    assert list(read_clear(text)) == []


WRITTEN = {
    "hex": "".join(f"\\x{ord(c):02x}" for c in KEY),
    "hex, escaped itself": "".join(f"\\\\x{ord(c):02X}" for c in KEY),
    "unicode": "".join(f"\\u{ord(c):04x}" for c in KEY),
    "unicode, in braces": "".join(f"\\u{{{ord(c):x}}}" for c in KEY),
    "unicode, long": "".join(f"\\U{ord(c):08x}" for c in KEY),
    "percent": "".join(f"%{ord(c):02X}" for c in KEY),
    "octal": "".join(f"\\{ord(c):03o}" for c in KEY),
    "entities": "".join(f"&#{ord(c)};" for c in KEY),
    "entities in hex": "".join(f"&#x{ord(c):x};" for c in KEY),
    "one of them": KEY.replace("-", "\\x2d"),
    "a colour, as a program writes it": KEY[:4] + "\\x1b[31m" + KEY[4:],
    "a colour, as a shell writes it": KEY[:4] + "\\033[0m" + KEY[4:],
    "zero width, as JSON writes it": KEY[:4] + "\\u200b" + KEY[4:],
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN.keys())
def test_written_escapes_are_decoded(written: str) -> None:
    text = f"key = '{written}'\n".encode()
    (reading,) = read_clear(Reading(text))
    at = reading.data.index(KEY.encode())
    start, end = reading.find_in_text((at, at + len(KEY)))
    assert text[start:end].decode() == written


def test_a_number_that_is_no_character_stays() -> None:
    text = Reading(b"&#9999999; \\U7fffffff")
    assert [reading.data for reading in read_clear(text)] == [text.data]


def test_what_a_terminal_takes_for_an_escape_is_text_to_others() -> None:
    readings = [reading.data for reading in read_clear(Reading(b"sk-an\x1bt-ab\x1b7c123"))]
    assert readings == [b"sk-ant-ab7c123", b"sk-an-abc123"]
