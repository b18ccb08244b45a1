"""What a path says about a file."""

import pytest

from git_retcon.code.file_classes import FileClass, file_classes


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        (b"tests/test_a.py", {FileClass.TEST, FileClass.CODE}),
        (b"src/app.py", {FileClass.CODE}),
        (b"pkg/x_test.go", {FileClass.TEST, FileClass.CODE}),
        (b"CHANGES.rst", {FileClass.LOG, FileClass.DOC}),
        (b"shop/release.py", {FileClass.CODE}),
        (b"src/changes/historyService.ts", {FileClass.CODE}),
        (b"include/a.h", {FileClass.DECLARATION, FileClass.CODE}),
        (b"package-lock.json", {FileClass.CONF}),
        (b"x/app.min.js", {FileClass.GENERATED, FileClass.CODE}),
        (b"pyproject.toml", {FileClass.BUILD, FileClass.CONF}),
        (b"assets/logo.png", set()),
    ],
)
def test_a_path_says_what_a_file_is_for(path: bytes, kinds: set[FileClass]) -> None:
    assert file_classes(path) == kinds
