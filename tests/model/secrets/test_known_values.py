"""A known value is found as it is, and where something breaks it."""

from git_retcon.model.secrets.known_values import find_known, find_known_over_seams
from git_retcon.model.secrets.readings import Reading

VALUES = frozenset({b"hunter2-hunter2"})


def test_each_place_of_a_value() -> None:
    assert list(find_known(b"hunter2-hunter2 hunter2-hunter2", VALUES)) == [(0, 15), (16, 31)]


def test_a_value_over_lines_and_literals() -> None:
    for written in (b"hunter2-\n+  hunter2", b'hun" + "ter2-hunter2', b"hunter2-\\\r\nhunter2"):
        text = b"a = " + written + b"."
        spans = set(find_known_over_seams(Reading(text), VALUES))
        assert {text[start:end] for start, end in spans} == {written}


def test_what_is_left_of_a_short_value_is_no_value() -> None:
    assert list(find_known_over_seams(Reading(b"a-b-c-d"), frozenset({b"-a-b-c-d"}))) == []
