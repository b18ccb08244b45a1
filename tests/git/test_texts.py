"""Files as lines, each read and compared once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.git import texts as module
from git_retcon.git.lines import diff_lines, split_lines
from git_retcon.git.texts import LARGEST_TEXT, Comparison, Texts
from git_retcon.git.trees import Entry
from tests.repository import TestRepository

_CONTENT = st.lists(st.sampled_from([b"a\n", b"b\n", b"\r\n", b"c", b"\x0c\n"])).map(b"".join)


def blob(repo: TestRepository, content: bytes, mode: bytes = b"100644") -> Entry:
    return Entry(mode, str(repo.open().objects.create_blob(content)))


@given(old=_CONTENT, new=_CONTENT)
def test_lines_shared_with_the_old_version_are_still_the_new_one(old: bytes, new: bytes) -> None:
    before, after = split_lines(old), split_lines(new)
    assert module._share_lines(before, after, tuple(diff_lines(before, after))) == after


def test_both_versions_are_lines_and_the_runs_lead_from_one_to_the_other(
    repo: TestRepository,
) -> None:
    old, new = blob(repo, b"1\n2\n3\n"), blob(repo, b"1\nzwei\n3\n4")
    found = Texts(repo.open().objects).compare(old, new)
    assert (found.old, found.new) == ((b"1\n", b"2\n", b"3\n"), (b"1\n", b"zwei\n", b"3\n", b"4"))
    assert [(hunk.old.start, hunk.new.start, len(hunk.new)) for hunk in found.hunks] == [
        (1, 1, 1),
        (3, 3, 1),
    ]
    # The unchanged lines are kept once.
    assert found.new[0] is found.old[0]


def test_what_was_read_is_not_read_again(repo: TestRepository) -> None:
    old, new = blob(repo, b"1\n"), blob(repo, b"2\n")
    texts = Texts(repo.open().objects)
    found = texts.compare(old, new)
    for entry in (old, new):
        (repo.path / ".git" / "objects" / entry.oid[:2] / entry.oid[2:]).unlink()
    assert texts.compare(old, new) == found
    with pytest.raises(Fatal, match="is missing"):
        Texts(repo.open().objects).lines(old)


def test_what_is_no_text_has_no_lines_and_counts_as_empty(repo: TestRepository) -> None:
    texts = Texts(repo.open().objects)
    binary, link = blob(repo, b"\0"), blob(repo, b"a", mode=b"120000")
    assert (texts.lines(None), texts.lines(binary), texts.lines(link)) == (None, None, None)
    assert texts.lines(blob(repo, b"")) == ()
    text = blob(repo, b"1\n")
    for nothing in (None, binary, link):
        assert texts.compare(nothing, text)[:2] == ((), (b"1\n",))
        assert len(texts.compare(nothing, text).hunks) == 1
    assert texts.compare(text, Entry(b"100755", text.oid)) == Comparison((b"1\n",), (b"1\n",), ())


def test_what_is_too_large_is_not_read(repo: TestRepository) -> None:
    assert Texts(repo.open().objects).lines(blob(repo, b"x" * LARGEST_TEXT)) is not None
    assert Texts(repo.open().objects).lines(blob(repo, b"x" * (LARGEST_TEXT + 1))) is None


def test_too_much_is_forgotten_and_read_again(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_KEPT", 7)
    texts = Texts(repo.open().objects)
    versions = [blob(repo, b"1\n2\n%d\n" % number) for number in range(9)]
    for number in [*range(8), *range(8)]:
        old, new = versions[number : number + 2]
        before, after, hunks = texts.compare(old, new)
        assert (before[2], after[2]) == (b"%d\n" % number, b"%d\n" % (number + 1))
        assert [(hunk.old.start, hunk.new.stop) for hunk in hunks] == [(2, 3)]
        assert len(texts._lines) <= 3
