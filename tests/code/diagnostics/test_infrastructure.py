"""What is wrong with the machine and its services is told apart from what is wrong in code."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Category
from tests.code.diagnostics.sample import places


def test_npm_missing() -> None:
    assert places("npm_missing") == [
        '- error infrastructure /missing-script: npm error Missing script: "nosuch"'
    ]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("bash: npm: command not found", "exit-127"),
        ("sh: 1: eslint: not found", "exit-127"),
        ("a.sh: line 1: node_modules/.bin/eslint: No such file or directory", "exit-127"),
        ("/bin/bash: line 1: ./.venv/bin/ruff: No such file or directory", "exit-127"),
        ("npm ERR! code ETIMEDOUT", "npm-ETIMEDOUT"),
        ("fatal: Authentication failed for 'https://example.com/x'", "git-fatal"),
        ("curl: (6) Could not resolve host: example.com", "dns"),
        (
            'go: golang.org/x/exp@latest: module golang.org/x/exp: Get "https://proxy.golang.org/'
            'golang.org/x/exp/@v/list": dial tcp: lookup proxy.golang.org on 10.0.0.1:53: no such'
            " host",
            "network",
        ),
        (
            "[ERROR] Plugin x:y:1 or one of its dependencies could not be resolved: Could not"
            " transfer artifact x:y:pom:1 from/to central: repo.example.org: Name or service not"
            " known",
            "dns",
        ),
        ("tar: a: Cannot write: No space left on device", "enospc"),
        ("ERROR: Could not find an activated virtualenv (required).", "pip"),
        (
            "ERROR: Can not perform a '--user' install. User site-packages are not visible in this"
            " virtualenv.",
            "pip",
        ),
        (
            "/usr/bin/ld: cannot find /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/"
            "libclang_rt.asan-x86_64.so: No such file or directory",
            "linker",
        ),
    ],
)
def test_signs(line: str, rule: str) -> None:
    (found,) = extract_complaints(line.encode())
    assert (found.category, found.rule) == (Category.INFRASTRUCTURE, rule)
    assert found.suggestion


def test_packages_that_do_not_fit_are_dependencies() -> None:
    (found,) = extract_complaints(b"npm error code ERESOLVE\n")
    assert found.category is Category.DEPENDENCY


def test_a_script_that_calls_what_is_missing_is_the_place() -> None:
    (found,) = extract_complaints(b"build.sh: line 2: nosuch: command not found\n")
    assert (found.path, found.line) == (b"build.sh", 2)


@pytest.mark.parametrize("said", ["cat: /usr/bin/x: ", "a.sh: line 1: ./build.sh: "])
def test_a_file_that_is_missing_is_no_program(said: str) -> None:
    found = extract_complaints(f"{said}No such file or directory\n".encode())
    assert Category.INFRASTRUCTURE not in [one.category for one in found]


def test_a_server_that_tests_cannot_reach_is_none_of_the_network_s() -> None:
    said = b"    client_test.go:9: dial tcp 127.0.0.1:9: connect: connection refused\n"
    assert [each.category for each in extract_complaints(said)] == [Category.TEST]


@pytest.mark.parametrize(
    "line", ["npm warn deprecated x@1.0.0", "remote: Counting objects: 100% (10/10)", "50% done"]
)
def test_peaceful_lines(line: str) -> None:
    assert extract_complaints(line.encode()) == ()
