"""What is read from real output of make, cmake and shells."""

from tests.code.diagnostics.sample import told


def test_make() -> None:
    assert told("make") == [
        "file <x.c>",
        "file CMakeLists.txt:3 <lib>",
        "file CMakeLists.txt:5 <helpers.cmake>",
        "undefined CMakeLists.txt:6 y",
        "file <./run.sh>",
        "undefined nocmd",
        "file <nofile>",
    ]
