"""Spec commits and their trailers."""

import dataclasses
import os

import pytest

from git_retcon.allium.history.spec_commit import (
    NO_TRAILERS,
    Account,
    Trailers,
    format_message,
    read_account,
    read_trailers,
    write_spec_commit,
)
from git_retcon.git.graph import Commit, read_commit
from tests.repository import TestRepository

OID = "0123456789" * 4


def make(message: str) -> Commit:
    who = "Ada <ada@example.com> 1500000000 +0000"
    return Commit(OID, "0" * 40, (), who, who, message)


def test_a_message_has_the_subject_the_account_and_the_trailers() -> None:
    account = Account(["Two fields.", "Changed: shop.allium"], "claude", 0.01234, "no answer")
    message = format_message(make("Add  orders\n\nBody"), account)
    assert message == (
        "allium: Add orders\n\nTwo fields.\nChanged: shop.allium\n\n"
        f"Allium-Source: {OID}\nAllium-Model: claude\nAllium-Cost: $0.0123\n"
        "Allium-Incomplete: no answer\n"
    )
    assert read_trailers(make(message)) == Trailers(OID, "claude", 0.0123, "no answer")
    assert list(read_account(make(message))) == ["Two fields.", "Changed: shop.allium"]


def test_without_an_account_there_is_no_empty_paragraph() -> None:
    message = format_message(make(""), Account([], "offline"))
    assert message.startswith("allium: (no subject)\n\nAllium-Source:")


@pytest.mark.parametrize(
    "line", [f"Allium-Source: {'1' * 40}", "x\n\nAllium-Source: " + "1" * 40 + "\n\n"]
)
def test_an_account_cannot_say_what_is_described(line: str) -> None:
    message = format_message(make("s"), Account([line], "Model\nAllium-Source: x"))
    assert read_trailers(make(message)).source == OID
    # Nobody who reads the message takes it for one either.
    assert [each for each in message.splitlines() if each.startswith("Allium-Source")] == [
        f"Allium-Source: {OID}"
    ]


def test_a_subject_of_any_length_is_one_line_of_a_bounded_one() -> None:
    message = format_message(make("word " * 10_000), Account([], "offline"))
    assert 400 < len(message.partition("\n")[0]) < 600


def test_nothing_that_a_model_says_ends_the_message_early(repo: TestRepository) -> None:
    opened = repo.open()
    source = read_commit(opened, repo.commit("Add orders"))
    source = dataclasses.replace(source, message="Add\0 orders")
    account = Account(["a\0b \ud800"], "claude", incomplete="c\0d \ud800")
    spec = write_spec_commit(opened, source, source.tree, [], account)
    text = repo.git("cat-file", "commit", spec)
    assert "allium: Add orders\n\na\\x00b \\ud800\n\n" in text
    assert "Allium-Incomplete: c\\x00d \\ud800" in text


@pytest.mark.parametrize(
    "message", ["allium: x", "x\n\nAllium-Reconciles: 1", "x\n\nAllium-Source: 12", "", "\n\n"]
)
def test_any_other_commit_tells_nothing(message: str) -> None:
    assert read_trailers(make(message)) == NO_TRAILERS


def test_people_dates_and_odd_bytes_are_copied(repo: TestRepository) -> None:
    raw = (
        b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
        b"author J\xf6rg <j@example.com> 1234567890 +0530\n"
        b"committer  <> 1234567891 -0800\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n"
    )
    repo.git("hash-object", "-t", "tree", "-w", "/dev/null")
    source = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw)
    opened = repo.open()
    found = read_commit(opened, source)
    spec = write_spec_commit(opened, found, found.tree, [], Account([], "offline"))
    text = repo.git("cat-file", "commit", spec)
    assert "author Jörg <j@example.com> 1234567890 +0530\n" in text
    assert "committer  <> 1234567891 -0800\n" in text
    assert "allium: Grüße\n" in text
    assert write_spec_commit(opened, found, found.tree, [], Account([], "offline")) == spec
    # Of no encoding that git names: byte for byte.
    source = repo.git(
        "hash-object", "-t", "commit", "-w", "--stdin",
        stdin=raw.replace(b"encoding ISO-8859-1\n", b""),
    )  # fmt: skip
    found = read_commit(opened, source)
    spec = write_spec_commit(opened, found, found.tree, [], Account([], "offline"))
    written = os.fsencode(repo.git("cat-file", "commit", spec))
    assert b"author J\xf6rg <j@example.com> 1234567890 +0530\n" in written
    assert b"allium: Gr\xfc\xdfe\n" in written
