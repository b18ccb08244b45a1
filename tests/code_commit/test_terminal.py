"""A run of ``git code-commit`` told to people, line by line."""

import io

import pytest

from git_retcon.code_commit import events
from git_retcon.code_commit.events import Event
from git_retcon.code_commit.terminal import RunPrinter
from git_retcon.show.style import Style


def told(event: Event, *, verbose: bool = False) -> list[str]:
    stream = io.StringIO()
    printer = RunPrinter(stream, Style(False), verbose=verbose)
    printer(event)
    printer.end_line()
    return stream.getvalue().splitlines()


def built(status: int, cause: str = "") -> events.StepEnded:
    """A build that took one and a half seconds."""
    outcome = events.Outcome.FAIL if status else events.Outcome.PASS
    return events.StepEnded("build", outcome, cause, 1.5, status=status, log="log")


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (events.EngineChosen("offline", "x", "y"), ["Engine: x", "hint: y"]),
        (events.Confined("none", "y"), ["build: y"]),
        (events.Trying("make"), ["trying the build in the sandbox: make"]),
        (events.Resumed(2), ["going on with attempt 2 of the open session"]),
        (events.Asking(1, 4, 1234), ["Attempt 1/4", "  Prompt of about 1,234 tokens..."]),
        (events.Answered(1, "log", 0.25), ["  Answered after 0.2 s"]),
        (
            events.Rejected(1, ("a", "b")),
            ["  The answer cannot be used, and nothing was written:", "    a", "    b"],
        ),
        (events.Applied(1, (), ()), ["  The answer leaves every file as it is"]),
        (events.Applied(1, ("a",), ("b",)), ["  Wrote a", "  Removed b"]),
        (events.StepStarted("build", "make"), ["  Building: make"]),
        (built(0), ["  PASS (1.5 s)"]),
        (built(2), ["  FAIL (exit status 2)", "  Output: log"]),
        (events.Warned("w", "h"), ["warning: w", "hint: h"]),
        (events.Warned("w"), ["warning: w"]),
        (events.Finished("passed", 1, 4, None), []),
    ],
)
def test_an_event_is_its_lines(event: Event, lines: list[str]) -> None:
    assert told(event) == lines


def test_more_is_said_where_it_is_asked_for() -> None:
    assert told(events.Answered(1, "log", 1), verbose=True)[1:] == ["  Answer: log"]
    assert told(built(0), verbose=True)[1:] == ["  Output: log"]


def test_what_a_model_or_a_build_said_moves_no_cursor() -> None:
    assert told(built(2, "\x1b[2J"))[0] == "  FAIL (exit status 2): \\x1b[2J"
    assert told(events.Rejected(1, ("\x1b",)))[1] == "    \\x1b"
