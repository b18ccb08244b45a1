"""The rest goes to the commit that wants it, where every other says what is its own."""

import pytest

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.remainder import Remainder
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

REST = LogicalCommit("Tidy up", hints="Everything else.")


def narrowed(
    repo: TestRepository, *commits: LogicalCommit, may: tuple[bool, ...] | None = None
) -> dict[str, set[int]]:
    """Path → the commits that are left to it, of all or of those in ``may``."""
    shop = "class Shop:\n    def close(self):\n        return 1\n"
    whole = branch(repo, {"x": "1\n"}, {"x": "1\n", "lib/shop.py": shop, "b.md": "b\n"})
    facts = read_facts(whole)
    everyone = range(len(commits))
    remainder = Remainder(facts, read_descriptions(commits), commits, everyone)
    before = may or (True,) * len(commits)
    return {
        one.atom.path.decode(): {k for k, kept in enumerate(remainder.narrow(before, one)) if kept}
        for one in facts
    }


@pytest.mark.parametrize("named", ["lib/shop.py", "Shop", "lib/", "`Shop.close` and Shop"])
def test_what_is_named_goes_to_who_names_it_and_the_rest_to_who_wants_it(
    repo: TestRepository, named: str
) -> None:
    found = narrowed(repo, LogicalCommit("Shop", hints=named), REST)
    assert found == {"lib/shop.py": {0}, "b.md": {1}}


def test_a_commit_in_prose_may_mean_anything(repo: TestRepository) -> None:
    found = narrowed(repo, LogicalCommit("Shop", hints="The work of Monday."), REST)
    assert found == {"lib/shop.py": {0, 1}, "b.md": {0, 1}}


def test_a_commit_with_files_needs_no_names(repo: TestRepository) -> None:
    found = narrowed(repo, LogicalCommit("Shop", files=("lib/",)), REST)
    assert found["b.md"] == {1}


def test_a_word_of_a_path_is_no_name(repo: TestRepository) -> None:
    """lib/Shop/ is named, and not the class Shop."""
    found = narrowed(repo, LogicalCommit("S", hints="lib/Shop/ and b.md"), REST)
    assert found == {"lib/shop.py": {1}, "b.md": {0}}


def test_where_the_wanted_commit_may_not_have_it_nothing_changes(repo: TestRepository) -> None:
    found = narrowed(repo, LogicalCommit("S", hints="Shop"), REST, may=(True, False))
    assert found == {"lib/shop.py": {0}, "b.md": {0}}


def test_without_a_commit_that_wants_the_rest_nothing_changes(repo: TestRepository) -> None:
    found = narrowed(repo, LogicalCommit("S", hints="Shop"), LogicalCommit("T"))
    assert found == {"lib/shop.py": {0, 1}, "b.md": {0, 1}}
