"""The lines that act prints, each of a job."""

from git_retcon.heal.act_output import JobEnds, StepBegins, StepEnds, StepPrints, read_act_line
from tests.heal.test_act_runner import OUTPUT


def test_lines_of_act() -> None:
    lines = OUTPUT.replace("\x1b[36m", "").replace("\x1b[0m", "").splitlines()
    read = [event for line in lines if (event := read_act_line(line, "CI")) is not None]
    assert read[:4] == [
        StepBegins("lint", "ruff check ."),
        StepBegins("test-1", "actions/checkout@v4"),
        StepEnds("test-1", "actions/checkout@v4", passed=True, seconds=0.5),
        StepBegins("test-1", "Run tests"),
    ]
    assert StepPrints("lint", "All checks passed!") in read
    assert StepEnds("lint", "ruff check .", passed=True, seconds=62.5) in read
    assert JobEnds("test-1", passed=False) in read
