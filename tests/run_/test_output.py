"""Output is kept whole, or as head and tail that say what is left out; so is a text of it."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.run.output import BoundedOutput, shorten


@given(st.lists(st.binary(max_size=30), max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_bounded_output_is_all_or_head_and_tail(chunks: list[bytes], head: int, tail: int) -> None:
    collected = BoundedOutput(head, tail)
    for chunk in chunks:
        collected.add(chunk)
    whole = b"".join(chunks)
    missing = len(whole) - head - tail
    if missing <= 0:
        assert collected.value() == whole
    else:
        end = whole[len(whole) - tail :]
        assert collected.value() == whole[:head] + b"\n[%d bytes left out]\n" % missing + end


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
