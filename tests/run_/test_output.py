"""Output is kept whole, or as head and tail that say what is left out."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.run.output import BoundedOutput


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
