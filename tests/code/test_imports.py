"""Which lines only bring names in."""

import pytest

from git_retcon.code.imports import find_import_lines
from git_retcon.code.languages.known import language_of
from git_retcon.code.lexer import scan_lines


def imports(path: bytes, text: bytes) -> set[int]:
    language, lines = language_of(path), text.splitlines(keepends=True)
    return set(find_import_lines(lines, scan_lines(lines, language), language))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (b"a.py", b"import os\nfrom a import (\n    b,\n    c,\n)\nx = 1\n", {0, 1, 2, 3, 4}),
        (b"a.py", b'"""\nimport os\n"""\n', set()),
        (b"a.rs", b"use a::{\n    b,\n};\nmod tests {\n    fn f() {}\n}\n", {0, 1, 2}),
        (b"a.go", b'import (\n\t"fmt"\n\tx "net/http"\n)\nvar a = "b"\n', {0, 1, 2, 3}),
        (b"a.js", b"import {\n  a,\n} from 'b'\nconst c = require('c')\nf()\n", {0, 1, 2, 3}),
        (b"a.c", b"#include <a.h>\nint include;\n", {0}),
        (b"a.java", b"import static a.B.c;\nclass D {}\n", {0}),
        (b"a.md", b"import os\n", set()),
    ],
)
def test_import_statements_are_known_to_their_last_line(
    path: bytes, text: bytes, expected: set[int]
) -> None:
    assert imports(path, text) == expected


def test_an_import_that_never_closes_does_not_take_the_file() -> None:
    text = b"from a import (\n" + b"x = 1\n" * 1000
    assert len(imports(b"a.py", text)) <= 200
