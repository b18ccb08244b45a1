"""Lines are whole: what is left open, or redrawn, is ended before anything else is said."""

import io

import pytest

from git_retcon.retcon import events
from git_retcon.retcon.rebuild.terminal import RunPrinter
from git_retcon.show.style import Style


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_verdict_is_behind_its_step() -> None:
    stream = io.StringIO()
    tell = RunPrinter(stream, Style(False))
    tell(events.StepStarted("build", "make"))
    tell(events.StepEnded("build", events.Outcome.PASS))
    tell.end_line()
    assert stream.getvalue() == "  Building... PASS\n"


def test_a_warning_during_a_step_begins_a_line() -> None:
    stream = io.StringIO()
    tell = RunPrinter(stream, Style(False))
    tell(events.StepStarted("build", "make"))
    tell(events.Warned("the cache is gone"))
    tell(events.StepEnded("build", events.Outcome.PASS))
    assert stream.getvalue() == "  Building... \nwarning: the cache is gone\nPASS\n"


def test_a_step_that_is_interrupted_ends_its_line() -> None:
    stream = io.StringIO()
    tell = RunPrinter(stream, Style(False))
    tell(events.StepStarted("test", "make check"))
    tell.end_line()
    assert stream.getvalue() == "  Tests... \n"


def test_nothing_of_a_redrawn_line_stays() -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        tell = RunPrinter(stream, Style(False))
        tell(events.Trying(12, 3))
        tell(events.Fixing(1, "add x from y"))
    redrawn, _, rest = terminal.getvalue().rpartition("\r\x1b[K")
    assert redrawn == "\r\x1b[K    Trying 12 hunks (3 builds left)..."
    assert rest == pipe.getvalue()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Extracted(1, 1, 0), "    1 hunk taken, unsure (--explain says why); 0 left"),
        (
            events.Extracted(3, 1, 4),
            "    3 hunks taken, 1 of them unsure (--explain says why); 4 left",
        ),
        (
            events.Extracted(2, 2, 0),
            "    2 hunks taken, all of them unsure (--explain says why); 0 left",
        ),
        (events.Extracted(2, 0, 1), "    2 hunks taken; 1 left"),
        (events.DiffComputed(1, 1), "  Computing diff (1 line)..."),
    ],
)
def test_numbers_agree_with_their_nouns(event: events.Event, line: str) -> None:
    stream = io.StringIO()
    RunPrinter(stream, Style(False), verbose=True)(event)
    assert stream.getvalue() == f"{line}\n"


def test_who_asked_for_reasons_is_not_told_how_to_ask() -> None:
    stream = io.StringIO()
    tell = RunPrinter(stream, Style(False))
    tell(events.Explained(0, (), ()))
    tell(events.Extracted(1, 1, 0))
    assert stream.getvalue() == "    1 hunk taken, unsure; 0 left\n"
