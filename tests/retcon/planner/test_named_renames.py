"""A rename that a message names stays together, and "only renames" takes nothing else."""

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.named_renames import Renames
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, placed, planned

BEFORE = {
    "rows.py": "class Line:\n    size: int\n\n\ndef read(text):\n"
    "    return Line(\n        int(text)\n    )\n",
    "show.py": "from rows import Line\n\n\ndef show(row: Line):\n    print(row)\n",
}  # fmt: skip
AFTER = {
    "rows.py": "class Item:\n    size: int\n    price: int = 0\n\n\ndef read(text):\n"
    "    text, _, price = text.partition('@')\n    return Item(\n        int(text)\n    )\n",
    "show.py": "from rows import Item\n\n\ndef show(row: Item):\n    print(row)\n",
}
PRICES = "Read the price of a row, an int of its text"


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    return branch(repo, BEFORE, AFTER)


@pytest.mark.parametrize(
    "renaming",
    [
        LogicalCommit("Give rows another name", hints="Renaming only: Line is Item."),
        LogicalCommit("Only rename Line -> Item"),
    ],
)
def test_a_commit_that_only_renames_takes_what_renames_and_nothing_else(
    whole: Difference, renaming: LogicalCommit
) -> None:
    made = placed(whole, planned(whole, [renaming, PRICES]))
    assert {text for text, commit in made.items() if commit == 0} == {
        b"class Item:\n",
        b"    return Item(\n",
        b"from rows import Item\n",
        b"def show(row: Item):\n",
    }
    assert {text for text, commit in made.items() if commit == 1} == {
        b"    price: int = 0\n",
        b"    text, _, price = text.partition('@')\n",
    }


def test_what_two_commits_rename_is_tied_by_neither(whole: Difference) -> None:
    facts = read_facts(whole)
    one = LogicalCommit("Rename Line to Item")
    assert len(Renames(facts, [one, LogicalCommit(PRICES)]).pair()) == 3
    assert not Renames(facts, [one, one]).pair()
    # It may rename and do more.
    assert Renames(facts, [one]).narrow(1, (True,)) == (True,)
