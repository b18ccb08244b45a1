"""What cannot be taken alone is refused, with the statement that would break."""

import pytest

from git_retcon.git.difference import Difference, compare_trees
from git_retcon.retcon.branch.hunk_cutter import UnusablePart
from git_retcon.retcon.branch.hunk_division import divide_hunks, read_part
from tests.repository import TestRepository
from tests.retcon.branch.test_hunk_division import AFTER, BEFORE
from tests.retcon.planner.building import branch


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    """One hunk: three statements that became four, and a new function."""
    branch(repo, {"a.py": BEFORE}, {"a.py": AFTER})
    return compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))


@pytest.mark.parametrize(
    ("lines", "message", "hint"),
    [
        (
            "1-7",
            "'{}:1-7' would break the statement 'e = f(' (lines 7 to 9)",
            "behind lines 1-6 and 9-11",
        ),
        ("1-17", "'{}:1-17' names lines that are not there", "hunk {} has 16 lines"),
        ("1-999999999", "'{}:1-999999999' names lines that are not there", "hunk {} has 16 lines"),
        ("3-2", "'{}:3-2' names lines that are not there", "hunk {} has 16 lines"),
        ("1,3", "'{}:1,3' names lines that are not together", "removed lines (1 to 3)"),
    ],
)
def test_what_cannot_be_taken_alone_is_refused(
    whole: Difference, lines: str, message: str, hint: str
) -> None:
    first = whole.atoms[0].id
    text = f"{first}:{lines}"
    assert divide_hunks(whole, [text]) is whole
    with pytest.raises(UnusablePart) as caught:
        read_part(whole, text)
    assert str(caught.value) == message.format(first)
    assert hint.format(first) in (caught.value.hint or "")


def test_a_definition_stays_whole(whole: Difference) -> None:
    first = whole.atoms[0].id
    with pytest.raises(UnusablePart, match=r"would break the statement 'def total\('"):
        read_part(whole, f"{first}:12-14")


def test_parts_that_cross_are_refused(whole: Difference) -> None:
    first = whole.atoms[0].id
    divided = divide_hunks(whole, [f"{first}:1,5"])
    with pytest.raises(UnusablePart, match=f"'{first}:2,4' crosses another part of its hunk"):
        read_part(divided, f"{first}:2,4")


def test_a_whole_entry_has_no_parts(repo: TestRepository) -> None:
    found = branch(repo, {"gone.txt": "one\ntwo\n"}, {"other.txt": "new\n"})
    (gone,) = (atom for atom in found.atoms if atom.path == b"gone.txt")
    with pytest.raises(UnusablePart, match="the hunk is a whole entry"):
        read_part(found, f"{gone.id}:1")
