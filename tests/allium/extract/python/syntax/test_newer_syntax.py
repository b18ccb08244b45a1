"""Files in newer Python than the one that runs."""

import ast

import pytest

from git_retcon.allium.extract.python.syntax.newer_syntax import parse_python


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("def first[T](items: list[T]) -> T:\n    return items[0]\n",
         "def first(items: list[T]) -> T:\n    return items[0]\n"),
        ("class Box[T: (str, bytes), *Ts, **P](Base[T]):\n    pass\n",
         "class Box(Base[T]):\n    pass\n"),
        ("class Box[T = dict[str, list[int]]]:\n    pass\n", "class Box:\n    pass\n"),
        ("type Pair[T] = tuple[T, T]\n", "Pair = tuple[T, T]\n"),
        ("try:\n    f()\nexcept KeyError, ValueError:\n    pass\n",
         "try:\n    f()\nexcept (KeyError, ValueError):\n    pass\n"),
    ],
    ids=["function", "class", "default", "alias", "exceptions"],
)  # fmt: skip
def test_they_are_read_as_what_they_mean(newer: str, older: str) -> None:
    try:
        expected = ast.dump(ast.parse(newer))
    except SyntaxError:
        expected = ast.dump(ast.parse(older))
    assert ast.dump(parse_python(newer.encode()).tree) == expected


def test_lines_stay_where_they_are() -> None:
    tree = parse_python(b"type A = int\ntry:\n    pass\nexcept A, B:\n    pass\nlast = 1\n").tree
    assert tree.body[-1].lineno == 6


@pytest.mark.parametrize("text", ["def pay((:\n", "type = (\n", "except A, B:\n"])
def test_what_no_python_can_read_stays_an_error(text: str) -> None:
    with pytest.raises(SyntaxError):
        parse_python(text.encode())
