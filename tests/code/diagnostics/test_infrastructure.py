"""What is wrong with the machine and its services is told apart from what is wrong in code."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Category
from tests.code.diagnostics.sample import places, sample


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
        ("/usr/bin/env: ‘tclsh-9’: No such file or directory", "exit-127"),
        ("env: 'node': No such file or directory", "exit-127"),
        ("xargs: valgrind: No such file or directory", "exit-127"),
        ("timeout: failed to run command ‘valgrind’: No such file or directory", "exit-127"),
        ("nice: ‘valgrind’: No such file or directory", "exit-127"),
        ("time: cannot run valgrind: No such file or directory", "exit-127"),
        ("bash: line 1: type: foo-9: not found", "exit-127"),
        (
            'cgo: C compiler "gcc-10" not found: exec: "gcc-10": executable file not found in '
            "$PATH",
            "exit-127",
        ),
        ("error: no such command: `hack`", "cargo"),
        ("configure: error: no acceptable C compiler found in $PATH", "configure"),
        (
            'CMake Error: CMake was unable to find a build program corresponding to "Ninja".  '
            "CMAKE_MAKE_PROGRAM is not set.  You probably need to select a different build tool.",
            "cmake",
        ),
        ("meson.build:1:0: ERROR: Unknown compiler(s): [['gcc-10']]", "meson"),
        ("meson.build:2:0: ERROR: Program 'm4-9' not found or not executable", "meson"),
        (
            "27 11 2026 17:19:14.158:ERROR [launcher]: No binary for ChromeHeadless browser on your"
            " platform.",
            "browser",
        ),
        (
            "browserType.launch: Executable doesn't exist at /home/ada/.cache/ms-playwright/"
            "chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell",
            "browser",
        ),
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


def test_a_program_that_make_cannot_run_is_none_of_the_makefile_s() -> None:
    lines = ["gcc-10 -c a.c", "make: gcc-10: No such file or directory"]
    lines += ["make: *** [Makefile:2: all] Error 127"]
    assert [one.rule for one in extract_complaints("\n".join(lines).encode())] == ["exit-127"]


def test_a_compiler_that_cmake_does_not_find_is_none_of_the_project_s() -> None:
    found = extract_complaints(sample("cmake_no_compiler"))
    assert {one.category for one in found} == {Category.INFRASTRUCTURE}
    assert len(found) == 3


def test_a_target_of_rust_that_is_not_installed_is_none_of_the_crate_s() -> None:
    (found,) = extract_complaints(sample("rustc_no_target"))
    assert found.category is Category.INFRASTRUCTURE
    assert found.path is None


@pytest.mark.parametrize(
    "said",
    [
        "cat: /usr/bin/x: ",
        "a.sh: line 1: ./build.sh: ",
        "timeout: failed to run command ‘./build.sh’: ",
        r"/usr/bin/env: ‘bash\r’: ",
        "make: none.mk: ",
    ],
)
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
