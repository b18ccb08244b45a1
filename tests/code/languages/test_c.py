"""What is known of C and its family."""

import pytest

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.languages.c import C
from git_retcon.code.languages.known import language_of
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.c", "#define LIMIT 3\nint parse(const char *s)\n    call(s);\n") == [
        *("LIMIT", "parse"),
    ]
    assert imported(b"a.cc", "#include <a.h>\n# import <b.h>\nusing c::d;\nint include;\n") == [
        *(0, 1, 2),
    ]
    assert opened(b"a.c", "char q = '\"'; /* it's\n*/ char s[] = \"\\\"/*\";\n//'\nx\n") == [
        *(True, False, False),
    ]
    assert attached(b"a.cpp", "template <class T>")


@pytest.mark.parametrize("path", [b"a.H", b"a.hpp", b"b.m", b"k.cu", b"m.proto"])
def test_files(path: bytes) -> None:
    assert language_of(path) is C


def test_headers_declare() -> None:
    assert FileClass.DECLARATION in file_classes(b"include/a.hpp")
    assert FileClass.DECLARATION not in file_classes(b"a.cpp")
    assert FileClass.BUILD in file_classes(b"configure.ac")
    assert b".cc" in C.files.header_scoped
