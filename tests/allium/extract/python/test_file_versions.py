"""Versions of a Python file: those that differ in prose alone are read once."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.extract.python.file_versions import read_python, strip_prose
from git_retcon.allium.extract.python.syntax.newer_syntax import parse_python
from tests.allium.extract.declared import ORDER

LONG = "It is told here at such length that no word of it is a state."
SOURCE = '''"""{long}"""

{comment}
class Order:
    """{long}

    And more of it.
    """

    def pay(self):
        """Pay."""
{comment}
        self.state = "paid"
'''


def _strip(text: str) -> bytes:
    return strip_prose(parse_python(text.encode())).text


def test_comments_and_long_docstrings_are_left_out() -> None:
    text = SOURCE.format(long=LONG, comment="        # later")
    assert _strip(text).decode().split("\n") == [
        "", '""', "", "class Order:", '""', "", "    def pay(self):", '        "Pay."', "",
        '        self.state = "paid"',
    ]  # fmt: skip
    other = SOURCE.format(long=f"{LONG} Again.", comment="# one\n\n    # two")
    assert _strip(other) == _strip(text)


def test_a_docstring_that_is_left_out_is_empty_in_the_tree() -> None:
    parsed = parse_python(SOURCE.format(long=LONG, comment="").encode())
    strip_prose(parsed)
    assert LONG not in ast.unparse(parsed.tree)
    assert "Pay." in ast.unparse(parsed.tree)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A = 1\nB = 2\n", "A = 1\n\nB = 2\n"),  # what follows at once may be of one group
        ('A = """\n# a\n"""\n', 'A = """\n# b\n"""\n'),
        ("A = '''\n\n'''\n", "A = '''\n\n\n'''\n"),
        ('A = "\\\n# a"\n', 'A = "\\\n# b"\n'),
        ("def f():\n    'open'\n", "def f():\n    'shut'\n"),
        (f"def f(): '{LONG}'; a()\n", f"def f(): '{LONG}'; b()\n"),
        ('def f():\n    """ " + f() + " """\n', 'def f():\n    " " + f() + " "\n'),
        ("# coding: latin-1\nA = 1\n", "# coding: utf-8\nA = 1\n"),
        ("# a\n# coding: latin-1\nA = 1\n", "# a\nA = 1\n"),
    ],
)
def test_what_may_mean_something_else_stays(one: str, other: str) -> None:
    assert _strip(one) != _strip(other)


_LINES = st.sampled_from(
    [
        "A = 1",
        "",
        "# a comment",
        "  # another",
        "B = 'x'",
        "C = '''",
        "'''",
        "D = (1,",
        ")",
        f"'{LONG}'",
    ]
)


@given(st.lists(_LINES, max_size=12))
def test_what_is_left_is_the_same_code(lines: list[str]) -> None:
    text = "\n".join([*lines, ""])
    try:
        parsed = parse_python(text.encode())
    except (SyntaxError, ValueError):
        return
    code = strip_prose(parsed).text
    assert ast.dump(ast.parse(code)) == ast.dump(parsed.tree)


def test_what_differs_in_comments_alone_is_the_same() -> None:
    known = read_python(b"shop/order.py", ORDER.encode())
    assert known is not None
    assert read_python(b"shop/order.py", f"# An order.\n{ORDER}".encode()) is known


def test_what_differs_in_code_is_read_again() -> None:
    known = read_python(b"shop/order.py", ORDER.encode())
    more = read_python(b"shop/order.py", f"{ORDER}\nclass Cart:\n    id: int\n".encode())
    assert more != known


def test_a_file_at_another_path_says_where_it_is() -> None:
    known = read_python(b"shop/order.py", ORDER.encode())
    other = read_python(b"shop/orders.py", ORDER.encode())
    assert known is not None
    assert other is not None
    assert (known.path, other.path) == (b"shop/order.py", b"shop/orders.py")
