"""Paths from a model: the one table of what no command takes, in every spelling."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.files.untrusted_paths import (
    ForbiddenPath,
    clean_path,
    fold_path,
    is_in_git_folder,
    is_short_name,
    list_parents,
    list_spellings,
)

HOSTILE = (
    (b"/etc/passwd", "absolute paths are not allowed"),
    (b"//server/share", "absolute paths are not allowed"),
    (b"C:/x", "absolute paths are not allowed"),
    (b"c:x", "absolute paths are not allowed"),
    (b"Z:", "absolute paths are not allowed"),
    (b"../x", "path traversal"),
    (b"a/../b", "path traversal"),
    (b"a/..", "path traversal"),
    (b"./..", "path traversal"),
    (b"a\\..\\b", "backslashes"),
    (b"a\\b", "backslashes"),
    (b"a/", "a folder"),
    (b"a/.", "a folder"),
    (b".", "a folder|no file"),
    (b"", "no file"),
    (b"./", "a folder"),
    (b"a\0b", "invisible"),
    (b"a\nb", "invisible"),
    (b"a\x7fb", "invisible"),
    (b"a\x1b[2Jb", "invisible"),
    ("a\x85b".encode(), "invisible"),
    ("a\u202eb".encode(), "invisible"),  # the rest is shown from right to left
    ("a\u2066b".encode(), "invisible"),
    ("a\u200db".encode(), "invisible"),  # zero width
    ("a\u200bb".encode(), "invisible"),
    ("\ufeffa".encode(), "invisible"),
    ("a\u2028b".encode(), "invisible"),
    ("a\U000e0041".encode(), "invisible"),  # a tag: text that only a model reads
    (b"\xff\xfe", "not UTF-8"),
    (b"\xed\xa0\x80", "not UTF-8"),  # a surrogate
    (b"\xc0\xaf", "not UTF-8"),  # a slash in two bytes
    (b"x" * 256, "too long"),
    (("é" * 128).encode(), "too long"),
    (b"/".join([b"x" * 200] * 30), "too long"),
    (b".git", "git's own folder"),
    (b".git/config", "git's own folder"),
    (b".git/hooks/pre-commit", "git's own folder"),
    (b"sub/.git/config", "git's own folder"),
    (b".GIT/config", "git's own folder"),
    (b"git~1/config", "git's own folder"),
    (b"GIT~1", "git's own folder"),
    (b"git~4/x", "git's own folder"),
    (b"git~12/x", "git's own folder"),
    (b".git./config", "git's own folder"),
    (b".git /config", "git's own folder"),
    (b".git. . /config", "git's own folder"),
    (b".git::$INDEX_ALLOCATION/config", "git's own folder"),
    (b".git:stream", "git's own folder"),
    ("\uff0egit/config".encode(), "git's own folder"),
    (".ＧＩＴ/config".encode(), "git's own folder"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "why"), HOSTILE)
def test_a_hostile_path_is_refused_with_the_reason(name: bytes, why: str) -> None:
    with pytest.raises(ForbiddenPath, match=why):
        clean_path(name)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"src/a.py", b"src/a.py"),
        (b"./src//a.py", b"src/a.py"),
        (b"src/./a.py", b"src/a.py"),
        (b"...", b"..."),
        (b"..a/b..", b"..a/b.."),
        (b"a b/c d", b"a b/c d"),
        (b"1:/x", b"1:/x"),
        (b"x" * 255, b"x" * 255),
        (b".gitignore", b".gitignore"),
        (b"git/x", b"git/x"),
        (b"a.git/x", b"a.git/x"),
        (b"git~x/a", b"git~x/a"),
        (b"~1", b"~1"),
        ("größe/ä".encode(), "größe/ä".encode()),
    ],
)
def test_an_ordinary_path_is_cleaned(name: bytes, path: bytes) -> None:
    assert clean_path(name) == path


def test_a_path_of_the_greatest_length_is_taken() -> None:
    longest = b"/".join([b"x" * 255] * 16)
    assert len(longest) == 4095
    assert clean_path(longest) == longest
    assert clean_path(longest[:-1] + b"/x") == longest[:-1] + b"/x"
    with pytest.raises(ForbiddenPath, match="too long"):
        clean_path(longest + b"/x")


@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda t: t.encode("utf-8", "replace")))
def test_a_cleaned_path_is_relative_and_clean_again(name: bytes) -> None:
    try:
        path = clean_path(name)
    except ForbiddenPath:
        return
    assert clean_path(path) == path
    assert not path.startswith(b"/")
    assert not {b"", b".", b".."} & set(path.split(b"/"))


@given(
    st.sampled_from([".git/config", "a/.git", "git~1/x", ".git./x"]),
    st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
    st.data(),
)
def test_no_spelling_leads_into_gits_own_folder(name: str, form: str, data: st.DataObject) -> None:
    flips = data.draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    cased = "".join(c.swapcase() if flip else c for c, flip in zip(name, flips, strict=True))
    assert is_in_git_folder(unicodedata.normalize(form, cased).encode())  # type: ignore[arg-type]


def test_what_hfs_ignores_hides_nothing() -> None:
    for char in "\u200c\u200d\u200e\u200f\u202a\u202e\u206a\u206f\ufeff":
        assert is_in_git_folder(f".g{char}it/config".encode())


def test_ntfs_shortens_a_name_to_a_stem_and_a_number() -> None:
    assert is_short_name("gitign~1", "gitign")
    assert is_short_name("gi250a~4", "gitign", "gi250a")
    assert is_short_name("gi250~10", "gi250a")
    assert is_short_name("gi25~100", "gi250a")
    assert not is_short_name("gi25~1", "gi250a")
    assert not is_short_name("gitign", "gitign")
    assert not is_short_name("gitign~", "gitign")
    assert not is_short_name("gitign~x", "gitign")
    assert not is_short_name("~1234567", "gitign")


def test_a_path_is_compared_part_by_part() -> None:
    assert fold_path("A /b.:x/ﬁ/É".encode()) == "a/b/fi/é"
    assert fold_path(b"a\xff/B") == "a/b"  # looser than any file system


def test_spellings_are_composed_and_decomposed() -> None:
    assert list_spellings(b"plain") == (b"plain",)
    assert list_spellings("é".encode()) == ("é".encode(), "e\u0301".encode())
    assert list_spellings(b"\xff") == (b"\xff",)


def test_parents_are_reported_from_the_top() -> None:
    assert list(list_parents(b"a/b/c")) == [b"a", b"a/b"]
    assert list(list_parents(b"a")) == []
