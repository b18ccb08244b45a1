"""Definitions, and what is said in them, are found in files as they are now."""

from pathlib import Path

import pytest

from git_retcon.allium.reconcile.positions import Position, SourcePositions
from git_retcon.git.repository import open_repository
from tests.repository import TestRepository

SHOP = """class Order:
    total: int
    isPaid: bool

    def pay(self):
        raise ValueError("this is paid already")
        self.status = Status.PAID


class Cart:
    size: int
    total: int
"""


@pytest.fixture
def positions(repo: TestRepository) -> SourcePositions:
    repo.commit("a", {"shop.py": SHOP})
    return SourcePositions(open_repository(Path(repo.path)), repo.rev("HEAD^{tree}"))


@pytest.mark.parametrize(
    ("symbol", "item", "line"),
    [
        ("Order", "", 1),
        ("Order", "field total", 2),
        ("Order", "field is_paid", 3),
        ("Order", "edge status: new -> paid", 7),  # not the prose above it
        ("Order", "field size", 1),  # that of another class
        ("Order.pay", "", 5),
        ("Cart", "field total", 12),
        ("", "field size", 11),
        ("Nothing", "", 1),
    ],
)
def test_the_line_is_that_of_the_definition_or_of_the_word_in_it(
    positions: SourcePositions, symbol: str, item: str, line: int
) -> None:
    assert positions.find(b"shop.py", symbol, item) == Position(b"shop.py", line)


def test_a_file_that_is_not_there_has_a_first_line_and_no_more(positions: SourcePositions) -> None:
    assert positions.find(b"gone.py", "Order") == Position(b"gone.py", 1)
    assert not positions.has_file(b"gone.py")
