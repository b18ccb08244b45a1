"""What is found in a reading is found where it was written."""

import re

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.model.secrets.readings import (
    Piece,
    Reading,
    make_reading,
    replace_matches,
    select_spans,
)


def drop_stars(text: Reading) -> Reading:
    return replace_matches(text, re.compile(rb"\*").finditer(text.data), lambda _: b"")


def test_a_part_of_a_reading_is_placed_in_the_text() -> None:
    text = Reading(b"one *k*e*y* two")
    reading = drop_stars(text)
    at = reading.data.index(b"key")
    assert reading.find_in_text((at, at + 3)) == (5, 10)


def test_where_nothing_is_replaced_it_is_the_text_itself() -> None:
    text = Reading(b"one key two")
    assert drop_stars(text) is text


def test_an_encoded_part_is_rounded_outward() -> None:
    text = Reading(b"<6b6579>")
    reading = make_reading(text, [Piece(1, 7, b"key")])
    assert reading.find_in_text((1, 2)) == (3, 5)
    longer = make_reading(Reading(b"<a2V5>"), [Piece(1, 5, b"key")])
    assert longer.find_in_text((1, 2)) == (2, 4)


def test_readings_of_readings_are_placed_in_the_first_text() -> None:
    text = Reading(b"..6b6*579..")
    joined = drop_stars(text)
    at = joined.data.index(b"6b")
    decoded = make_reading(joined, [Piece(at, at + 6, b"key")])
    assert decoded.find_in_text((0, 3)) == (2, 9)


def test_only_the_lines_around_a_replacement_are_read_again() -> None:
    far = b"a line without a star\n" * 5000
    reading = drop_stars(Reading(far + b"k*ey\n" + far + b"s*ecret\n" + far))
    assert len(reading.data) < 60_000
    for word in (b"key", b"secret"):
        at = reading.data.index(word)
        start, end = reading.find_in_text((at, at + len(word)))
        assert (far + b"k*ey\n" + far + b"s*ecret\n")[start:end].replace(b"*", b"") == word


def test_selected_parts_are_lines_and_a_search_ends_with_each() -> None:
    reading = select_spans(Reading(b"one two three"), [(0, 3), (8, 13)])
    assert reading.data == b"one\nthree\n"
    assert reading.find_in_text((4, 9)) == (8, 13)


@given(st.lists(st.sampled_from([b"*", b"x", b"\n", b"long line " * 300]), max_size=60), st.data())
def test_each_byte_of_a_reading_is_one_of_the_text(parts: list[bytes], data: st.DataObject) -> None:
    text = b"".join(parts)
    reading = drop_stars(Reading(text))
    if reading.data:
        at = data.draw(st.integers(0, len(reading.data) - 1))
        start, end = reading.find_in_text((at, at + 1))
        assert text[start:end] == reading.data[at : at + 1]
