"""Which definitions a line is in."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.definitions import indent_of
from git_retcon.code.languages.known import language_of
from git_retcon.code.outlines import read_outline


def scopes(path: bytes, text: bytes) -> list[str]:
    lines = text.splitlines(keepends=True)
    shape = read_outline(lines, language_of(path))
    return [".".join(shape.scope(at)) for at in range(len(lines))]


def test_a_line_is_in_the_definitions_around_it() -> None:
    text = b"class A:\n    def f(self):\n        if x:\n            y()\n\n    z = 1\nw()\n"
    found = scopes(b"a.py", text)
    assert found == ["A", "A.f", "A.f", "A.f", "A.f", "A", ""]


def test_a_decorator_is_where_its_function_is() -> None:
    text = (
        b"class A:\n    def f(self):\n        pass\n\n    @cached\n    def g(self):\n        pass\n"
    )
    assert scopes(b"a.py", text)[4] == "A"


def test_a_decorator_of_many_lines_is_where_its_function_is() -> None:
    decorator = b'@mark.parametrize(\n    ("a", "b"),\n    [\n        (1, 2),\n    ],\n)\n'
    text = b"def f():\n    pass\n\n\n" + decorator + b"def g(a, b):\n    pass\n"
    assert scopes(b"a.py", text)[4:] == [""] * 6 + ["g", "g"]


def test_a_decorator_never_closed_ends_at_the_next_definition() -> None:
    text = b'@mark("(")\ndef f():\n    pass\n'
    assert scopes(b"a.py", text) == ["", "f", "f"]


def test_a_brace_on_its_own_line_changes_nothing() -> None:
    text = b"int f(int x)\n{\n    return x;\n}\n\nint g;\n"
    assert scopes(b"a.c", text)[2] == "f"
    assert scopes(b"a.c", text)[5] == ""


def test_headings_are_the_definitions_of_prose() -> None:
    markdown = b"# One\ntext\n## Two\ntext\n# Three\n```\n# no heading\n```\n"
    assert scopes(b"a.md", markdown) == [
        "One", "One", "One.Two", "One.Two", "Three", "Three", "Three", "Three",
    ]  # fmt: skip
    rst = b"One\n===\ntext\n\nTwo\n---\ntext\n"
    assert scopes(b"a.rst", rst)[2] == "One"
    assert scopes(b"a.rst", rst)[6] == "One.Two"


def test_keys_stand_under_their_table() -> None:
    assert scopes(b"a.toml", b"[a]\nx = 1\n[b]\ny = 2\n") == ["a", "a.x", "b", "b.y"]


def test_what_is_no_longer_open_is_not_above() -> None:
    text = b"def f():\n    x()\n\n# about g\ndef g():\n    # about y\n    y()\n# the end\n"
    assert scopes(b"a.py", text) == ["f", "f", "f", "", "g", "g", "g", "g"]


INDENTED = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([b"x = 1", b"if y:", b"def f():", b"# say", b""])),
    max_size=30,
)


@given(INDENTED, st.randoms(use_true_random=False))
def test_a_line_is_under_the_nearest_one_that_is_indented_less(
    shape: list[tuple[int, bytes]], chance: Random
) -> None:
    """Whichever line is asked about first."""
    lines = [b"\t" * (width // 2) + b"  " * (width % 2) + text + b"\n" for width, text in shape]
    widths = [indent_of(line) for line in lines]
    found = read_outline(lines, language_of(b"a.py"))
    above = {at: found.above(at) for at in chance.sample(range(len(lines)), len(lines))}
    ordinary = [at for at, (_, text) in enumerate(shape) if text and text != b"# say"]
    for at, (_, text) in enumerate(shape):
        before = [one for one in ordinary if one < at]
        following = next((one for one in ordinary if one > at), None)
        if at in ordinary:
            before = [one for one in before if widths[one] < widths[at]]
        elif text and following is not None and widths[following] == widths[at]:
            before = [above[following]]
        assert above[at] == max(before, default=-1)


class Counted(list[bytes]):
    """Lines that know how often they were looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("order", ["down", "up", "anyhow"])
@pytest.mark.parametrize(
    ("path", "line"),
    [
        (b"a.py", b"    x = 1\n"),
        (b"a.py", b"# say\n"),
        (b"a.py", b"    def f():\n        pass\n"),
        (b"a.yaml", b"  - x\n"),
        (b"a.c", b"}\n"),
        (b"a.toml", b"  x = 1\n"),
        (b"a.py", b"\n# say\n"),
    ],
)
def test_every_line_is_looked_at_a_few_times_only(path: bytes, line: bytes, order: str) -> None:
    """For any number of questions, in any order."""
    lines = Counted((b"class A:\n" + line * 2_000).splitlines(keepends=True))
    asked = list(range(len(lines)))
    if order == "anyhow":
        Random(1).shuffle(asked)
    elif order == "up":
        asked.reverse()
    found = read_outline(lines, language_of(path))
    for at in asked:
        found.above(at)
    assert lines.looks < 30 * len(lines)


def test_a_decorator_defines_nothing() -> None:
    text = b"@f(\n    name=g,\n)\ndef h():\n    pass\n"
    found = read_outline(text.splitlines(keepends=True), language_of(b"a.py"))
    assert [bool(found.names(at)) for at in range(5)] == [False, False, False, True, False]


def test_brackets_left_open_after_an_at_sign_are_no_decorator_in_c() -> None:
    text = b"int f() {\n  @x(\n  y();\n}\nint g;\n"
    assert scopes(b"a.c", text) == ["f", "f", "f", "f", ""]
