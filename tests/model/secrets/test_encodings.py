"""Encoded runs are decoded where they give a text, and placed where they are written."""

import base64
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from git_retcon.model.secrets import encodings
from git_retcon.model.secrets.encodings import decode_runs
from git_retcon.model.secrets.readings import Reading

TEXT = b"a text that is long enough to be read, with a key amid it: k-1234"
KEY = b"k-1234"
ENCODED = {
    "base64": base64.b64encode(TEXT),
    "base64, no padding": base64.b64encode(TEXT).rstrip(b"="),
    "base64 of one byte less": base64.b64encode(TEXT[1:]),
    "base64 of two bytes less": base64.b64encode(TEXT[2:]),
    "base64 of addresses": base64.urlsafe_b64encode(TEXT + b"\xff\xfe?>"),
    "hex": TEXT.hex().encode(),
    "HEX": TEXT.hex().upper().encode(),
    "hex dump": TEXT.hex(" ").encode() + b" ",
    "fingerprint": TEXT.hex(":").encode() + b":",
    "bytes in C": b", ".join(b"0x%02x" % byte for byte in TEXT) + b",",
    "bytes in decimal": b", ".join(b"%d" % byte for byte in TEXT) + b",",
    "UTF-16": TEXT.decode().encode("utf-16-le"),
    "UTF-16, big end first": TEXT.decode().encode("utf-16-be"),
    "UTF-16 in base64": base64.b64encode(TEXT.decode().encode("utf-16-le")),
}


@pytest.mark.parametrize("encoded", ENCODED.values(), ids=ENCODED.keys())
@pytest.mark.parametrize("before", [b"", b"x/", b"abc/"])
def test_a_run_is_decoded(encoded: bytes, before: bytes) -> None:
    written = b"see <" + before + encoded + b"> and more"
    reading = decode_runs(Reading(written))
    if KEY not in reading.data:  # in UTF-16 within it
        reading = decode_runs(reading)
    at = reading.data.index(KEY)
    start, end = reading.find_in_text((at, at + len(KEY)))
    place = written.index(encoded)
    share = len(encoded) / len(TEXT)
    assert place <= start < end <= place + len(encoded)
    if b"decimal" not in written and b"," not in encoded:  # of these, all is one part
        assert end - start <= (len(KEY) + 3) * share + 4


def test_what_gives_no_text_is_left_out() -> None:
    noise = random.Random(1).randbytes(600)
    for written in (base64.b64encode(noise), noise.hex().encode(), b"one/path/of/a/file/in/a/tree"):
        assert decode_runs(Reading(written)).data == b"", written


@pytest.mark.parametrize(
    "number",
    [b"2d ", b"2d:", b"2d,", b"2d;", b"2d\t", b"2d\r\n", b"0x2d ", b"45,", b"9, ", b"9 ,\r\n"],
)
def test_a_list_is_decoded_from_eighteen_numbers_on(number: bytes) -> None:
    sign = b"-" if b"d" in number or b"45" in number else b"\t"
    assert sign * 18 in decode_runs(Reading(b"see <" + number * 18 + b">")).data
    assert decode_runs(Reading(b"see <" + number * 16 + b">")).data == b""


def test_a_long_run_is_decoded_in_parts_that_overlap() -> None:
    written = base64.b64encode(b"filler. " * 60_000 + TEXT + b"filler. " * 60_000)
    reading = decode_runs(Reading(written))
    at = reading.data.index(TEXT)
    start, end = reading.find_in_text((at, at + len(TEXT)))
    assert TEXT in base64.b64decode(written[start // 4 * 4 : -(-end // 4) * 4])


@example(b"abcdefghijk \xc2\0\0")
@given(
    st.lists(
        st.one_of(
            st.sampled_from([b"\0", b"a\0", b"a\0" * 9, b"\0a" * 9, b"abcdefghijk", b"z", b"\xff"]),
            st.sampled_from(["é", "日", "😀"]).map(str.encode),
            st.binary(max_size=3),
        ),
        max_size=60,
    ).map(b"".join)
)
def test_readable_parts_are_those_that_their_pattern_finds(text: bytes) -> None:
    pattern = re.compile(encodings._READABLE)
    assert list(encodings._find_readable(text)) == [
        found.span() for found in pattern.finditer(text)
    ]


READABLE = st.sampled_from([b"a\0" * 9, b"\0a" * 9, b"abcdefghijk", b"\xc3"])
PART = st.lists(READABLE | st.binary(max_size=9), min_size=1, max_size=8).map(b"".join)


@given(st.lists(PART.map(lambda part: part.ljust(-(-len(part) // 3) * 3, b"\0")), max_size=5))
def test_parts_decoded_together_say_what_each_says_alone(contents: list[bytes]) -> None:
    for code, encode in (
        (encodings._BASE64_CODE, base64.b64encode),
        (encodings._HEX_CODE, lambda part: part.hex().encode()),
    ):
        parts = [encode(content) for content in contents]
        alone = [
            (number, first, read)
            for number, part in enumerate(parts)
            for _, first, read in encodings._read_parts([part], code)
        ]
        assert list(encodings._read_parts(parts, code)) == alone
