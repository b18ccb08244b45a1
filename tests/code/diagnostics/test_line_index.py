"""The lines that hold a literal."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.diagnostics.line_index import LineIndex

_LINES = st.lists(st.text(alphabet="ab ", max_size=6), min_size=1, max_size=8)


@given(_LINES, st.lists(st.text(alphabet="ab ", max_size=3), max_size=3))
def test_lines_are_found_as_if_each_were_looked_at(lines: list[str], literals: list[str]) -> None:
    expected = [at for at, line in enumerate(lines) if any(one in line for one in literals)]
    index = LineIndex(lines)
    assert list(index.find_any(literals)) == expected
    absent = LineIndex(lines)
    absent.absent = {one for one in literals if one not in index.text}
    assert list(absent.find_any(literals)) == expected
