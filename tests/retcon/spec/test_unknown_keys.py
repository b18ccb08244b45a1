"""A key that is not read is named once, with what was probably meant."""

import tomllib

import pytest

from git_retcon.retcon.spec.unknown_keys import UnknownKey, find_unknown_keys


def unknown(text: str) -> list[UnknownKey]:
    return list(find_unknown_keys(tomllib.loads(text)))


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        ("hint", "did you mean 'hints'?"),
        ("Message", "did you mean 'message'?"),
        ("remote", "it counts only above the first [[commit]]"),
        ("ticket", ""),
    ],
)
def test_a_key_of_a_commit_is_named_with_what_was_meant(key: str, remedy: str) -> None:
    text = f'[[commit]]\nmessage = "m"\n[[commit]]\n{key} = "x"\n'
    assert unknown(text) == [UnknownKey(key, 1, remedy)]


def test_a_key_of_many_commits_is_named_once() -> None:
    text = '[[commit]]\nticket = 1\n[[commit]]\nticket = 2\nowner = "x"\n'
    assert [(found.key, found.commit) for found in unknown(text)] == [("ticket", 0), ("owner", 1)]


def test_at_the_top_only_a_key_that_is_nearly_one_we_read_is_named() -> None:
    assert unknown("reviewers = 1\n[tool.x]\ny = 1\n") == []
    assert unknown('biuld = "make"\n') == [UnknownKey("biuld", None, "did you mean 'build'?")]


def test_every_key_that_is_read_is_known() -> None:
    top = 'source = "a"\nremote = "b"\ncleaned = "c"\nsetup = ""\nbuild = ""\ntest = ""\n'
    top += "worktree = true\n"
    lists = "files = []\nexclude = []\nhunks = []\nhistory = []\n"
    commit = f'[[commit]]\nmessage = "m"\nhints = ""\n{lists}'
    assert unknown(top + commit) == []
