"""Commits in another order: each keeps its bytes, and the comment above it."""

import tomllib

from git_retcon.retcon.spec.commit_order import CommitEntry, rearrange_commits
from git_retcon.retcon.spec.layout import divide_text

TEXT = '''\
# the head
source = "a"

# about one
[[commit]]
message = "One"  # why
hints = "x"

# inside one

# about two
[[commit]]
message = """
Two

A body."""

[other]
x = 1
'''
MESSAGES = ["One", "Two\n\nA body."]


def rearrange(*wanted: CommitEntry) -> str:
    return rearrange_commits(divide_text(TEXT), MESSAGES, wanted)


def test_the_same_commits_are_the_same_text() -> None:
    assert rearrange(CommitEntry(0, "One"), CommitEntry(1, MESSAGES[1])) == TEXT


def test_comments_go_with_their_commits() -> None:
    assert rearrange(CommitEntry(1, MESSAGES[1]), CommitEntry(0, "One")) == (
        '# the head\nsource = "a"\n\n# about two\n[[commit]]\nmessage = """\nTwo\n\nA body."""\n\n'
        '# about one\n[[commit]]\nmessage = "One"  # why\nhints = "x"\n\n# inside one\n\n'
        "[other]\nx = 1\n"
    )


def test_messages_change_and_commits_come_and_go() -> None:
    text = rearrange(CommitEntry(None, 'A "new" one'), CommitEntry(1, "Three\n\nA body."))
    assert [each["message"] for each in tomllib.loads(text)["commit"]] == [
        'A "new" one', "Three\n\nA body.",
    ]  # fmt: skip
    assert "about one" not in text
    assert "about two" in text
