"""Relations: which hunks an answer speaks for."""

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.likeness import RELATIONS, relate_atoms
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

BEFORE = {
    "a.py": "def one():\n    old_name(1)\n\n\ndef two():\n    keep()\n    old_name(2)\n",
    "b.py": "def three():\n    old_name(3)\n",
    "tests/test_a.py": "def test_one():\n    assert one()\n",
}
AFTER = {
    "a.py": "def one():\n    new_name(1)\n\n\ndef two():\n    keep()\n    new_name(2)\n",
    "b.py": "def three():\n    new_name(3)\n",
    "tests/test_a.py": "def test_one():\n    assert one() == 1\n",
}


def related(
    whole: Difference, name: str, origins: list[dict[int, int]] | None = None
) -> list[set[int]]:
    """For each hunk the others whose answers it reads."""
    facts = read_facts(whole)
    words = Vocabulary(facts, whole.texts)
    relations = relate_atoms(facts, words, [], origins or [{} for _ in facts])
    relation = relations[RELATIONS.index(name)]
    keys = [{key for key, _ in own} for own in relation.writes]
    return [
        {at for at, own in enumerate(keys) if at != reader and own & {key for key, _ in reads}}
        for reader, reads in enumerate(relation.reads)
    ]


def test_the_same_replacement_has_the_same_signature(repo: TestRepository) -> None:
    assert related(branch(repo, BEFORE, AFTER), "signature") == [{1, 2}, {0, 2}, {0, 1}, set()]


def test_hunks_of_a_file_know_one_another_and_their_neighbours(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    assert related(whole, "file") == [{1}, {0}, set(), set()]
    assert related(whole, "before") == [set(), {0}, set(), set()]
    assert related(whole, "after") == [{1}, set(), set(), set()]


def test_a_file_and_its_test_have_one_stem(repo: TestRepository) -> None:
    assert related(branch(repo, BEFORE, AFTER), "file stem") == [{1, 3}, {0, 3}, set(), {0, 1}]


def test_source_commits_relate_what_came_with_them(repo: TestRepository) -> None:
    origins = [{0: 1}, {1: 2}, {0: 1}, {3: 1}]
    whole = branch(repo, BEFORE, AFTER)
    assert related(whole, "source", origins) == [{2}, set(), {0}, set()]
    assert related(whole, "source in file", origins) == [set(), set(), set(), set()]
    assert related(whole, "next source", origins) == [{1}, {0, 2}, {1}, set()]


def test_every_relation_is_made(repo: TestRepository) -> None:
    facts = read_facts(whole := branch(repo, BEFORE, AFTER))
    relations = relate_atoms(facts, Vocabulary(facts, whole.texts), [], [{} for _ in facts])
    assert len(relations) == len(RELATIONS)
    assert all(len(each.writes) == len(each.reads) == len(facts) for each in relations)
