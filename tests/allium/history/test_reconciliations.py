"""Records and counters as text."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.history.reconciliations import (
    Counters,
    Reconciliation,
    State,
    StateNote,
    format_note,
    parse_note,
    read_reconciliation,
)

SHA = "a" * 40
BRANCH = "refs/heads/allium/evolution"
numbers = st.integers(0, 10**6)
shas = st.text("0123456789abcdef", min_size=40, max_size=40)
records = st.builds(
    Reconciliation,
    at_step=numbers,
    at_trunk_step=numbers,
    at_sha=shas,
    model=st.sampled_from(["offline", "claude-opus-5-5", "of refs/heads/x"]),
    cost=numbers.map(lambda n: n / 10_000),
    findings=numbers,
    is_skipped=st.booleans(),
    time=st.sampled_from(["", "2026-11-22T04:12:31Z"]),
    failed=numbers,
)
states = st.builds(
    State,
    st.builds(Counters, *[numbers] * 6),
    st.just(()),
    st.just(()),
) | st.builds(
    State,
    st.builds(Counters, *[numbers] * 6),
    st.lists(shas, max_size=3).map(tuple),
    st.lists(st.lists(shas, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple),
)


@given(st.none() | records, st.none() | states)
def test_a_note_is_read_as_it_was_written(
    record: Reconciliation | None, state: State | None
) -> None:
    note = format_note(None, BRANCH, record, state)
    assert parse_note(note, BRANCH) == StateNote(record, state)
    assert parse_note(note, "refs/heads/other") == StateNote(record, None)
    again = format_note(note, "refs/heads/other", None, State(Counters(1)))
    assert parse_note(again, BRANCH) == StateNote(record, state)


@given(records)
def test_a_trailer_says_what_the_note_says(record: Reconciliation) -> None:
    message = f"allium: x\n\nAllium-Source: {record.at_sha}\n{record.trailer}\n"
    found = read_reconciliation(message, record.at_sha)
    assert found == record._replace(time="")


def test_what_is_no_record_is_none() -> None:
    assert read_reconciliation("allium: x\n\nAllium-Reconciled: yesterday\n", SHA) is None
    assert read_reconciliation("Allium-Reconciled: step 1\n\nbody", SHA) is None
    assert parse_note("Reconciled: step one\nAt: nowhere", BRANCH) == StateNote(None, None)
