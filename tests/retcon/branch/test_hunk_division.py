"""Hunks divided by named lines: whole statements, any subset, and together the source."""

import ast
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.git.difference import Difference, compare_trees
from git_retcon.retcon.branch.granularity import StatementGranularity
from git_retcon.retcon.branch.hunk_division import (
    carry_division,
    divide_hunks,
    list_borders,
)
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

LONG = "def total(\n    rows,\n    tax,\n):\n    return sum(rows) + tax\n"
BEFORE = "a = 1\nb = 2\nc = 3\n\n\ndef last():\n    return a\n"
AFTER = f"a = 10\nb = 20\nd = 4\ne = f(\n    4,\n)\n\n\n{LONG}\n\ndef last():\n    return a\n"


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    """One hunk: three statements that became four, and a new function."""
    branch(repo, {"a.py": BEFORE}, {"a.py": AFTER})
    found = compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))
    assert [(len(atom.removed), len(atom.added)) for atom in found.atoms] == [(3, 13)]
    return found


def content(repo: TestRepository, tree: str) -> str:
    return repo.git("cat-file", "blob", f"{tree}:a.py") + "\n"


def test_a_part_and_the_rest_are_hunks(repo: TestRepository, whole: Difference) -> None:
    first = whole.atoms[0].id
    divided = divide_hunks(whole, [f"{first[:6]}:1,4"])
    assert [atom.id for atom in divided.atoms] == [
        f"{first}:1,4",
        f"{first}:2-3,5-16",
    ]
    tree = divided.tree([f"{first}:1,4"])
    assert content(repo, tree) == BEFORE.replace("a = 1\n", "a = 10\n")
    assert divided.tree([atom.id for atom in divided.atoms]) == whole.target


def test_what_is_added_comes_behind_what_is_removed(
    repo: TestRepository, whole: Difference
) -> None:
    first = whole.atoms[0].id
    divided = divide_hunks(whole, [f"{first}:2", f"{first}:6"])
    ids = [f"{first}:{lines}" for lines in ("1", "2", "3-5", "6", "7-16")]
    assert [atom.id for atom in divided.atoms] == ids
    tree = divided.tree([f"{first}:2", f"{first}:6"])
    assert content(repo, tree) == BEFORE.replace("b = 2\nc = 3\n", "c = 3\nd = 4\n")


@given(st.data())
def test_any_parts_tile_a_hunk_and_any_subset_of_them_parses(
    whole: Difference, data: st.DataObject
) -> None:
    lines = st.tuples(st.integers(1, 16), st.integers(1, 16)).map(sorted)
    named = data.draw(st.lists(st.lists(lines, min_size=1, max_size=2), min_size=1, max_size=4))
    texts = [",".join(f"{a}-{b}" for a, b in each) for each in named]
    divided = divide_hunks(whole, [f"{whole.atoms[0].id}:{text}" for text in texts])
    ids = [atom.id for atom in divided.atoms]
    assert len(set(ids)) == len(ids)
    assert divided.tree(ids) == whole.target
    chosen = [each for each in ids if data.draw(st.booleans())]
    text = splice(divided, chosen)
    ast.parse(text)


def splice(divided: Difference, chosen: list[str]) -> bytes:
    """The file with these hunks, by the words of ``Difference``: old lines and chosen atoms."""
    lines: list[bytes] = []
    at = 0
    for atom in divided.atoms:
        if atom.id in chosen:
            lines += [*divided.texts[b"a.py"].old[at : atom.old.start], *atom.added]
            at = atom.old.stop
    return b"".join([*lines, *divided.texts[b"a.py"].old[at:]])


DECORATED = "def last():\n    return 1\n"
LISTED = "@first\n@second(\n    3,\n    4,\n)\n@third(5)\n"


def test_decorators_that_are_added_together_can_be_named_one_by_one(repo: TestRepository) -> None:
    branch(repo, {"a.py": DECORATED}, {"a.py": LISTED + DECORATED})
    found = compare_trees(
        repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"), granularity=StatementGranularity()
    )
    (one,) = found.atoms
    assert list_borders(found, one.id) == [1, 5]
    divided = divide_hunks(found, [f"{one.id}:2-5"])
    assert [atom.id for atom in divided.atoms] == [f"{one.id}:{each}" for each in ("1", "2-5", "6")]
    for number in range(4):
        for taken in itertools.combinations(divided.atoms, number):
            text = content(repo, divided.tree([atom.id for atom in taken]))
            ast.parse(text)
            assert (
                text == b"".join(line for atom in taken for line in atom.added).decode() + DECORATED
            )


@pytest.mark.parametrize(
    "more", [DECORATED, "# why\n@other\n", "x = 1\n"], ids=["definition", "comment", "statement"]
)
def test_a_decorator_is_not_cut_from_what_else_is_added_with_it(
    repo: TestRepository, more: str
) -> None:
    branch(repo, {"a.py": DECORATED}, {"a.py": f"@first\n{more}{DECORATED}"})
    whole = compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))
    assert 1 not in list_borders(whole, whole.atoms[0].id)


def test_the_lines_that_a_hunk_can_be_cut_behind_are_known(whole: Difference) -> None:
    assert list_borders(whole, whole.atoms[0].id) == [1, 2, 3, 4, 5, 6, 9, 10, 11]


def test_parts_keep_their_ids_when_the_rest_is_found_again(
    repo: TestRepository, whole: Difference
) -> None:
    first = whole.atoms[0].id
    divided = divide_hunks(whole, [f"{first}:1,4"])
    tree = divided.tree([f"{first}:1,4"])
    again = compare_trees(repo.open(), tree, whole.target, granularity=StatementGranularity())
    assert f"{first}:2-3,5-16" not in again
    carried = carry_division(divided, again)
    assert [atom.id for atom in carried.atoms] == [
        f"{first}:2-3,5-6",
        f"{first}:7-11",
        f"{first}:12-16",
    ]


def test_a_part_that_the_branch_changed_is_another_one(
    repo: TestRepository, whole: Difference
) -> None:
    first = whole.atoms[0].id
    changed, kept = f"{first}:1-10", f"{first}:11-16"
    divided = divide_hunks(whole, [changed])
    assert [atom.id for atom in divided.atoms] == [changed, kept]
    repo.commit("by hand", {"a.py": BEFORE.replace("b = 2", "b = 99")})
    after = compare_trees(repo.open(), repo.tree("HEAD"), whole.target)
    carried = carry_division(divided, after)
    assert changed not in carried
    assert kept in carried
