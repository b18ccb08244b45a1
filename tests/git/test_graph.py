"""Names and ancestry are git's answers."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.graph import is_ancestor, merge_base, read_commit, resolve_commit
from tests.repository import TestRepository


def test_any_commit_ish_is_resolved_and_nothing_else(repo: TestRepository) -> None:
    oid = repo.commit("one", {"a": "1\n"})
    repo.git("tag", "-a", "-m", "v1", "v1")
    opened = repo.open()
    for name in ("main", "HEAD", "v1", oid[:7], "@{0}", "refs/heads/main", "main^{commit}"):
        assert resolve_commit(opened, name) == oid
    for name in ("nowhere", "HEAD^{tree}", "--all", "main:a", "", "HEAD~9"):
        assert resolve_commit(opened, name) is None


def test_merge_base_and_unrelated_histories(repo: TestRepository) -> None:
    base = repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    tip = repo.commit("topic")
    repo.git("checkout", "-q", "--orphan", "other")
    other = repo.commit("other")
    opened = repo.open()
    assert merge_base(opened, tip, base) == base
    assert merge_base(opened, tip, other) is None
    assert is_ancestor(opened, base, tip)
    assert not is_ancestor(opened, tip, base)


def test_messages_of_any_encoding_are_read(repo: TestRepository) -> None:
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repo.git("commit", "-q", "--allow-empty", "-F", "-", stdin="grün\n".encode("latin-1"))
    commit = read_commit(repo.open(), repo.rev("HEAD"))
    assert (commit.subject, commit.author) == (
        "grün",
        "Ada Lovelace <ada@example.com> 1500000000 +0000",
    )


def test_a_missing_commit_is_named(repo: TestRepository) -> None:
    repo.commit("one")
    with pytest.raises(Fatal, match=r"commit 1{40} is missing"):
        read_commit(repo.open(), "1" * 40)
