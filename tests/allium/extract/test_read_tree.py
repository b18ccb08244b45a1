"""The trees used last are read once."""

from git_retcon.allium.extract.read_tree import ReadTrees
from tests.allium.extract.declared import Sources

FILES = {"shop/order.py": "class Order:\n    id: int\n"}


def test_one_tree_is_read_once_and_no_other_takes_its_place() -> None:
    trees = ReadTrees()
    one, two = Sources(FILES), Sources({})
    read = trees.open(one)
    assert trees.open(two) is not read
    assert trees.open(one) is read
    assert trees.open_finder(one).find_symbol(b"shop/order.py", "Order") is not None
    assert trees.open_finder(two).find_symbol(b"shop/order.py", "Order") is None


def test_those_used_longest_ago_are_forgotten() -> None:
    trees = ReadTrees()
    sources = [Sources(FILES) for _ in range(7)]
    read = [trees.open(each) for each in sources[:6]]
    assert trees.open(sources[0]) is read[0]
    trees.open(sources[6])
    assert trees.open(sources[0]) is read[0]
    assert trees.open(sources[1]) is not read[1]
