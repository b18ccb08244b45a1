"""The language of a file is known by its path, and no two languages claim the same one."""

from collections import Counter
from typing import Any

import pytest

from git_retcon.code.languages.known import KNOWN, language_of
from git_retcon.code.lazy_pattern import LazyPattern


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (b"src/a.py", "python"),
        (b"a.TSX", "javascript"),
        (b"x/Makefile", "make"),
        (b"lib.rs", "rust"),
        (b"README", "text"),
        (b"odd.\xff", "text"),
        (b"docs/requirements.txt", "list"),
        (b"requirements/test.txt", "list"),
        (b".dockerignore", "list"),
        (b"doc/a.md", "markdown"),
        (b"dev-requirements/test.txt", "list"),
        (b"requirements.d/notes.txt", "text"),
        (b"my-requirements.in", "list"),
        (b"a.requirements/b.py", "python"),
    ],
)
def test_the_language_is_known_by_the_name(path: bytes, name: str) -> None:
    assert language_of(path).name == name


def test_no_two_languages_claim_the_same_files() -> None:
    endings = Counter(end for each in KNOWN for end in each.files.endings.split())
    names = Counter(name for each in KNOWN for name in each.files.names.split())
    assert max(endings.values()) == max(names.values()) == 1
    assert max(Counter(each.name for each in KNOWN).values()) == 1


def test_every_pattern_of_every_language_compiles() -> None:
    """They are compiled when they are first used: a slip would show in somebody's run."""
    for language in KNOWN:
        parts = [*language, *language.definitions, *language.symbols]
        patterns = [found for part in parts for found in flattened(part)]
        assert patterns
        for pattern in patterns:
            assert pattern.compiled.pattern == pattern.text


def flattened(part: object) -> list[LazyPattern[Any]]:
    if isinstance(part, LazyPattern):
        return [part]
    return [found for each in part for found in flattened(each)] if type(part) is tuple else []
