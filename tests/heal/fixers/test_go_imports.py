"""Imports of Go, taken out and brought in by lines."""

from git_retcon.heal.fixers.go_imports import add_package, choose_package, remove_package

BLOCK = b"""package shop

import (
\t"fmt"
\t"strings"

\tyaml "gopkg.in/yaml.v3"
)

func f() {}
"""


def test_a_package_goes_from_the_line_that_imports_it_and_from_no_other() -> None:
    assert remove_package(BLOCK, "strings", 5) == BLOCK.replace(b'\t"strings"\n', b"")
    assert remove_package(BLOCK, "gopkg.in/yaml.v3", 7) == BLOCK.replace(
        b'\tyaml "gopkg.in/yaml.v3"\n', b""
    )
    alone = b'package shop\nimport "archive/tar"\n\nfunc f() {}\n'
    assert remove_package(alone, "archive/tar", 2) == b"package shop\n\nfunc f() {}\n"
    assert remove_package(alone, "tar", 2) == b"package shop\n\nfunc f() {}\n"
    assert remove_package(BLOCK, "strings", 4) is None
    assert remove_package(b'\tuse("fmt")\n', "fmt", 1) is None


def test_a_package_is_imported_as_most_files_do_under_the_name_that_it_has_there() -> None:
    files = [BLOCK, BLOCK, b'package x\n\nimport "example.org/strings"\n']
    assert choose_package("strings", files) == '"strings"'
    assert choose_package("yaml", files) == 'yaml "gopkg.in/yaml.v3"'
    assert choose_package("chi", [b'package x\n\nimport "example.org/chi/v5"\n']) == (
        '"example.org/chi/v5"'
    )
    assert choose_package("strings", [b'package x\n\nfunc f() {\n\t"strings"\n}\n']) == ""


def test_a_package_comes_in_its_order_among_those_of_its_kind() -> None:
    assert add_package(BLOCK, '"os"') == BLOCK.replace(b'\t"str', b'\t"os"\n\t"str')
    assert add_package(BLOCK, '"time"') == BLOCK.replace(b'ngs"\n', b'ngs"\n\t"time"\n')
    assert add_package(BLOCK, '"example.org/a"') == BLOCK.replace(
        b"\tyaml", b'\t"example.org/a"\n\tyaml'
    )
    assert add_package(BLOCK, '"fmt"') is None
    assert add_package(b"package shop\n\nvar x = 1\n", '"os"') == (
        b'package shop\n\nimport "os"\n\nvar x = 1\n'
    )
    assert add_package(b"// no package\n", '"os"') is None


def test_line_ends_of_windows_are_read_and_kept() -> None:
    block = BLOCK.replace(b"\n", b"\r\n")
    assert remove_package(block, "strings", 5) == block.replace(b'\t"strings"\r\n', b"")
    assert add_package(block, '"os"') == block.replace(b'\t"str', b'\t"os"\r\n\t"str')
    assert choose_package("yaml", [block]) == 'yaml "gopkg.in/yaml.v3"'
