"""Reports in files: found, bounded, believed first, and said once."""

import os
import time
from pathlib import Path

import pytest

from git_retcon.heal.found_errors import StepErrors, Tree
from git_retcon.heal.results import StepResult, StepVerdict
from git_retcon.heal.step_reports import RanScript, keep_reports, read_kept_reports
from tests.heal.checks import check_steps

SARIF = """{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [
 {"ruleId": "no-x", "level": "error", "message": {"text": "x is not allowed here"},
  "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/a.py"},
                 "region": {"startLine": 3}}}]}]}]}"""
JUNIT = """<testsuite><testcase classname="src.a" name="test_one">
<failure message="assert 1 == 2">src/a.py:5: assert 1 == 2</failure></testcase></testsuite>"""
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite>&b;</testsuite>'


def _keep(top: Path, script: str = "", folder: str = "", since: float = 0) -> list[str]:
    """What is read of the reports in a tree, a line for each record."""
    log = top.parent / "logs" / "01.log"
    keep_reports(log, RanScript(top, folder, script, since), lambda data: data)
    return [f"{one.path!r} {one.line} {one.message}" for one in read_kept_reports(log)]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "tree/src").mkdir(parents=True)
    (tmp_path / "tree/src/a.py").write_text("line\n" * 9)
    return tmp_path / "tree"


def test_reports_are_known_by_their_names(top: Path) -> None:
    (top / "build/reports").mkdir(parents=True)
    (top / "build/reports/TEST-a.xml").write_text(JUNIT)
    (top / "found.sarif").write_text(SARIF)
    (top / "coverage.xml").write_text("<coverage/>")
    (top / "node_modules").mkdir()
    (top / "node_modules/theirs.sarif").write_text(SARIF)
    assert _keep(top) == [
        "b'src/a.py' 3 x is not allowed here",
        "b'src/a.py' 5 assert 1 == 2",
    ]


@pytest.mark.parametrize(
    "script", ["pytest --junitxml=out.xml", "cd x\nlint -o 'out.xml' .", 'run --to="./out.xml"']
)
def test_or_by_being_named_on_the_command_line(top: Path, script: str) -> None:
    (top / "src/out.xml").write_text(JUNIT)
    assert _keep(top, script) == []
    assert _keep(top, script, "src") == ["b'src/a.py' 5 assert 1 == 2"]


def test_what_was_there_before_is_no_report_of_this_step(top: Path) -> None:
    (top / "found.sarif").write_text(SARIF)
    os.utime(top / "found.sarif", (1, 1))
    assert _keep(top, since=time.time()) == []


def test_hostile_reports_say_nothing(top: Path) -> None:
    outside = top.parent / "outside.sarif"
    outside.write_text(SARIF)
    (top / "link.sarif").symlink_to(outside)
    (top / "laughs-junit.xml").write_text(LAUGHS)
    (top / "broken.sarif").write_text('{"version": "2.1.0", "runs": [')
    with (top / "large.sarif").open("wb") as file:
        file.truncate(1 << 30)
    os.mkfifo(top / "pipe.sarif")
    assert _keep(top, "lint ../outside.sarif /etc/passwd.xml") == []


def test_an_error_is_said_once_as_the_report_has_it(top: Path) -> None:
    log = top.parent / "01.log"
    (top / "found.sarif").write_text(SARIF)
    (top / "junit.xml").write_text(JUNIT)
    log.write_text(
        "src/a.py:3:1: error: x is not allowed here, use y [no-x]\n"
        "src/a.py:5: AssertionError: assert 1 == 2\n"
        "src/a.py:7:1: error: gone [no-z]\n"
    )
    keep_reports(log, RanScript(top, "", "", 0), lambda data: data)
    tree = Tree(lambda: frozenset({b"src/a.py"}), top)
    step = StepResult(1, "step", 3, StepVerdict.FAILED, log=str(log))
    found = [one.finding for one in StepErrors(tree).read(step)]
    assert [(one.line, one.diagnostic.message) for one in found] == [
        (3, "x is not allowed here"),
        (5, "assert 1 == 2"),
        (7, "gone"),
    ]


def test_a_check_reads_the_report_of_a_step_that_prints_nothing(tmp_path: Path) -> None:
    steps = """\
    - uses: actions/checkout@v4
    - run: |
        cp sample build.sarif
        exit 1
    - if: always()
      run: rm build.sarif
    """
    checked = check_steps(tmp_path / "repo", steps, {"sample": SARIF, "src/a.py": "line\n" * 9})
    (error,) = checked.data["errors"]
    assert (error["file"], error["line"], error["rule"]) == ("src/a.py", 3, "no-x")
