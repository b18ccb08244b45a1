"""Durations are read at a glance."""

import pytest

from git_retcon.show.durations import note_duration, show_duration, show_elapsed


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 s"),
        (59.94, "59.9 s"),
        (99.96, "1 min 40 s"),
        (124.6, "2 min 05 s"),
        (3599.7, "1 h 00 min"),
        (5400, "1 h 30 min"),
        (90000, "25 h 00 min"),
    ],
)
def test_a_duration_has_the_units_that_fit_it(seconds: float, text: str) -> None:
    assert show_duration(seconds) == text


def test_what_took_no_time_has_no_note() -> None:
    assert note_duration(0.09) == ""
    assert note_duration(0.1) == " (0.1 s)"


def test_what_goes_on_is_shown_in_whole_seconds() -> None:
    assert show_elapsed(0.4) == "0 s"
    assert show_elapsed(99.4) == "99 s"
    assert show_elapsed(99.7) == "1 min 40 s"
