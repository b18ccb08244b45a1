"""A first history is what the library that keeps layouts would write, or nothing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from git_retcon.retcon.spec.first_history import add_history
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, Stuck
from git_retcon.retcon.spec.history_entries import write_section

MADE: tuple[Event, ...] = (CommitCreated("12ab"), Complete())
lines = st.sampled_from(
    [
        'message = "a"\n',
        'title = "b" # mine\n',
        "files = [\n  'a', # one\n]\n",
        'hints = """\n# no comment\n\n"""\n',
        "# about the next one\n",
        "\n",
        "  \n",
        "  ticket = nan\n",
        "a.b = 1\n",
    ]
)


@given(st.lists(lines, max_size=6, unique=True), st.booleans())
@example(['message = "a"\n', "# last"], False)
def test_what_is_added_is_what_the_library_would_add(parts: list[str], is_cut: bool) -> None:
    body = "".join(parts)
    body = body.rstrip("\n") if is_cut else body
    added = add_history(body, MADE)
    assert added is None or added == write_section(body, MADE)


def test_it_goes_below_the_last_key() -> None:
    assert add_history('message = "a" # mine\n\n\n', MADE) == (
        'message = "a" # mine\n'
        "history = [\n"
        '    { commit_created = "12ab" },\n'
        '    "complete",\n'
        "]\n"
        "\n\n"
    )


@pytest.mark.parametrize(
    ("body", "history"),
    [
        ('message = "a"\n', ()),
        ('message = "a"\n', (Stuck('it says "no"'),)),
        ('message = "a"\nhistory = []\n', MADE),
        ('message = "a"\r\n', MADE),
        ('message = "a"\n# about the next one\n', MADE),
        ('message = "a"\n[commit.mine]\nkey = 1\n', MADE),
    ],
)
def test_all_else_is_left_to_the_library(body: str, history: tuple[Event, ...]) -> None:
    assert add_history(body, history) is None
