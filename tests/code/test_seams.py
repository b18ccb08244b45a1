"""Where text may be cut: between statements, never inside one."""

import ast

from git_retcon.code.seams import find_seams, keeps_commas
from git_retcon.code.versions import Version, read_version


def _read(path: bytes, text: str) -> Version:
    return read_version(path, text.encode().splitlines(keepends=True))


def _find(path: bytes, text: str, start: int = 0) -> list[int]:
    version = _read(path, text)
    return sorted(find_seams(version, start, len(version.lines)))


PYTHON = '''\
import os

A = [
    1,
]


# About run.
@cached
def run(a):
    """Text

x = 1
    """
    if a:
        go()
    else:
        stop()
    return a


def end():
    pass
'''


def test_statements_of_python_are_cut_apart_and_every_part_parses() -> None:
    lines = PYTHON.splitlines(keepends=True)
    seams = _find(b"a.py", PYTHON)
    begins = [lines[at] for at in seams if at < len(lines)]
    assert begins == [
        "A = [\n", "# About run.\n", "    if a:\n", "    return a\n", "def end():\n",
    ]  # fmt: skip
    top = [at for at in seams if at == len(lines) or not lines[at].startswith(" ")]
    for start, stop in zip([0, *top], top, strict=False):
        ast.parse("".join(lines[start:stop]))


def test_a_run_that_begins_inside_a_string_is_not_cut() -> None:
    assert _find(b"a.py", PYTHON, start=12) == []


def test_a_run_that_does_not_close_its_bracket_has_no_seam_at_its_end() -> None:
    assert _find(b"a.py", "a = 1\nb = [\n    2,\n") == [1]


def test_the_rest_of_a_block_without_its_head_is_no_part() -> None:
    assert _find(b"a.py", "if a:\n    b()\n    c()\n") == [3]
    assert _find(b"a.py", "def f():\n    b()\n    c()\n") == [2, 3]


def test_a_row_of_a_table_in_c_begins_with_a_brace_and_a_body_does_too() -> None:
    assert _find(b"a.c", "int a(void)\n{\n}\nint b;\n") == [3, 4]
    assert _find(b"a.c", "{1, 2},\n{3, 4},\n") == [1, 2]


def test_from_if_to_endif_is_one_part_but_not_a_whole_header() -> None:
    assert _find(b"a.c", "int a;\n#if X\nint b;\n#endif\nint c;\n") == [1, 4, 5]
    guarded = "#ifndef A_H\n#define A_H\nint a;\nint b;\n#endif\n"
    assert 3 in _find(b"a.h", guarded)


def test_a_comma_stays_with_what_follows_it() -> None:
    old, new = _read(b"a.json", "[\n1\n]\n"), _read(b"a.json", "[\n1,\n2\n]\n")
    assert not keeps_commas(old, new, (2, 2))
    assert keeps_commas(old, new, (1, 1))
    assert keeps_commas(old, new, (0, 0))  # outside of brackets
