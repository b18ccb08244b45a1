"""Entries in TOML: what is written is read back, and all the rest of the commit stays."""

import re
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
    make_writable,
    read_event,
)
from git_retcon.retcon.spec.history_entries import (
    add_inline,
    write_inline,
    write_message,
    write_section,
)
from git_retcon.retcon.spec.layout import UnwritableTable

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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{ message = "a", history = ["complete"] }', '{ message = "a" }'),
        ('{ message = "a", history = ["complete"], hints = "" }', '{ message = "a", hints = "" }'),
        ('{ history = ["complete"], message = "a" }', '{ message = "a" }'),
        ('{message="a",history=[]}', '{message="a"}'),
        ('{message="a",history=[],hints=""}', '{message="a",hints=""}'),
    ],
)
def test_an_empty_history_leaves_a_line_as_if_it_had_never_been_there(
    before: str, after: str
) -> None:
    assert write_inline(f"commit = [{before}]\n", 0, []) == f"commit = [{after}]\n"


def test_a_text_of_tables_is_no_list_of_one_line() -> None:
    with pytest.raises(UnwritableTable):
        write_inline("[[commit]]\n" + BODY, 0, [Complete()])


@given(texts)
def test_any_message_is_read_back(message: str) -> None:
    assert tomllib.loads(write_message(message)) == {"message": message}


A, B = CommitCreated("aaaa"), CommitCreated("bbbb")


@pytest.mark.parametrize(
    ("before", "history", "after"),
    [
        ("history = []  # mine", [A], 'history = [\n    { commit_created = "aaaa" },\n]  # mine'),
        ('history = [\n    "complete",\n]  # mine', [], "history = []  # mine"),
        ("history = [ ]  # mine", [], "history = []  # mine"),
        ('history = ["complete"]', [A], 'history = [{ commit_created = "aaaa" }]'),
        (
            'history = ["complete", { stuck = "no" }]',
            [A],
            'history = [{ commit_created = "aaaa" }]',
        ),
        (
            'history = [{ commit_created = "aaaa" }, "complete"] # mine',
            [B],
            'history = [{ commit_created = "bbbb" }] # mine',
        ),
        (
            """\
history = [
    # of the first
    { commit_created = "aaaa" }, # made
    { stuck = "why" }, # read this
    "complete",
    # the end
] # mine""",
            [B],
            """\
history = [
    # of the first
    { commit_created = "bbbb" }, # made
    # read this
    # the end
] # mine""",
        ),
        (  # a comma before its entry, which tomlkit forgets
            'history = [\n    "complete" # one\n  , "complete" # two\n]',
            [A],
            'history = [\n    { commit_created = "aaaa" } # one\n  ,  # two\n]',
        ),
        (
            'history = [\n    "complete" # one\n  , "complete" # two\n]',
            [],
            "history = [\n    # one\n    # two\n]",
        ),
    ],
)
def test_a_history_that_is_rewritten_keeps_place_and_comments(
    before: str, history: list[Event], after: str
) -> None:
    body = f'message = "m"\n{before}\nticket = 17\n'
    assert write_section(body, history) == f'message = "m"\n{after}\nticket = 17\n'


def test_comments_of_history_tables_move_into_the_array() -> None:
    body = """\
message = "m"
[[commit.history]] # one
commit_created = "aaaa" # made
# in between
[[commit.history]]
# why
stuck = "no"

# of the next commit
"""
    kept = """\
message = "m"
history = [
    # one
    # made
    # in between
    { commit_created = "aaaa" },
    # why
    { stuck = "no" },
    "complete",
]

# of the next commit
"""
    assert write_section(body, [A, Stuck("no"), Complete()]) == kept
    without_entries = "".join(
        line for line in kept.splitlines(keepends=True) if not line.endswith(("},\n", '",\n'))
    )
    assert write_section(body, []) == without_entries


PLAIN: dict[str, Event] = {
    '{ commit_created = "aaaa" }': A,
    "{commit_created='bbbb'}": B,
    '{ stuck = "no" }': Stuck("no"),
    "'complete'": Complete(),
}
plain = st.lists(st.sampled_from(list(PLAIN.values())), max_size=5)
remarks = st.sampled_from(["", " # one\n", "\n# two\n", " # three\n  "])


@pytest.mark.slow
@given(
    st.lists(st.tuples(remarks, st.sampled_from(list(PLAIN)), remarks, remarks), max_size=4),
    remarks,
    plain,
    plain,
)
def test_no_comment_is_ever_lost(
    entries: list[tuple[str, str, str, str]], end: str, first: list[Event], then: list[Event]
) -> None:
    inside = "".join(f"{before}{value}{behind},{after}" for before, value, behind, after in entries)
    body = f'history = [{inside}{end}] # mine\nmessage = "m"\n'
    written = body
    for history in (first, then):
        written = write_section(written, history)
        assert read("[[commit]]\n" + written) == tuple(history)
        assert written.startswith("history = [")
        assert written.endswith('] # mine\nmessage = "m"\n')
        assert sorted(re.findall(r"# \w+", written)) == sorted(re.findall(r"# \w+", body))
    assert write_section(body, [PLAIN[value] for _, value, _, _ in entries]) == body


def test_bytes_that_are_no_text_are_escaped() -> None:
    assert make_writable(Stuck("a\udcff")) == Stuck("a\\udcff")
    assert make_writable(Resolved("\udc80")) == Resolved("\\udc80")
    assert make_writable(CommitCreated("a1b2")) == CommitCreated("a1b2")


SPLIT = """\
message = "m"
[[commit.history]]
stuck = "a"
[commit.notes]
x = 1
[[commit.history]]
stuck = "b"
"""


def test_a_history_that_cannot_be_written_alone_is_refused() -> None:
    """tomlkit gathers tables that are apart."""
    for history in ([A], []):
        with pytest.raises(UnwritableTable):
            write_section(SPLIT, history)


def test_no_value_of_another_key_is_in_the_way() -> None:
    body = 'message = "m"\nratio = nan\nwhen = 1979-05-27 07:32:00Z\nbig = 1_000\n'
    for made in (write_section(body, [A]), write_section(write_section(body, [A]), [])):
        assert made.startswith(body)
    inline = 'commit = [{ message = "a", ratio = nan }]\n'
    assert read(write_inline(inline, 0, [A])) == (A,)


def test_an_entry_stays_on_a_line_of_its_own() -> None:
    once = write_section("history = [ # mine\n]\n", [A])
    assert once == 'history = [ # mine\n    { commit_created = "aaaa" },\n]\n'
    packed = write_section('history = [\n    "complete"]\n', [Complete(), A])
    assert packed == 'history = [\n    "complete",\n    { commit_created = "aaaa" },\n]\n'


def test_a_list_of_one_line_keeps_its_spaces() -> None:
    spaced = 'commit = [ { message = "a" }, { message = "b" } ]\n'
    tight = 'commit = [{message = "a"}, {message = "b"}]\n'
    assert write_inline(spaced, 0, [Complete()]) == (
        'commit = [ { message = "a", history = ["complete"] }, { message = "b" } ]\n'
    )
    assert write_inline(tight, 1, [Complete()]) == (
        'commit = [{message = "a"}, {message = "b", history = ["complete"]}]\n'
    )
