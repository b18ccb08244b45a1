"""What is read from Go's tests."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import described, places, sample


def test_go_test_fail() -> None:
    assert places("go_test_fail") == [
        "store_test.go:13 error test go test/TestWrong: several",
        "store_test.go:17 error test go test/TestSub/a_b: inner",
        "- error test go test/TestQuiet: FAIL: TestQuiet",
    ]


def test_go_test_verbose() -> None:
    assert places("go_test_verbose") == [
        "store_test.go:13 error test go test/TestWrong: several",
        "store_test.go:17 error test go test/TestSub/a_b: inner",
        "- error test go test/TestQuiet: FAIL: TestQuiet",
    ]


def test_go_test_panic() -> None:
    assert places("go_test_panic") == [
        "/home/ada/demo/store/store.go:5 error runtime go: panic: runtime error: index out of r",
    ]


def test_a_path_begins_at_the_package_that_is_named_below() -> None:
    assert {each.base for each in extract_complaints(sample("go_test_fail"))} == {
        b"example.com/demo/store",
        b"",
    }


def test_testify_gives_its_reason_below_the_trace() -> None:
    output = (
        b"--- FAIL: TestSum (0.00s)\n    sum_test.go:9: \n        \tError Trace:\t/a/s_test.go:9\n"
        b"        \tError:      \tNot equal: \n        \t            \texpected: 1\n"
        b"        \tTest:       \tTestSum\nFAIL\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "sum_test.go:9 error test go test/TestSum: Not equal:"
    ]


def test_linters() -> None:
    output = (
        b"a.go:3:2: Error return value is not checked (errcheck)\n"
        b"a.go:4:2: SA4006: this value is never used (staticcheck)\n"
        b"a.go:5:2: this value of x is never used (SA4006)\n"
        b"a.go:6:2: should omit 2nd value (gosimple)\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "a.go:3:2 error lint errcheck/errcheck: Error return value is not checked",
        "a.go:4:2 error lint staticcheck/SA4006: this value is never used",
        "a.go:5:2 error lint staticcheck/SA4006: this value of x is never used",
        "a.go:6:2 warning lint gosimple/gosimple: should omit 2nd value",
    ]


def test_staticcheck() -> None:
    findings = [
        "main.go:9:6 error lint staticcheck/U1000",
        "main.go:13:2 error lint staticcheck/SA4018",
        "main.go:14:9 warning lint staticcheck/ST1005",
        "main.go:14:9 warning lint staticcheck/ST1005",
        "main.go:15:5 warning lint staticcheck/S1003",
        "main.go:16:14 error lint staticcheck/SA5009",
        "main.go:18:2 warning lint staticcheck/S1006",
        "main.go:21:2 error lint staticcheck/SA9003",
    ]
    plain = [each.partition(": ")[0] for each in places("staticcheck")]
    assert plain == [*findings, "main.go:9:28 error compile staticcheck"]
    stylish = [each.partition(": ")[0] for each in places("staticcheck_stylish")]
    # This form calls each an error.
    assert stylish == [f"/home/me/demo/{each.replace(' warning ', ' error ')}" for each in findings]


def test_modules() -> None:
    output = (
        b"go: example.com/x@v1.2.3: reading go.mod: 404 Not Found\ngo.mod:5: unknown directive: x\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "- error dependency go: example.com/x@v1.2.3: reading go.mod: 40",
        "go.mod:5 error config go: unknown directive: x",
    ]
