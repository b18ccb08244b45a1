"""What of the workflows would run on a machine."""

import textwrap

from git_retcon.heal.current_branch import CurrentBranch
from git_retcon.heal.forecast import Outlook, Place, WorkflowForecast, forecast_workflows
from git_retcon.heal.local_tools import Match
from git_retcon.heal.workflow_choice import Choice
from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.faults import Problem
from git_retcon.heal.workflows.happenings import Checkout
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.run.tool_versions import Tool

CI = b".github/workflows/ci.yml"
HERE = {"bash", "node", "python"}


class Files(dict[bytes, str]):
    def list_workflows(self) -> list[bytes]:
        return [CI]

    def read(self, path: bytes) -> bytes | None:
        text = self.get(path)
        return None if text is None else textwrap.dedent(text).encode()

    def has_submodules(self) -> bool:
        return False


class OneOfEach:
    """A machine with version 1 of a few tools."""

    def find_tool(self, request: ToolRequest) -> FoundTool:
        match = self.match(request)
        return FoundTool(match.tool.path if match.tool else "", match.exact)

    def match(self, request: ToolRequest) -> Match:
        tool = Tool(f"/bin/{request.tool}", "1") if request.tool in HERE else None
        return Match(request, request.version, tool, request.version == "1")


def forecast(jobs: str, files: dict[bytes, str] | None = None, job: str = "") -> WorkflowForecast:
    text = "on: push\njobs:\n" + textwrap.indent(textwrap.dedent(jobs), "  ")
    branch = CurrentBranch(Checkout("me/mine", "main", "main", ""), "origin", None, None)
    place = Place(Files({CI: text, **(files or {})}), branch, OneOfEach(), Machine("Linux", "x64"))
    (one,) = forecast_workflows(place, Choice(job=job))
    assert not one.problems, one.problems
    return one


def outlook(steps: str, more: str = "") -> tuple[Outlook, str]:
    """How a job with these steps fares, and why."""
    (job,) = forecast(f"a: {{runs-on: x, steps: [{steps}] {more}}}").jobs
    (cell,) = job.cells
    return cell.outlook, cell.reason or "; ".join(step.reason for step in cell.skipped)


def test_a_job_runs_or_is_incomplete_or_does_not_run() -> None:
    assert outlook("{run: a}") == (Outlook.RUNS, "")
    assert outlook("") == (Outlook.RUNS, "")
    assert outlook("{run: a}, {run: sudo b}") == (Outlook.INCOMPLETE, "needs root (sudo)")
    assert outlook("{run: a}", ", container: b") == (Outlook.NOT_RUN, "needs a container")


def test_where_every_step_that_does_something_is_skipped_nothing_runs() -> None:
    nothing = (
        Outlook.NOT_RUN,
        "nothing is left to run: needs root (sudo) and needs GitHub (actions/stale)",
    )
    assert (
        outlook("{uses: actions/checkout@v4}, {run: sudo b}, {uses: actions/stale@v9}") == nothing
    )


def test_without_a_tool_that_is_set_up_a_job_does_not_run() -> None:
    go = "{uses: actions/setup-go@v5, with: {go-version: '1.22'}}"
    assert outlook(f"{go}, {{run: go test}}") == (Outlook.NOT_RUN, "go is not here (wanted 1.22)")
    assert outlook("{uses: actions/setup-go@v5}") == (Outlook.NOT_RUN, "go is not here")
    assert outlook("{uses: actions/setup-node@v4}, {run: a}") == (Outlook.RUNS, "")


def test_without_the_tool_of_one_step_that_step_is_skipped() -> None:
    typos = "{uses: crate-ci/typos@v1}"
    assert outlook(f"{typos}, {{run: a}}") == (Outlook.INCOMPLETE, "typos is not here")
    assert outlook(typos) == (Outlook.NOT_RUN, "nothing is left to run: typos is not here")
    (job,) = forecast(f"a: {{runs-on: x, steps: [{typos}, {{uses: actions/setup-node@v4}}]}}").jobs
    assert [match.request.tool for match in job.cells[0].tools] == ["node"]


def test_a_step_whose_shell_is_missing_is_skipped() -> None:
    skipped = "its shell is not here (pwsh)"
    assert outlook("{run: a, shell: pwsh}, {run: b}") == (Outlook.INCOMPLETE, skipped)
    assert outlook("{run: a, shell: pwsh}") == (
        Outlook.NOT_RUN,
        f"nothing is left to run: {skipped}",
    )
    assert outlook("{run: a, shell: python}") == (Outlook.RUNS, "")
    assert outlook("{run: a, shell: '/opt/shell {0}'}") == (Outlook.RUNS, "")


def test_a_shell_that_is_missing_within_an_action_is_reported() -> None:
    steps = "[{run: a, shell: pwsh}, {run: b, shell: bash}]"
    action = f"runs: {{using: composite, steps: {steps}}}"
    jobs = forecast("a: {runs-on: x, steps: [{uses: ./act}]}", {b"act/action.yml": action}).jobs
    (cell,) = jobs[0].cells
    assert [step.reason for step in cell.skipped] == ["its shell is not here (pwsh)"]
    assert cell.outlook is Outlook.INCOMPLETE


def test_advice_is_no_reason_to_refuse() -> None:
    advice = Problem(CI, 1, 1, "warning", "")
    one = forecast("a: {runs-on: x}")
    assert not one._replace(problems=(advice,)).is_refused
    assert one._replace(problems=(advice, advice._replace(severity="error"))).is_refused


def test_steps_of_an_action_are_reported_at_the_line_of_its_use() -> None:
    action = "runs: {using: composite, steps: [{run: sudo a, shell: bash}, {run: b, shell: bash}]}"
    steps = "steps: [\n  {run: a},\n  {uses: ./act}]"
    (job,) = forecast(f"a:\n  runs-on: x\n  {steps}\n", {b"act/action.yml": action}).jobs
    (cell,) = job.cells
    assert [(step.line, step.reason) for step in cell.skipped] == [(7, "needs root (sudo)")]
    assert cell.steps == 2


def test_a_cell_that_another_is_run_for_says_so_first() -> None:
    (job,) = forecast("""\
        a:
          runs-on: x
          strategy: {matrix: {v: ['2', '1']}}
          steps:
          - {uses: actions/setup-node@v4, with: {node-version: '${{ matrix.v }}'}}
          - {run: sudo a}
          - {run: b}
        """).jobs
    twin, runs = job.cells
    assert (twin.outlook, twin.reason, twin.same_as) == (
        Outlook.NOT_RUN, "same tools as a (1)", "a (1)",
    )  # fmt: skip
    assert (runs.outlook, [match.wanted for match in runs.tools]) == (Outlook.INCOMPLETE, ["1"])


JOBS = """\
    a: {runs-on: windows-latest}
    b: {runs-on: x, needs: a}
    c: {runs-on: x, needs: [b, a]}
    d: {uses: ./.github/workflows/called.yml}
    e: {runs-on: x, needs: d, name: Last}
    """
CALLED = "on: workflow_call\njobs: {f: {runs-on: x}, g: {runs-on: x, container: y, needs: f}}\n"


def test_a_job_names_what_it_needs_and_does_not_run_here() -> None:
    jobs = {job.id: job for job in forecast(JOBS, {b".github/workflows/called.yml": CALLED}).jobs}
    assert {name: job.unmet for name, job in jobs.items()} == {
        "a": (), "b": ("a",), "c": ("a",), "d": (), "e": (),
    }  # fmt: skip
    inner = [(job.id, job.file, job.line, job.runs) for job in jobs["d"].called]
    assert inner == [
        ("f", b".github/workflows/called.yml", 2, True),
        ("g", b".github/workflows/called.yml", 2, False),
    ]


def test_one_job_is_reported_with_what_the_others_mean_for_it() -> None:
    files = {b".github/workflows/called.yml": CALLED}
    (only,) = forecast(JOBS, files, job="c").jobs
    assert (only.id, only.unmet) == ("c", ("a",))
    assert [job.id for job in forecast(JOBS, files, job="Last").jobs] == ["e"]
