"""What is known of Java and what is read like it."""

import pytest

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_subject
from git_retcon.code.languages.java import JAVA
from git_retcon.code.languages.known import language_of
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(
        b"A.java", "class A {\n  public List<String> names(int a) {\n    call(a);\n"
    ) == [
        *("A", "names"),
    ]
    assert defined(b"A.kt", "suspend fun load() {\ndata class B(\n") == ["load", "B"]
    assert imported(b"A.java", "import static a.B.c;\nimport a.*;\nclass D {}\n") == [0, 1]
    assert opened(b"A.java", 'var a = """\n"\n""";\n/**\n*/\n') == [True, True, False, True]
    assert attached(b"A.java", "  @Override")


@pytest.mark.parametrize("path", [b"a.kts", b"a.scala", b"build.gradle", b"A.cs", b"a.swift"])
def test_files_of_the_family(path: bytes) -> None:
    assert language_of(path) is JAVA


def test_tests_and_builds() -> None:
    assert FileClass.TEST in file_classes(b"src/CartTests.java")
    assert FileClass.TEST not in file_classes(b"src/Contest.rb")
    assert FileClass.BUILD in file_classes(b"app.csproj")
    assert find_subject(b"CartIT.java") == b"cart"
    assert b".kt" in JAVA.files.folder_scoped
