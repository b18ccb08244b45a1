"""A logical commit: what it claims, what it is called, and when it counts as changed."""

from dataclasses import replace

import pytest

from git_retcon.files.patterns import Case
from git_retcon.retcon.spec.history import CommitCreated, Complete, Resolved, Stuck
from git_retcon.retcon.spec.model import LogicalCommit, Spec

COMMIT = LogicalCommit("Add x\n\nBody", "hints", ("src/*.py",), ("src/no.py",))


def test_the_subject_is_the_first_line() -> None:
    assert LogicalCommit("\n Add x \nBody").subject == "Add x "
    assert COMMIT.subject == "Add x"


def test_files_and_exclude_are_patterns_and_case_is_gits() -> None:
    assert COMMIT.claims(b"src/a.py", Case.MATTERS)
    assert not COMMIT.claims(b"src/a.PY", Case.MATTERS)
    assert COMMIT.claims(b"src/a.PY", Case.IGNORED)
    assert COMMIT.excludes(b"src/no.py", Case.MATTERS)
    assert not COMMIT.excludes(b"src/a.py", Case.MATTERS)


def test_without_patterns_nothing_is_claimed() -> None:
    assert not LogicalCommit("Add x").claims(b"a", Case.MATTERS)
    assert not LogicalCommit("Add x").excludes(b"a", Case.MATTERS)


@pytest.mark.parametrize(
    "edit", [{"message": "y"}, {"hints": ""}, {"files": ()}, {"exclude": ("src/no.py", "b")}]
)
def test_an_edit_changes_the_digest(edit: dict[str, object]) -> None:
    assert replace(COMMIT, **edit).digest != COMMIT.digest  # type: ignore[arg-type]


def test_its_history_does_not_change_the_digest() -> None:
    assert replace(COMMIT, history=(Complete(),)).digest == COMMIT.digest


def test_all_commits_but_the_first_are_wips() -> None:
    made = (CommitCreated("aaaa"), CommitCreated("bbbb"), CommitCreated("cccc"))
    assert LogicalCommit("x").wips == 0
    assert LogicalCommit("x", history=made[:1]).wips == 0
    assert LogicalCommit("x", history=made).wips == 2
    assert LogicalCommit("x", history=made).commits == ("aaaa", "bbbb", "cccc")


def test_the_last_summary_is_kept_when_it_went_on() -> None:
    history = (Stuck("first"), Resolved("note"), Stuck("second"), CommitCreated("aaaa"))
    assert LogicalCommit("x", history=history).last_summary == "second"
    assert LogicalCommit("x", history=history[1:2]).last_summary is None


def test_only_the_last_commit_of_that_message_is_the_leftover() -> None:
    message = "WIP: remaining changes from feature"
    commits = (LogicalCommit(message), LogicalCommit(message))
    spec = Spec("feature", "main", "clean", commits)
    assert [spec.is_leftover(index) for index in (0, 1)] == [False, True]
    assert not Spec("other", "main", "clean", commits).is_leftover(1)


def test_only_commits_that_were_created_are_its_commits() -> None:
    history = (CommitCreated("aaaa"), Stuck("no"), Resolved("yes"), Complete())
    assert LogicalCommit("x", history=history).commits == ("aaaa",)
    assert LogicalCommit("x", history=history).wips == 0


def test_a_digest_is_short_and_the_same_everywhere() -> None:
    """It is in notes, which are pushed."""
    assert LogicalCommit("x").digest == "baf1e934af6b77e8"
    assert COMMIT.digest == "59743f4f9d304371"
