"""A hunk that was edited fits where it was, or is refused."""

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.healing.heal_run import Proposal
from git_retcon.heal.patches import FileChange, list_hunks
from git_retcon.heal.review.approval import Reviewer
from git_retcon.heal.review.hunk_editing import BadEdit, edit_hunk, join_hunks, replace_hunk
from git_retcon.show.style import Style

OLD = b"1\n2\n3\n4\n"


def test_an_edited_hunk_takes_the_place_of_its_own_lines() -> None:
    body = [b" 1\n", b"-2\n", b"+two\n", b"+more\n", b" 3\n"]
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", body) == b"1\ntwo\nmore\n3\n4\n"


def test_a_hunk_whose_lines_are_others_is_refused() -> None:
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", [b" 1\n", b"-X\n"]) is None
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", []) is None


def test_hunks_that_were_edited_and_hunks_that_were_not_go_together() -> None:
    old = b"".join(b"%d\n" % number for number in range(30)) + b"end"
    new = old.replace(b"\n3\n", b"\nthree\n").replace(b"\n15\n", b"\n").replace(b"end", b"END")
    change = FileChange(b"a", File(old), File(new))
    first, second, third = list_hunks(change)
    assert join_hunks(change, [first, second, third]) == change
    edited = join_hunks(change, [first.replace(b"three", b"drei"), third])
    assert edited.new == File(old.replace(b"\n3\n", b"\ndrei\n").replace(b"end", b"END"))


@pytest.mark.parametrize("editor", ["false", "sh -c 'echo junk >\"$1\"' -", "/no/such/editor"])
def test_an_editor_that_leaves_no_hunk_is_no_answer(
    editor: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_EDITOR", editor)
    change = FileChange(b"a", File(OLD), File(b"1\ntwo\n3\n4\n"))
    with pytest.raises(BadEdit):
        edit_hunk(change, 0)
    answers = iter(["e\n", "y\n"])
    (choice,) = Reviewer(Style(False), lambda _: next(answers)).review([Proposal((), (change,))])
    assert choice.changes == (change,)
    assert "the hunk is shown again" in capsys.readouterr().err


def test_an_empty_file_leaves_the_hunk_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "truncate -s 0")
    assert edit_hunk(FileChange(b"a", File(OLD), File(b"1\n")), 0) == b""
