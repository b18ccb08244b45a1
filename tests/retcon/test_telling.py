"""What a run tells people is said as a person would."""

import io

import pytest

from git_retcon.retcon import events
from git_retcon.retcon.telling import Teller
from git_retcon.show.style import When, style_for


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            events.Extracted(1, 1, 0),
            "    1 piece taken, 1 of them unsure (--explain says why); 0 left",
        ),
        (events.Extracted(2, 0, 1), "    2 pieces taken; 1 left"),
        (events.DiffComputed(1, 1), "  Computing diff (1 line)..."),
    ],
)
def test_numbers_agree_with_their_nouns(event: events.Event, line: str) -> None:
    stream = io.StringIO()
    Teller(stream, style_for(stream, When.NEVER, None, {}), verbose=True)(event)
    assert stream.getvalue() == f"{line}\n"
