"""Commits are written as git would write them, by whom git says, signed where the user signs."""

import subprocess
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.commits import Identity, check_identity, write_commit
from tests.repository import TestRepository


@pytest.mark.parametrize(
    "message",
    ["Say so\n", "Say so\n\nBecause.\n", "no newline", "  spaces kept  \n# not a comment\n", "ü\n"],
)
def test_the_object_is_the_one_git_commit_tree_writes(repo: TestRepository, message: str) -> None:
    base = repo.commit("Start", {"a": "1\n"})
    author = Identity("Grace Hopper", "grace@example.com", 1234567890, "-0730")
    ours = write_commit(repo.open(), repo.tree("HEAD"), [base], message, author)
    raw = repo.git("cat-file", "commit", ours)
    assert "author Grace Hopper <grace@example.com> 1234567890 -0730" in raw
    assert "committer Ada Lovelace <ada@example.com> 1500000000 +0000" in raw
    env = {
        "GIT_AUTHOR_NAME": "Grace Hopper",
        "GIT_AUTHOR_EMAIL": "grace@example.com",
        "GIT_AUTHOR_DATE": "1234567890 -0730",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        theirs = repo.git("commit-tree", repo.tree("HEAD"), "-p", base, stdin=message.encode())
    assert ours == theirs


def test_without_an_author_the_committer_is_the_author(repo: TestRepository) -> None:
    repo.commit("Start", {"a": "1\n"})
    oid = write_commit(repo.open(), repo.tree("HEAD"), [], "x\n")
    assert "author Ada Lovelace <ada@example.com> 1500000000 +0000" in repo.git(
        "cat-file", "commit", oid
    )


def test_git_not_knowing_who_you_are_is_said_before_any_work(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    repo.git("config", "user.useConfigOnly", "true")
    with pytest.raises(Fatal, match="git does not know who you are") as caught:
        check_identity(repo.open())
    assert caught.value.hint == "set user.name and user.email with 'git config'"


def test_commits_are_signed_with_ssh_where_the_user_signs(
    repo: TestRepository, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key), "-C", "ada"], check=True
    )
    allowed = tmp_path / "allowed"
    allowed.write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}")
    for name, value in {
        "commit.gpgsign": "true",
        "gpg.format": "ssh",
        "user.signingkey": str(key),
        "gpg.ssh.allowedSignersFile": str(allowed),
    }.items():
        repo.git("config", name, value)
    repo.git("config", "commit.gpgsign", "true")
    base = repo.commit("Start", {"a": "1\n"})
    author = Identity("Grace", "grace@example.com", 1, "+0000")
    oid = write_commit(repo.open(), repo.tree("HEAD"), [base], "signed\n", author)
    repo.git("verify-commit", oid)
    assert "author Grace <grace@example.com> 1 +0000" in repo.git("cat-file", "commit", oid)


@pytest.mark.parametrize(
    "ident",
    ["A <a@b> 1 +0000", " <> 0 -0000", "Ünï <x> 99 +0530", "A <b> C <d@e> 5 +0100"],
)
def test_idents_are_read_as_written(ident: str) -> None:
    identity = Identity.parse(ident)
    assert f"{identity.name} <{identity.email}> {identity.seconds} {identity.zone}" == ident


def test_a_key_that_cannot_sign_is_said_with_the_way_without(repo: TestRepository) -> None:
    repo.commit("Start", {"a": "1\n"})
    for key, value in {
        "commit.gpgSign": "true",
        "gpg.format": "ssh",
        "user.signingKey": str(repo.path / "absent.pub"),
    }.items():
        repo.git("config", key, value)
    with pytest.raises(Fatal, match=r"cannot sign the commit: .*absent.pub") as caught:
        write_commit(repo.open(), repo.tree("HEAD"), [], "x\n")
    assert "commit.gpgSign=false" in str(caught.value.hint)
