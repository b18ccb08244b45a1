"""SARIF: places, levels, messages by id, what counts, fixes."""

from collections.abc import Mapping
from pathlib import Path

from git_retcon.code.diagnostics.diagnostic import Edit, Severity
from git_retcon.code.diagnostics.reports.report import read_report
from git_retcon.code.diagnostics.reports.sarif import is_sarif, read_sarif
from git_retcon.show.annotations import Level, Remark, make_sarif
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def _places(name: str) -> list[str]:
    return [described(each) for each in read_report((_SAMPLES / name).read_bytes())]


def test_ruff_sarif() -> None:
    assert _places("ruff.sarif") == [
        "/home/ada/demo/app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 error lint ruff/E401: Multiple imports on one line",
    ]


def _log(result: Mapping[str, object], **run: object) -> dict[str, object]:
    driver = {"name": "t", "rules": [{"id": "R", "defaultConfiguration": {"level": "note"}}]}
    return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": [result], **run}]}


def test_the_level_is_the_rules_where_the_result_has_none() -> None:
    (found,) = read_sarif(_log({"ruleIndex": 0, "message": {"text": "odd"}}))
    assert (found.severity, found.rule) == (Severity.NOTE, "R")
    (found,) = read_sarif(_log({"ruleId": "other", "message": {"text": "odd"}}))
    assert found.severity is Severity.WARNING


def test_a_message_by_its_id_with_arguments() -> None:
    log = _log({"ruleId": "R", "message": {"id": "m", "arguments": ["x", "y"]}})
    rules = log["runs"][0]["tool"]["driver"]["rules"]  # type: ignore[index]
    rules[0]["messageStrings"] = {"m": {"text": "{1} before {0}, {7}"}}
    assert [each.message for each in read_sarif(log)] == ["y before x, {7}"]


def test_what_passed_or_is_suppressed_does_not_count() -> None:
    extras: tuple[Mapping[str, object], ...] = (
        {"kind": "pass"},
        {"suppressions": [{}]},
        {"baselineState": "absent"},
    )
    for extra in extras:
        assert list(read_sarif(_log({"ruleId": "R", "message": {"text": "x"}, **extra}))) == []
    rejected = {"ruleId": "R", "message": {"text": "x"}, "suppressions": [{"status": "rejected"}]}
    assert len(list(read_sarif(_log(rejected)))) == 1


def test_a_base_and_escapes_of_a_uri() -> None:
    location = {"uri": "a%20b.py", "uriBaseId": "TOP"}
    place = {"physicalLocation": {"artifactLocation": location, "region": {"startLine": 3}}}
    log = _log(
        {"ruleId": "R", "message": {"text": "x"}, "locations": [place]},
        originalUriBaseIds={"TOP": {"uri": "file:///home/ada/demo/"}},
    )
    assert [each.path for each in read_sarif(log)] == [b"/home/ada/demo/a b.py"]


def test_fixes() -> None:
    found, *_ = read_report((_SAMPLES / "ruff.sarif").read_bytes())
    assert found.edits == (Edit(b"/home/ada/demo/app.py", 1, 1, 2, 1, ""),)
    assert found.suggestion == "Remove unused import: `os`"


def test_what_we_write_is_read_again() -> None:
    remark = Remark(b"a b.py", 3, 5, Level.WARNING, "odd", "rule-x")
    (found,) = read_report(make_sarif("t", [remark]).encode())
    assert described(found) == "a b.py:3:5 warning lint t/rule-x: odd"


def test_other_json_is_none() -> None:
    assert not is_sarif({"runs": 3, "version": "2.1.0"})
    assert not is_sarif([])
