"""What people are told of a check."""

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.heal.check_report import count_rows, list_lines, make_remarks, summarize
from git_retcon.heal.check_run import Findings
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.results import CheckRun, JobResult, StepResult, StepVerdict, Verdict
from git_retcon.run.places import Finding, Source
from git_retcon.show.annotations import make_workflow_command
from git_retcon.show.style import Style

FAILED = StepResult(2, "make", 9, StepVerdict.FAILED, "exit status 2", log="/logs/02-make.log")
SKIPPED = StepResult(1, "apt", 8, StepVerdict.SKIPPED, "needs root (sudo)")
JOBS = (
    JobResult(b"ci.yml", "lint", "lint", 3, Verdict.PASSED),
    JobResult(b"ci.yml", "test", "test (3.12)", 5, Verdict.PASSED, "with python 3.11, wanted 3.12",
              cached=True),
    JobResult(b"ci.yml", "test", "test (3.13)", 5, Verdict.NOT_RUN, "same tools as test (3.12)"),
    JobResult(b"ci.yml", "docs", "docs", 7, Verdict.INCOMPLETE, "1 step skipped: needs root",
              (SKIPPED,)),
    JobResult(b"ci.yml", "c", "c", 8, Verdict.INCOMPLETE, "make: exit status 2, behind 1 skipped",
              (SKIPPED, FAILED)),
    JobResult(b"other.yml", "x", "build", 2, Verdict.FAILED, "make: exit status 2", (FAILED,),
              callers=("call",)),
)  # fmt: skip


def make_error(path: bytes, line: int | None, column: int | None, message: str) -> FoundError:
    said = Diagnostic(path, line, message, tool="tool", rule="R1")
    snippet = tuple(Source(number, f"text {number}") for number in (2, 3)) if line else ()
    finding = Finding(said, path, line, column, snippet, (), "", f"{path!r}{line}")
    return FoundError(finding, b"ci.yml", "test", "make")


ERRORS = [make_error(b"a.py", 3, 7, "bad\nthing"), make_error(b"b.py", None, None, "whole file")]
RUN = CheckRun("0" * 16, "c" * 40, "d" * 40, "main", 0.0, 1.0, JOBS)


def tell(findings: Findings, *, verbose: bool = False) -> list[str]:
    return list(list_lines(findings, Style(False), verbose=verbose))


def test_jobs_are_reported_by_workflow_then_errors_then_the_count() -> None:
    assert tell(Findings(RUN, ERRORS, 2)) == [
        "ci.yml",
        "  lint          passed",
        "  test (3.12)   passed (with python 3.11, wanted 3.12) (cached)",
        "  test (3.13)   not run (same tools as test (3.12))",
        "  docs          incomplete: 1 of 1 step skipped",
        "    line 8: needs root (sudo)",
        "  c             incomplete: make: exit status 2, behind 1 skipped",
        "    line 8: needs root (sudo)",
        "    log: /logs/02-make.log",
        "other.yml",
        "  call / build  failed: make: exit status 2",
        "    log: /logs/02-make.log",
        "a.py:3:7: bad [tool R1]",
        "  text 3",
        "        ^",
        "b.py: whole file [tool R1]",
        "2 more errors in files that this branch leaves alone",
        "6 jobs: 2 passed, 1 failed, 2 incomplete, 1 not run",
    ]


def test_every_step_is_reported_where_more_is_asked() -> None:
    lines = tell(Findings(RUN, [], 0), verbose=True)
    assert "    apt  skipped: needs root (sudo)" in lines
    assert "    make  failed: exit status 2" in lines


def test_no_more_than_a_screen_of_errors_is_listed() -> None:
    many = [make_error(b"a.py", number, 7, "bad") for number in range(1, 31)]
    lines = tell(Findings(RUN, many, 0))
    assert len(lines) == 12 + 10 + 1  # jobs, errors and the last line, which counts the rest
    assert "... and 21 more errors (-v lists all)" in lines
    taller = list(list_lines(Findings(RUN, many, 0), Style(False), verbose=False, screen=60))
    assert len(taller) == 12 + 34 + 1  # the lines of two files are quoted
    assert (
        len([line for line in tell(Findings(RUN, many, 0), verbose=True) if "a.py" in line]) == 30
    )


def test_what_ran_and_did_not_fail_is_good() -> None:
    assert not RUN.is_good
    assert RUN._replace(jobs=JOBS[:5]).is_good
    assert not RUN._replace(jobs=JOBS[2:3]).is_good
    assert summarize(RUN._replace(jobs=())) == "0 jobs: nothing to run"


def test_code_hosts_get_what_has_no_line_too() -> None:
    told = [make_workflow_command(remark) for remark in make_remarks(ERRORS)]
    assert told == [
        "::error file=a.py,line=3,col=7,title=tool/R1::bad%0Athing",
        "::error file=b.py,title=tool/R1::whole file",
    ]


def test_the_lines_around_are_shown_where_more_is_asked() -> None:
    lines = tell(Findings(RUN, ERRORS[:1], 0), verbose=True)
    at = lines.index("a.py:3:7: bad [tool R1]")
    assert lines[at + 1 : at + 3] == ["       2 | text 2", "  >    3 | text 3"]


def test_without_a_terminal_a_report_is_as_long_as_on_an_ordinary_one() -> None:
    assert count_rows() == 22
