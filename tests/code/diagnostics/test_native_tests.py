"""What is read of tests and sanitizers of C and Rust."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import described, places


def test_cargo_test_fail() -> None:
    assert places("cargo_test_fail") == [
        "src/lib.rs:2:9 warning compile rustc/unused_variables: unused variable: `unused`",
        "- error test cargo test/tests::fails: test failed: tests::fails",
        "src/lib.rs:13:9 error test rust/tests::wrong: assertion `left == right` failed: sums d",
        "src/lib.rs:18:14 error test rust/tests::unwraps: called `Option::unwrap()` on a `None`",
    ]


def test_cargo_format() -> None:
    assert places("cargo_format") == [
        "/home/ada/demo/src/main.rs:1 error lint rustfmt: not formatted",
    ]


def test_rust_panic() -> None:
    assert places("rust_panic") == [
        "src/lib.rs:2:9 warning compile rustc/unused_variables: unused variable: `unused`",
        "src/main.rs:1:40 error runtime rust: index out of bounds: the len is 0 but th",
    ]


def test_ctest() -> None:
    assert places("ctest") == [
        "- error test ctest/bad: bad: Exception:",
        "/home/ada/demo/ok.c:2 error runtime assert: main: Assertion `n == 1' failed.",
        "- error test ctest/missing: missing: Not Run",
    ]


def test_asan() -> None:
    assert places("asan") == [
        "/home/ada/demo/asan.c:2 error runtime AddressSanitizer: heap-buffer-overflow",
    ]


def test_googletest_and_catch2() -> None:
    output = (
        b"[ RUN      ] Sum.Adds\ntest/sum_test.cc:12: Failure\nExpected equality of these values:\n"
        b"  sum(1, 2)\n    Which is: 3\n  4\n\n[  FAILED  ] Sum.Adds (0 ms)\n"
        b"test/catch.cpp:9: FAILED:\n  REQUIRE( sum(1, 2) == 4 )\n\n"
        b"a.c:3:5: runtime error: signed integer overflow: 1 + 2\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "test/sum_test.cc:12 error test gtest/Sum.Adds: Expected equality of these values: sum(",
        "test/catch.cpp:9 error test catch2: REQUIRE( sum(1, 2) == 4 )",
        "a.c:3:5 error runtime ubsan: signed integer overflow: 1 + 2",
    ]


def test_rustfmt_names_the_line_where_its_context_begins() -> None:
    output = b"Diff in /home/ada/demo/src/lib.rs:2035:\n     }\n }\n \n-fn   f(  ){}\n+fn f() {}\n"
    assert [each.line for each in extract_complaints(output)] == [2038]
