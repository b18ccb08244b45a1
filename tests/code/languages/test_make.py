"""What is known of makefiles."""

import pytest

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.make import MAKE
from tests.code.languages.reading import attached, defined


@pytest.mark.parametrize("path", [b"Makefile", b"a/GNUmakefile", b"CMakeLists.txt", b"rules.mk"])
def test_files(path: bytes) -> None:
    assert language_of(path) is MAKE
    if path != b"a/GNUmakefile":
        assert FileClass.BUILD in file_classes(path)


def test_lines() -> None:
    assert defined(b"Makefile", "CFLAGS = -O2\nall: a.o\n") == ["CFLAGS"]
    assert attached(b"Makefile", "# why")
    assert not attached(b"Makefile", "\t# of the recipe")
