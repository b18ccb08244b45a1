"""No commit of a plan lacks a name that its base and its source have."""

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.lacking_names import LackingNames
from git_retcon.retcon.planner.python_states import PythonStates
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, pairs, placed, planned

# The attribute "owner" is in the old text, so words alone do not tell what "owner" below means.
BEFORE = """\
def show(item):
    return item.owner


def count(items):
    return len(items)


def lead(items):
    first = items[0]
    return first
"""
AFTER = """\
def owner(item):
    return item.owner


def show(item):
    return item.owner


def count(items):
    return len(set(map(owner, items)))


def lead(items):
    return items[0]
"""


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    return branch(repo, {"a.py": BEFORE}, {"a.py": AFTER})


def test_what_brings_a_name_comes_before_what_needs_it(whole: Difference) -> None:
    facts = read_facts(whole)
    reader = LackingNames(PythonStates(facts, whole.texts), Vocabulary(facts, whole.texts))
    backwards = range(len(facts))[::-1]
    found = pairs(whole, reader.find_pairs(backwards))
    assert ("def owner(item):", "return len(set(map(owner, items)))") in found

    # In order, it is the variable that goes while it is still returned.
    found = pairs(whole, reader.find_pairs(range(len(facts))))
    assert found == {("return first", "return items[0]")}
    assert not list(reader.find_pairs([0] * len(facts)))


def test_a_plan_orders_what_words_do_not_tell(whole: Difference) -> None:
    made = planned(whole, ["Count distinct items of a set, len, map", "Add the owner of an item"])
    places = placed(whole, made)
    owner = next(place for text, place in places.items() if b"def owner" in text)
    user = next(place for text, place in places.items() if b"map(owner" in text)
    assert owner <= user


def test_names_that_an_end_lacks_order_nothing(repo: TestRepository) -> None:
    """A builtin of a plug-in, say: the file is no worse than its ends."""
    found = branch(repo, {"a.py": "x = given\n\n\ny = 1\n"}, {"a.py": "x = given, 1\n\n\ny = 2\n"})
    facts = read_facts(found)
    reader = LackingNames(PythonStates(facts, found.texts), Vocabulary(facts, found.texts))
    assert len(facts) == 2
    assert not list(reader.find_pairs([1, 0]))
