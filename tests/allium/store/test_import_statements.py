"""The import statements of a Python file, as its parser finds them."""

import ast
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.store.import_statements import UnclearSource, list_imports

# What a file is made of here: code that hides an import, and code that does not.
_LINES = st.sampled_from(
    [
        "import a, b.c as d",
        "from . import e",
        "from ..x.y import (f,  # not )\n    g as h,\n)",
        "from k \\\n    import l",
        "x = 'import no'; import m",
        "if x: from n import *",
        "# import no",
        '"""\nimport no\n"""',
        "'''a \\''' import no '''",
        'y = r"\\\\" + "import no"',
        "z = 'it\\'s'",
        "import_x = important = 1",
        "w = f'{import_x}'",
        "def f():\n    import deep",
        "try: import o\nexcept ImportError: pass",
        "",
    ]
)


def parse_imports(content: bytes) -> list[str]:
    """What Python's own parser says, in the order of the file."""
    found = [
        node
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return [
        ast.dump(each) for each in sorted(found, key=lambda each: (each.lineno, each.col_offset))
    ]


@given(st.lists(_LINES, max_size=8))
def test_the_imports_are_those_that_the_parser_finds(lines: list[str]) -> None:
    content = "\n".join(lines).encode()
    assert [ast.dump(each) for each in list_imports(content)] == parse_imports(content)


@pytest.mark.parametrize("folder", ["json", "email", "asyncio"])
def test_the_imports_of_the_standard_library(folder: str) -> None:
    for file in sorted(Path(sysconfig.get_path("stdlib"), folder).glob("*.py")):
        content = file.read_bytes()
        assert [ast.dump(each) for each in list_imports(content)] == parse_imports(content)


@pytest.mark.parametrize(
    "source",
    [
        "x = 'open\nimport a",
        "é_import = 1\nfrom ä import b",
        "a.import b",
        "from a import",
        "import",
    ],
)
def test_what_only_a_parser_of_the_whole_can_tell_is_said_to_be_so(source: str) -> None:
    with pytest.raises(UnclearSource):
        list(list_imports(source.encode()))


def test_one_line_of_many_imports_is_read_once() -> None:
    assert len(list(list_imports(b"import a;" * 20_000))) == 20_000


def test_a_statement_that_begins_far_before_is_left_to_the_parser() -> None:
    with pytest.raises(UnclearSource):
        list(list_imports(b"x = 1\nfrom a" + b" " * 2_000 + b"import b"))
