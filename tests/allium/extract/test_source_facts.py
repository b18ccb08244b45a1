"""Versions of a file share what they say alike."""

import pytest

from git_retcon.allium.extract.languages import read_facts
from git_retcon.allium.extract.source_facts import FileFacts, is_alike, share_facts

SOURCE = """
from a import A, B
from shop.status import Status

class Order:
    id: int
    status: Status

def pay(order: Order):
    order.status = Status.PAID
"""


def read(source: str) -> FileFacts:
    facts = read_facts(b"shop/order.py", source.encode())
    assert facts is not None
    return facts


def test_what_says_the_same_is_the_same() -> None:
    before = read(SOURCE)
    assert share_facts(read(SOURCE + "# More\n"), before) is before


def test_all_but_the_code_of_operations_is_shared() -> None:
    before, now = read(SOURCE), read(SOURCE.replace("PAID", "LOST"))
    shared = share_facts(now, before)
    assert shared == now
    assert shared != before
    assert is_alike(shared, before)
    assert not is_alike(now, before)


@pytest.mark.parametrize(
    ("old", "new"),
    [("id: int", "id: str"), ("import A, B", "import B, A"), ("from a ", "from b ")],
)
def test_what_says_something_else_is_not_shared(old: str, new: str) -> None:
    before, now = read(SOURCE), read(SOURCE.replace(old, new))
    assert share_facts(now, before) is now
    assert not is_alike(now, before)


def test_equal_values_of_other_types_are_not_the_same() -> None:
    enum = "from enum import Enum\n\nclass Flag(Enum):\n    ON = {}\n    OFF = 2\n"
    before, now = read(enum.format("1")), read(enum.format("True"))
    assert share_facts(now, before) is now


def test_a_file_that_is_not_there_is_like_no_other() -> None:
    assert is_alike(None, None)
    assert not is_alike(read(SOURCE), None)
    assert not is_alike(None, read(SOURCE))
