"""Output is kept whole, or as head and tail that say what is left out; so is a text of it."""

import re

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.run.output import BoundedOutput, shorten

_LEFT_OUT = re.compile(rb"\[(\d+) bytes left out\]\n")


@given(st.lists(st.binary(max_size=30), max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_bounded_output_is_all_or_head_and_tail(chunks: list[bytes], head: int, tail: int) -> None:
    collected = BoundedOutput(head, tail)
    for chunk in chunks:
        collected.add(chunk)
    whole = b"".join(chunks)
    kept = collected.value()
    if len(whole) <= head + tail:
        assert kept == whole
        return
    first, missing, last = _LEFT_OUT.split(kept, maxsplit=1)
    assert len(first) <= head + 1 and len(last) <= tail
    assert whole.startswith((first, first.removesuffix(b"\n")))
    assert whole.endswith(last)
    assert len(whole) - int(missing) - len(last) in (len(first), len(first) - 1)


def test_what_is_left_out_begins_and_ends_between_lines_else_between_words() -> None:
    lines = BoundedOutput(40, 40)
    lines.add(b"".join(b"line %d\n" % n for n in range(100)))
    assert lines.value().splitlines()[4:7] == [b"line 4", b"[723 bytes left out]", b"line 96"]
    words = BoundedOutput(20, 20)
    words.add(b"one two three four five six seven eight nine ten")
    assert words.value() == b"one two three four \n[15 bytes left out]\neight nine ten"


def test_a_long_text_keeps_whole_lines_of_its_head_and_tail() -> None:
    text = "".join(f"line {n}\n" for n in range(5000))
    shown = shorten(text, 100, 100)
    assert shown.startswith("line 0\nline 1\n") and shown.endswith("line 4998\nline 4999\n")
    first, _, last = shown.partition("characters left out]\n")
    head, _, missing = first.rpartition("[")
    assert int(missing) + len(head) + len(last) == len(text)
    assert head.endswith("\n") and last.startswith("line ")
    assert (len(head) <= 100, len(last) <= 100) == (True, True)


def test_a_short_text_and_one_of_a_single_line() -> None:
    assert shorten("x" * 20, 10, 10) == "x" * 20
    assert shorten("x" * 21, 10, 10) == "x" * 10 + "[1 characters left out]\n" + "x" * 10
