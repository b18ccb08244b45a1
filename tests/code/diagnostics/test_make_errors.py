"""What is read from real output of make, cmake and shells."""

from git_retcon.code.diagnostics.build_failures import read_failures
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


def test_a_message_of_cmake_ends_where_its_lines_are_no_longer_indented() -> None:
    output = b"CMake Error at CMakeLists.txt:3 (x):\n  It broke.\n\n\n-- Could NOT find Zlib\n"
    assert [(item.message, item.wants_file) for item in read_failures(output)] == [
        ("It broke.", ())
    ]
