"""The lines that act prints, each of a job."""

from git_retcon.heal.act_output import (
    JobEnds,
    JobRefused,
    StepBegins,
    StepEnds,
    StepForgiven,
    StepPrints,
    read_act_line,
)
from tests.heal.test_act_runner import OUTPUT


def test_lines_of_act() -> None:
    lines = OUTPUT.replace("\x1b[36m", "").replace("\x1b[0m", "").splitlines()
    read = [event for line in lines if (event := read_act_line(line, "CI")) is not None]
    assert JobRefused("mac", "act has no image for its machine") in read
    assert StepBegins("test-1", "actions/checkout@v4") in read
    assert StepPrints("lint", "All checks passed!") in read
    assert StepForgiven("test-2") in read
    assert StepEnds("test-2", "Run tests", passed=True, seconds=0.23326159999999999) in read
    assert JobEnds("test-2", passed=False) in read
    assert read_act_line("[CI/a]   \u2705  Success - Main b [1m2.5s]", "CI") == StepEnds(
        "a", "b", passed=True, seconds=62.5
    )
