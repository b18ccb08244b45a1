"""A misspelled word is recognized, another word is not taken for it."""

import pytest

from git_retcon.show.suggestion import find_similar

KNOWN = ("run", "status", "clean", "message", "hints")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("stauts", "status"),
        ("claen", "clean"),
        ("Hint", "hints"),
        ("msg", None),
        ("hunks", None),
        ("", None),
    ],
)
def test_the_nearest_word_is_meant(word: str, meant: str | None) -> None:
    assert find_similar(word, KNOWN) == meant
