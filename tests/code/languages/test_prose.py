"""What is known of text and lists."""

import pytest

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.prose import LISTING, MARKDOWN, RST, TEXT
from tests.code.languages.reading import attached, defined


def test_only_marked_headings_are_seen_in_one_line() -> None:
    assert defined(b"a.md", "## Getting *started* ##\ndef f():\n#no\n") == ["Getting *started*"]
    assert defined(b"a.rst", "Title\n=====\n# def f\n") == []
    assert defined(b"a.txt", "def f():\n") == []


@pytest.mark.parametrize(
    "path",
    [
        *(b"CODEOWNERS", b".github/CODEOWNERS", b".gitignore", b"constraints.in", b"MANIFEST.in"),
        *(b"a/requirements-dev.txt", b"requirements/dev.txt", b".mailmap"),
    ],
)
def test_lists(path: bytes) -> None:
    assert language_of(path) is LISTING
    assert attached(path, "  # why")


def test_an_item_of_a_list_is_whole() -> None:
    entries = LISTING.entries
    assert entries is not None
    assert entries.match(b"a>=1\n")
    assert not entries.match(b"a==1 \\\n")
    assert not entries.match(b"# a\n")


def test_bullets() -> None:
    for language in (TEXT, MARKDOWN, RST):
        assert language.entries is not None
        assert language.entries.match(b"  12. b\n")
        assert not language.entries.match(b"-c\n")
