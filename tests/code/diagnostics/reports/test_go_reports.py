"""Go's reports in JSON."""

from pathlib import Path

from git_retcon.code.diagnostics.reports.go_reports import read_go_tests
from git_retcon.code.diagnostics.reports.json_reports import read_document
from git_retcon.code.diagnostics.reports.report import read_report
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def _places(name: str) -> list[str]:
    return [described(each) for each in read_report((_SAMPLES / name).read_bytes())]


def test_go_test_fail_json() -> None:
    assert _places("go_test_fail.json") == [
        "store_test.go:13 error test go test/TestWrong: several",
        "store_test.go:17 error test go test/TestSub/a_b: inner",
        "- error test go test/TestQuiet: FAIL: TestQuiet",
    ]


def test_the_package_of_a_go_test_is_where_its_paths_begin() -> None:
    found = read_report((_SAMPLES / "go_test_fail.json").read_bytes())
    assert {each.base for each in found} == {b"example.com/demo/store"}


def test_staticcheck_json() -> None:
    places = [each.removeprefix("/home/me/demo/") for each in _places("staticcheck.json")]
    assert [place.partition(": ")[0] for place in places] == [
        "main.go:9:6 error lint staticcheck/U1000",
        "main.go:13:2 error lint staticcheck/SA4018",
        "main.go:14:9 error lint staticcheck/ST1005",
        "main.go:14:9 error lint staticcheck/ST1005",
    ]


def test_golangci_of_its_manual() -> None:
    golangci = {
        "Issues": [
            {
                "FromLinter": "errcheck",
                "Text": "not checked",
                "Pos": {"Filename": "a.go", "Line": 3, "Column": 2},
            }
        ]
    }
    assert [described(each) for each in read_document(golangci)] == [
        "a.go:3:2 error lint golangci-lint/errcheck: not checked"
    ]


def test_events_of_the_wrong_sort_are_none() -> None:
    assert list(read_go_tests([None, 3, {"Action": "output", "Output": 5}])) == []
