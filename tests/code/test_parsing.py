"""What can be told of a text without its compiler."""

import pytest

from git_retcon.code.languages.known import language_of
from git_retcon.code.parsing import can_judge, is_whole


@pytest.mark.parametrize(
    ("path", "text", "whole"),
    [
        (b"a.py", b"def f():\n    return 1\n", True),
        (b"a.py", b"def f():\nreturn 1\n", False),
        (b"a.py", b"return 1\n", False),
        (b"a.py", b"x = '\\d'\n", True),
        (b"a.py", b"\x00", False),
        (b"a.py", b"(" * 2000 + b")" * 2000, False),
        (b"a.go", b"func f() {\n}\n", True),
        (b"a.go", b"func f() {\n", False),
        (b"a.go", b"}\nfunc f() {\n", False),
        (b"a.rs", b"(a) => ({\n  b(')')\n})\n", True),
        (b"a.rs", b"(a) => {{\n  b\n})\n", False),
    ],
)
def test_a_text_is_whole_or_not(
    path: bytes, text: bytes, whole: bool, recwarn: pytest.WarningsRecorder
) -> None:
    assert is_whole(text.splitlines(keepends=True), language_of(path)) is whole
    assert not recwarn.list


def test_nothing_is_said_of_prose() -> None:
    assert not can_judge(language_of(b"README.md"))
    assert can_judge(language_of(b"a.rs"))
