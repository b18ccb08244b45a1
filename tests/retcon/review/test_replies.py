"""What is typed below a page means one thing, or it is asked again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.review.replies import Accept, Answer, Key, Split, Unclear, View, read_answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("\n", Accept({})),
        ("2 3\n", Accept({1: 2})),
        ("1-3 2", Accept({0: 1, 1: 1, 2: 1})),
        ("2 ?", Accept({1: None})),
        ("1 3, 4 1", Accept({0: 2, 3: 0})),
        ("w\n", Key("w")),
        ("Q", Key("Q")),
        ("?", Key("h")),
        ("s 2 14", Split(1, 14)),
        ("s2", Split(1)),
        ("s 5", Unclear("the hunks here are 1 to 4")),
        ("s", Unclear("name the hunk too, as in 's 2', and perhaps the line, as in 's 2 14'")),
        ("v 2", View(1)),
        ("v", Unclear("name the hunk too, as in 'v 2'")),
        ("v 5", Unclear("the hunks here are 1 to 4")),
        ("5 1", Unclear("the hunks here are 1 to 4")),
        ("0 1", Unclear("the hunks here are 1 to 4")),
        ("3-2 1", Unclear("the hunks here are 1 to 4")),
        ("1 4", Unclear("the commits are 1 to 3")),
        ("1 0", Unclear("the commits are 1 to 3")),
        ("yes", Unclear("'yes' is no answer; h shows what is one")),
        ("1 2 3", Unclear("'1 2 3' is no answer; h shows what is one")),
    ],
)
def test_each_line_has_one_meaning(line: str, answer: Answer) -> None:
    assert read_answer(line, hunks=4, commits=3) == answer


@given(st.text(max_size=12))
def test_no_line_names_what_is_not_there(line: str) -> None:
    answer = read_answer(line, hunks=4, commits=3)
    if isinstance(answer, Accept):
        assert set(answer.moves) <= set(range(4))
        assert set(answer.moves.values()) <= {None, 0, 1, 2}
