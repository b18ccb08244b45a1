"""What an entry of a history is, and the status that the last of them gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.errors import Reason
from git_retcon.retcon.spec.history import (
    CommitCreated,
    Complete,
    Event,
    Resolved,
    Status,
    Stuck,
    read_event,
    read_status,
    stuck_failure,
)

EVENTS: list[Event] = [CommitCreated("a1b2"), Stuck("why"), Resolved("done"), Complete()]


@pytest.mark.parametrize(
    ("entry", "event"),
    [
        ("complete", Complete()),
        ({"commit_created": "a1b2"}, CommitCreated("a1b2")),
        ({"stuck": "why"}, Stuck("why")),
        ({"resolved": ""}, Resolved("")),
    ],
)
def test_each_entry_of_the_specification_is_an_event(entry: object, event: Event) -> None:
    assert read_event(entry) == event


@pytest.mark.parametrize(
    "entry",
    [
        "completed",
        {},
        {"stuck": 1},
        {"stuck": "why", "complete": "x"},
        {"commit_created": "abc"},
        {"commit_created": "HEAD~1"},
        {"commit_created": "a" * 65},
        ["complete"],
        None,
    ],
)
def test_anything_else_is_none(entry: object) -> None:
    assert read_event(entry) is None


@given(st.lists(st.sampled_from(EVENTS), max_size=4))
def test_only_the_last_event_counts(before: list[Event]) -> None:
    assert read_status((*before, Complete())) is Status.COMPLETE
    assert read_status((*before, Stuck("why"))) is Status.STUCK
    assert read_status((*before, Resolved("so"))) is Status.RESOLVED
    assert read_status((*before, CommitCreated("a1b2"))) is Status.IN_PROGRESS


def test_without_any_it_is_not_started() -> None:
    assert read_status(()) is Status.NOT_STARTED


def test_programs_count_commits_from_one() -> None:
    failure = stuck_failure(0, "it does not build")
    assert failure.error == "commit 1 is stuck: it does not build"
    assert failure.reason is Reason.STUCK


def test_a_status_is_said_in_these_words() -> None:
    words = [status.value for status in Status]
    assert words == ["not started", "in progress", "stuck", "resolved", "complete"]


def test_an_id_is_hexadecimal_and_alone() -> None:
    assert read_event({"commit_created": "0123456789abcdefABCDEF"}) is not None
    assert read_event({"commit_created": "0123X"}) is None
    assert read_event({"commit_created": "a1b2", "stuck": "no"}) is None
    assert read_event({"resolved": "yes", "stuck": "no"}) is None
