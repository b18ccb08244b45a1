"""The names that Python modules import from one another."""

import pytest

from git_retcon.code.imported_names import ImportedName, find_imported, list_module_paths

TEXT = b"""\
import os
from a.b import c, d as e  # f, g
from . import h
from ..i import (
    j,  # k, l
    m as n,
)
from o import *


def late():
    from .p import q, \\
        r
"""


def test_names_are_found_with_their_modules() -> None:
    assert find_imported(TEXT) == {
        ImportedName(0, "a.b", "c"),
        ImportedName(0, "a.b", "d"),
        ImportedName(1, "", "h"),
        ImportedName(2, "i", "j"),
        ImportedName(2, "i", "m"),
        ImportedName(1, "p", "q"),
        ImportedName(1, "p", "r"),
    }


@pytest.mark.parametrize(
    ("path", "level", "module", "target"),
    [
        ("src/pkg/sub/a.py", 1, "b", "src/pkg/sub/b.py"),
        ("src/pkg/sub/a.py", 1, "", "src/pkg/sub/__init__.py"),
        ("src/pkg/sub/__init__.py", 2, "b.c", "src/pkg/b/c/__init__.py"),
        ("tests/test_a.py", 0, "pkg.b", "pkg/b.py"),
        ("tests/test_a.py", 0, "pkg.b", "src/pkg/b.py"),
        ("tests/test_a.py", 0, "case", "tests/case.py"),
        ("part/tests/test_a.py", 0, "pkg", "part/src/pkg/__init__.py"),
    ],
)
def test_a_module_may_be_at_a_path(path: str, level: int, module: str, target: str) -> None:
    found = list_module_paths(path.encode(), ImportedName(level, module, "x"))
    assert target.encode() in list(found)


def test_dots_beyond_the_repository_are_no_path() -> None:
    assert not list(list_module_paths(b"a.py", ImportedName(2, "b", "x")))
    assert list(list_module_paths(b"a.py", ImportedName(1, "b", "x")))
