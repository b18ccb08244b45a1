"""Where relative paths begin, from one part of an output to the next."""

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.folders import Folders


def _record(path: bytes, first: int, tool: str = "cc") -> Diagnostic:
    return Diagnostic(path, 1, "gone", tool=tool, first=first, last=first)


def test_a_directory_stays_open_in_the_next_part() -> None:
    folders = Folders()
    list(folders.give((), ["make[1]: Entering directory '/a/lib'"]))
    (found,) = folders.give([_record(b"x.c", 0)], ["x.c:1: gone"])
    assert found.base == b"/a/lib"
    list(folders.give((), ["make[1]: Leaving directory '/a/lib'"]))
    (found,) = folders.give([_record(b"x.c", 0)], ["x.c:1: gone"])
    assert found.base == b""


def test_absolute_paths_begin_nowhere() -> None:
    lines = ["make: Entering directory `/a/lib'", "/b/x.c:1: gone"]
    (found,) = Folders().give([_record(b"/b/x.c", 1)], lines)
    assert found.base == b""


def test_gos_package_is_named_below() -> None:
    lines = ["x_test.go:1: gone", "FAIL\texample.com/demo/store\t0.1s", "y", "FAIL\tother\t0.1s"]
    (found,) = Folders().give([_record(b"x_test.go", 0, "go test")], lines)
    assert found.base == b"example.com/demo/store"
