"""A test of Go is in the file of its own package, not in one of the same name elsewhere."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.run.places import Tree, place_diagnostics

# What go test prints of the package below; it names the file alone.
OUTPUT = b"""\
ok  \texample.com/xid\t0.01s
--- FAIL: TestValue (0.00s)
    id_test.go:2: got 1, want 2
FAIL
FAIL\t%s\t0.034s
"""


def find_path(package: bytes, files: dict[bytes, bytes], folder: bytes = b"") -> bytes | None:
    tree = Tree(frozenset(files), files.__getitem__, (b"/work/tree",), folder)
    found = place_diagnostics(extract_complaints(OUTPUT % package), tree)
    return next(each.path for each in found if each.path)


ROOT = {b"go.mod": b"// ours\nmodule example.com/xid // v1\n\ngo 1.16\n"}
TEST = b"package xid\n\n\n"


@pytest.mark.parametrize(
    ("package", "path"),
    [
        (b"example.com/xid", b"id_test.go"),
        (b"example.com/xid/b", b"b/id_test.go"),
        (b"example.com/xid/b/xid", b"b/xid/id_test.go"),
    ],
)
def test_files_of_one_name_are_told_apart_by_their_packages(package: bytes, path: bytes) -> None:
    names = (b"id_test.go", b"b/id_test.go", b"b/xid/id_test.go", b"xid/id_test.go")
    assert find_path(package, ROOT | dict.fromkeys(names, TEST)) == path


def test_a_module_in_a_folder_has_the_packages_that_are_named_as_it() -> None:
    files = {b"v2/go.mod": b'module "example.com/xid/v2"\n', **ROOT}
    files |= dict.fromkeys((b"id_test.go", b"v2/id_test.go", b"v2/c/id_test.go"), TEST)
    assert find_path(b"example.com/xid/v2", files) == b"v2/id_test.go"
    assert find_path(b"example.com/xid/v2/c", files, b"v2") == b"v2/c/id_test.go"


def test_a_name_that_only_begins_alike_is_another_module_s() -> None:
    files = ROOT | {b"id_test.go": TEST, b"er/id_test.go": TEST}
    assert find_path(b"example.com/xider", files) == b"id_test.go"


LOOKED_UP = (
    b'go: module example.org/not/here: Get "https://proxy.golang.org/example.org/not/here/@v/list":'
    b" dial tcp: lookup proxy.golang.org: no such host\n"
)


@pytest.mark.parametrize(
    ("imports", "place"),
    [
        ([b'import "example.org/not/here"'], (b"a.go", 3)),
        ([b'import (\n\there "example.org/not/here/inside"\n)'], (b"a.go", 4)),
        # Two lines ask for it, or another module is asked for.
        ([b'import "example.org/not/here"', b'import "example.org/not/here"'], (None, None)),
        ([b'import "example.org/not/hereafter"'], (None, None)),
        ([b'// see "example.org/not/here"'], (None, None)),
    ],
)
def test_a_module_that_cannot_be_looked_up_is_where_it_is_imported(
    imports: list[bytes], place: tuple[bytes | None, int | None]
) -> None:
    files = {
        name: b"package a\n\n" + text
        for name, text in zip((b"a.go", b"b.go"), imports, strict=False)
    }
    found = place_diagnostics(
        extract_complaints(LOOKED_UP), Tree(frozenset(files), files.__getitem__, (b"/work/tree",))
    )
    assert [(each.path, each.line) for each in found] == [place]


def test_a_module_of_go_mod_is_no_file_s() -> None:
    files = {b"a.go": b'package a\n\nimport "example.org/not/here"\n'}
    output = LOOKED_UP.replace(b"module example.org/not/here:", b"example.org/not/here@v1.0.0:")
    tree = Tree(frozenset(files), files.__getitem__, (b"/work/tree",))
    found = place_diagnostics(extract_complaints(output), tree)
    assert [(each.path, each.line) for each in found] == [(None, None)]
