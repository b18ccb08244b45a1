"""A misspelled word is recognized, another word is not taken for it."""

import pytest

from git_retcon.show.suggestion import find_similar, find_similar_path

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


PATHS = frozenset(("src/_client.py", "src/_config.py", "docs/Guide.md", "docs/", "bin.dat"))


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("src/_cleint.py", "src/_client.py"),
        ("DOCS/guid.md", "docs/Guide.md"),
        ("dosc/", "docs/"),
        ("bin.data", "bin.dat"),
        ("src/_wsgi.py", None),
        ("no/such/", None),
    ],
)
def test_the_nearest_path_is_meant(path: str, meant: str | None) -> None:
    assert find_similar_path(path, PATHS) == meant
