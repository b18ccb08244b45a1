"""Entries in TOML: what is written is read back, and all the rest of the commit stays."""

import tomllib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from git_retcon.retcon.spec.history import (
    CommitCreated,
    Complete,
    Event,
    Resolved,
    Stuck,
    read_event,
)
from git_retcon.retcon.spec.history_entries import (
    UnwritableTable,
    add_inline,
    make_writable,
    write_inline,
    write_message,
    write_section,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(CommitCreated, st.text("0123456789abcdef", min_size=4, max_size=40)),
    st.builds(Stuck, texts),
    st.builds(Resolved, texts),
    st.just(Complete()),
)
BODY = 'message = "m" # mine\nticket = 17\n\n# about the next one\n'


def read(text: str, index: int = 0) -> tuple[Event | None, ...]:
    return tuple(map(read_event, tomllib.loads(text)["commit"][index].get("history", [])))


@given(st.lists(events, max_size=4), st.lists(events, max_size=3))
def test_what_is_written_is_read_back_and_the_rest_stays(
    first: list[Event], more: list[Event]
) -> None:
    assume(first)
    written = write_section(BODY, first)
    assert read("[[commit]]\n" + written) == tuple(first)
    longer = write_section(written, [*first, *more])
    assert read("[[commit]]\n" + longer) == (*first, *more)
    for line in BODY.splitlines():
        assert line in longer.splitlines()
    assert write_section(longer, []) == BODY


@given(st.lists(events, max_size=3))
def test_a_commit_of_one_line_keeps_its_neighbours(history: list[Event]) -> None:
    text = 'commit = [ { message = "a" }, { message = "b" } ] # mine\n'
    written = write_inline(text, 1, history)
    assert read(written, 1) == tuple(history)
    assert written.startswith('commit = [ { message = "a" }, ')
    assert written.endswith(" # mine\n")
    assert tomllib.loads(add_inline(written, "c"))["commit"][2] == {"message": "c"}


def test_a_text_of_tables_is_no_list_of_one_line() -> None:
    with pytest.raises(UnwritableTable):
        write_inline("[[commit]]\n" + BODY, 0, [Complete()])


@given(texts)
def test_any_message_is_read_back(message: str) -> None:
    assert tomllib.loads(write_message(message)) == {"message": message}


def test_bytes_that_are_no_text_are_escaped() -> None:
    assert make_writable(Stuck("a\udcff")) == Stuck("a\\udcff")
    assert make_writable(Resolved("\udc80")) == Resolved("\\udc80")
    assert make_writable(CommitCreated("a1b2")) == CommitCreated("a1b2")
