"""The final answer of a model is checked, and made one plain line."""

import pytest

from git_retcon.retcon.engines.claude.final_answer import clean_subject, find_fault


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("add x from y", "add x from y"),
        ("WIP: wip : add x", "add x"),
        ("a\n\nSigned-off-by: x", "a Signed-off-by: x"),
        ("\x1b[31m", "[31m"),
        ("  ", ""),
    ],
)
def test_a_subject_is_one_plain_line(said: str, kept: str) -> None:
    assert clean_subject(said) == kept


def test_a_fix_needs_words_of_its_own_and_a_new_commit_has_the_users() -> None:
    said = {"verdict": "progress", "what": "", "summary": ""}
    assert find_fault(said, is_changed=True, may_be_nothing=True) is None
    assert find_fault(said, is_changed=True, may_be_nothing=False)
