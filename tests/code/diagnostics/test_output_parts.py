"""Cutting output into parts: every line is there, whole or its first 64 KiB."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.diagnostics.output_parts import LONGEST_LINE, split_parts

_PIECES = st.sampled_from(
    [b"a", b"\n", b"\r", b"\r\n", b"b" * LONGEST_LINE, b"c" * (LONGEST_LINE - 1), b"d" * 70_000]
)


def _cut(output: bytes) -> bytes:
    lines = output.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\n".join(line[:LONGEST_LINE] for line in lines)


@given(st.lists(_PIECES, max_size=12), st.integers(1, 100_000))
def test_every_line_is_there_up_to_64_kib(pieces: list[bytes], size: int) -> None:
    output = b"".join(pieces)

    def chunks() -> Iterator[bytes]:
        step = max(size, len(output) // 50)
        for at in range(0, len(output), step):
            yield output[at : at + step]

    assert b"".join(split_parts(chunks())) == _cut(output)


def test_parts_end_with_lines() -> None:
    parts = list(split_parts([b"one\ntw", b"o\nthree"]))
    assert parts == [b"one\n", b"two\n", b"three"]
