"""A forecast as lines."""

from git_retcon.heal.forecast import (
    CellForecast,
    JobForecast,
    Outlook,
    SkippedStep,
    WorkflowForecast,
)
from git_retcon.heal.local_tools import Match
from git_retcon.heal.subcommands.workflow_list import list_lines, list_members
from git_retcon.heal.workflows.faults import Problem
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.run.tool_versions import Tool
from git_retcon.show.style import Style

FILE = b".github/workflows/ci.yml"
NODE = Tool("/usr/bin/node", "20.1.0")


def cell(name: str, outlook: Outlook = Outlook.RUNS, reason: str = "") -> CellForecast:
    return CellForecast(name, outlook, reason, "", (), (), 3)


def job(name: str, *cells: CellForecast, called: tuple[JobForecast, ...] = ()) -> JobForecast:
    return JobForecast(name, FILE, 1, "", (), cells, called)


def lines(*jobs: JobForecast, verbose: bool = False) -> list[str]:
    """The lines of the jobs of one workflow."""
    one = WorkflowForecast(FILE, "", ("push",), "starts on push", (), jobs)
    title, *rest = list_lines([one], Style(False), verbose=verbose)
    assert title == ".github/workflows/ci.yml: starts on push"
    return rest


def test_cells_that_fare_alike_are_one_line() -> None:
    windows = [cell(f"test ({name})", Outlook.NOT_RUN, "needs Windows") for name in "ab"]
    skipped = (SkippedStep(7, "needs root (sudo)"),)
    partly = [cell(f"test ({name})", Outlook.INCOMPLETE)._replace(skipped=skipped) for name in "cd"]
    reason = "same tools as test (c)"
    twins = [
        cell(f"test ({name})", Outlook.NOT_RUN, reason)._replace(same_as="test (c)")
        for name in "ef"
    ]
    tested = job("test", twins[0], *windows, *partly, cell("test (g)"), twins[1])
    assert lines(tested) == [
        "  test: 2 cells        not run: needs Windows",
        "  test: 2 cells        incomplete: 1 of 3 steps skipped",
        "    line 7: needs root (sudo)",
        "  test (g)             runs",
        "  test: 2 other cells  not run (same tools as test (c))",
        "5 jobs: 1 run, 2 incomplete, 2 not run",
    ]
    assert len(lines(tested, verbose=True)) == 7 + 2 + 1, "each cell, what is skipped, the sum"


def test_jobs_of_a_called_workflow_are_named_as_github_names_them() -> None:
    inner = job("inner", cell("a (1)"), cell("a (2)"))
    outer = job("outer", called=(job("middle", called=(inner,)), job("other", cell("other"))))
    assert lines(outer) == [
        "  outer / middle / inner: 2 cells  runs",
        "  outer / other                    runs",
        "3 jobs: 3 run",
    ]
    assert lines(outer, verbose=True)[0] == "  outer / middle / a (1)           runs".replace(
        "           runs", "  runs"
    )


def test_a_job_that_needs_one_that_does_not_run_says_so() -> None:
    told = lines(job("b", cell("b"), cell("b (x)", Outlook.NOT_RUN, "y"))._replace(unmet=("a",)))
    assert told == [
        "  b      runs (needs a, not run here)",
        "  b (x)  not run: y",
        "2 jobs: 1 run, 1 not run",
    ]


def test_tools_are_reported_with_what_was_wanted_where_that_is_another() -> None:
    matches = (
        Match(ToolRequest("node", "20"), "20", NODE, exact=True),
        Match(ToolRequest("node", "18"), "18", NODE, exact=False),
        Match(ToolRequest("just", ""), "", Tool("/usr/bin/just", ""), exact=True),
    )
    (line, _) = lines(job("a", cell("a")._replace(tools=matches)))
    assert line == "  a  runs with node 20.1.0, node 20.1.0 (wanted 18), just"


def test_what_a_repository_says_cannot_move_the_cursor() -> None:
    evil = "\x1b[2J\r\u202e"
    reason = f"calls {evil}"
    one = WorkflowForecast(
        b".github/workflows/\x1b\xff.yml", evil, (), f"starts on {evil}",
        (Problem(b"\x1b", 1, 1, "warning", evil),),
        (job(evil, cell(evil, Outlook.INCOMPLETE)._replace(skipped=(SkippedStep(1, reason),))),),
    )  # fmt: skip
    for line in list_lines([one], Style(False), verbose=True):
        assert not {"\x1b", "\r", "\u202e"} & set(line)
    assert list_members([one])[0]["file"] == ".github/workflows/\\x1b\\xff.yml"


def test_colour_is_only_paint() -> None:
    jobs = (job("a", cell("a"), cell("b", Outlook.INCOMPLETE), cell("c", Outlook.NOT_RUN)),)
    one = WorkflowForecast(FILE, "CI", ("push",), "starts on push", (), jobs)
    plain = list(list_lines([one], Style(False), verbose=True))
    painted = list(list_lines([one], Style(True), verbose=True))
    assert [line.replace("\x1b[m", "") for line in painted] == [
        f"\x1b[1m{plain[0]}",
        plain[1].replace("runs", "\x1b[32mruns"),
        plain[2].replace("incomplete", "\x1b[33mincomplete"),
        plain[3].replace("not run", "\x1b[2mnot run"),
        plain[4],
    ]
