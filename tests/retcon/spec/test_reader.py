"""Reading a specification: its values, or a complaint about one line with a remedy."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal, Reason
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.retcon.spec.reader import SpecReader

TOP = 'source = "s"\nremote = "r"\ncleaned = "c"\n'


def read(text: str) -> Spec:
    reader = SpecReader(Path("spec.toml"), text.encode())
    return reader.read_spec(reader.read_values())


def test_every_key_is_read() -> None:
    text = TOP + (
        'setup = "1"\nbuild = "2"\ntest = "3"\n[[commit]]\nmessage = "m"\nhints = "h"\n'
        'files = ["a"]\nexclude = ["b"]\n'
    )
    commit = LogicalCommit("m", "h", ("a",), ("b",))
    assert read(text) == Spec("s", "r", "c", (commit,), "1", "2", "3")


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ('source = "s"\n', 1, "'remote' is missing"),
        (TOP, 4, "no [[commit]]"),
        (TOP + '\n[[commits]]\nmessage = "a"\n', 5, "nothing reads 'commits'"),
        (TOP.replace('"c"', '"s"'), 3, "'cleaned' is the same branch as 'source'"),
        (TOP + "[[commit]]\n", 4, "commit 1 has no message"),
        (TOP + '[[commit]]\nmessage = "m"\nfiles = "a"\n', 6, "'files' is not a list of strings"),
        (
            TOP + '[[commit]]\nmessage = "m"\nhistory = ["x"]\n',
            6,
            "unknown history entry in",
        ),
        (TOP + '[[commit]]\nmessage = "m\\u0000"\n', 5, "'message' holds NUL"),
        (TOP + "commit = 1\n", 4, "'commit' is not a list"),
        (TOP + "x = \n", 4, "not TOML: "),
    ],
)
def test_a_complaint_names_the_line(text: str, line: int, complaint: str) -> None:
    with pytest.raises(Fatal) as caught:
        read(text)
    assert str(caught.value).startswith(f"spec.toml:{line}: {complaint}")
    assert caught.value.hint
    assert caught.value.reason is Reason.INVALID


def test_bytes_that_are_not_utf8_are_named_with_their_line() -> None:
    with pytest.raises(Fatal, match=r"spec.toml:2: not UTF-8"):
        SpecReader(Path("spec.toml"), b"a = 1\nb = '\xff'\n").read_values()


def test_what_is_not_said_is_empty() -> None:
    (commit,) = read(TOP + '[[commit]]\nmessage = "m"\n').commits
    assert commit == LogicalCommit("m", "", (), (), ())


def complaint(text: str) -> str:
    with pytest.raises(Fatal) as caught:
        read(text)
    return str(caught.value)


def test_a_list_of_commits_holds_tables_alone() -> None:
    assert complaint(TOP + "commit = [1]\n") == "spec.toml:4: 'commit' is not a list"
    assert complaint(TOP + "commit = []\n").startswith("spec.toml:5: no [[commit]]")


def test_a_table_behind_another_is_no_commits() -> None:
    text = TOP + '[[commit]]\nmessage = "m"\n[commit.notes]\na = 1\n[other]\nb = 1\n'
    read(text)
    said = "spec.toml:10: another table is between a [[commit]] and this table of it"
    assert complaint(text + "[commit.more]\nc = 1\n") == said


@pytest.mark.parametrize(
    ("entry", "shown"),
    [("x" * 58, repr("x" * 58)), ("x" * 59, "'" + "x" * 58 + "…")],
)
def test_a_long_entry_is_shown_by_its_beginning(entry: str, shown: str) -> None:
    text = TOP + f'[[commit]]\nmessage = "m"\nhistory = ["{entry}"]\n'
    assert complaint(text).endswith(shown)


def test_pins_that_are_no_list_are_told_to_be_ids() -> None:
    with pytest.raises(Fatal, match="'hunks' is not a list of strings") as caught:
        read(TOP + '[[commit]]\nmessage = "m"\nhunks = "1a99"\n')
    assert caught.value.hint == 'write hunks = ["1f3a9c20"]'


def test_a_worktree_is_true_or_false() -> None:
    commit = '[[commit]]\nmessage = "m"\n'
    assert [read(TOP + line + commit).worktree for line in ("", "worktree = true\n")] == [
        False,
        True,
    ]
    assert complaint(TOP + 'worktree = "yes"\n' + commit) == (
        "spec.toml:4: 'worktree' is not true or false"
    )
