"""Which definitions a line stands in."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.definitions import indent_of
from git_retcon.code.languages import language_of
from git_retcon.code.outlines import outline


def scopes(path: bytes, text: bytes) -> list[str]:
    lines = text.splitlines(keepends=True)
    shape = outline(lines, language_of(path))
    return [".".join(shape.scope(at)) for at in range(len(lines))]


def test_a_line_stands_in_the_definitions_around_it() -> None:
    text = b"class A:\n    def f(self):\n        if x:\n            y()\n\n    z = 1\nw()\n"
    found = scopes(b"a.py", text)
    assert found == ["A", "A.f", "A.f", "A.f", "A.f", "A", ""]


def test_a_decorator_stands_where_its_function_does() -> None:
    text = (
        b"class A:\n    def f(self):\n        pass\n\n    @cached\n    def g(self):\n        pass\n"
    )
    assert scopes(b"a.py", text)[4] == "A"


def test_a_decorator_of_many_lines_stands_where_its_function_does() -> None:
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
def test_a_line_stands_under_the_nearest_one_that_is_indented_less(
    shape: list[tuple[int, bytes]], chance: Random
) -> None:
    """Whichever line is asked about first."""
    lines = [b"\t" * (width // 2) + b"  " * (width % 2) + text + b"\n" for width, text in shape]
    widths = [indent_of(line) for line in lines]
    found = outline(lines, language_of(b"a.py"))
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
