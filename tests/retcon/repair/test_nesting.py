"""The nesting of a whole file is that of each of its lines, and costs no more than the file."""

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from git_retcon.code.symbols import find_block, find_enclosing
from git_retcon.retcon.repair.nesting import Nesting

LINES = st.lists(
    st.builds(
        lambda depth, text: b" " * depth + text,
        st.integers(0, 9),
        st.sampled_from([b"def f():", b"}", b")", b"", b"#if A", b"# note", b"@once", b"x = {"]),
    ).map(lambda line: line + b"\n"),
    min_size=1,
    max_size=20,
)
TABS = [b"class A {\n", b"\tint f() {\n", b"        x();\n", b"\n", b"\t}\n", b"}\n"]


@given(LINES)
@example(TABS)
def test_every_line_has_the_heads_and_the_block_that_it_has_by_itself(lines: list[bytes]) -> None:
    nesting = Nesting(lines)
    for at in range(len(lines)):
        assert nesting.find_enclosing(at) == find_enclosing(lines, at)
        assert nesting.block(at) == nesting.block(at) == find_block(lines, at)


class CountedLines(Sequence[bytes]):
    """Lines that count how often they are read."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines
        self.reads = 0

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        self.reads += 1
        return self._lines[at]


def test_the_lines_of_a_long_class_are_read_once() -> None:
    methods = (line for at in range(500) for line in (b"    def f(self):\n", b"        pass\n"))
    lines = CountedLines([b"class A:\n", *methods])
    nesting = Nesting(lines)
    for at in range(len(lines)):
        assert nesting.find_enclosing(at)[-1:] == ((0,) if at else ())
    assert lines.reads <= len(lines) + 1  # iteration ends with one read too many
