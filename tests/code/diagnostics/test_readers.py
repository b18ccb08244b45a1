"""All readers: each has hints, a name of its own, and takes lines in linear time."""

import pytest

from git_retcon.code.diagnostics.readers import READERS, Reader
from tests.timing import cpu_ratio

_REPEATED = (
    *(
        "a",
        " ",
        "'",
        "a.",
        "::",
        "((",
        "/a/b",
        "a.py:1:",
        "error: ",
        "at (",
        "E   x ",
        "--- FAIL: ",
    ),
    *("● a ", " ❯ ", "[ERROR] ", "1:1 error ", "not ok ", "│ ", '{"', "a.ts(1,1): "),
)


def test_names_and_hints() -> None:
    names = [reader.name for reader in READERS]
    assert len(set(names)) == len(names)
    assert all(reader.hints for reader in READERS)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_longer_line_costs_at_most_the_square_of_its_length(reader: Reader) -> None:
    """Lines are cut at a thousand characters, so this bounds what a line can cost."""

    def read(size: int) -> None:
        texts = [(repeated * size)[:size] for repeated in _REPEATED]
        starts = ("", "    ", "a.py:1:1: ", "FAILED ", "a.ts(1,1): ", "E   ", "error: ")
        list(reader.read([start + text for text in texts for start in starts]))

    assert cpu_ratio(lambda: read(60), lambda: read(960)) < 1.6 * 16**2


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_sixteen_times_the_lines_cost_at_most_forty_times_the_time(reader: Reader) -> None:
    lines = [f"{text}{n}" for n in range(40) for text in _REPEATED]
    assert cpu_ratio(lambda: list(reader.read(lines)), lambda: list(reader.read(lines * 16))) < 40
