"""The values that pass between the loop and an engine."""

from git_retcon.files.patterns import Case
from git_retcon.git.difference import compare_trees
from git_retcon.retcon.engine import Reason, Situation, read_case
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository

SPEC = Spec("feature", "main", "clean", (LogicalCommit("all"),))


def test_a_reason_is_put_into_words_only_when_it_is_read() -> None:
    asked = []

    def explain() -> str:
        asked.append("explained")
        return "named in the hints"

    reason = Reason(explain, 0.9)
    assert asked == []
    assert reason.why == "named in the hints"
    assert Reason.in_words("by hand", 1.0).why == "by hand"


def test_what_is_left_is_all_that_is_not_taken_in_path_order(repo: TestRepository) -> None:
    repo.commit("base", {"b": "1\n"})
    repo.commit("source", {"a": "1\n", "b": "2\n", "c": "1\n"})
    whole = compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))
    of_b = {atom.id: 0 for atom in whole.atoms if atom.path == b"b"}
    assert [atom.path for atom in Situation(SPEC, 0, whole, of_b).left] == [b"a", b"c"]


def test_patterns_regard_case_as_git_does_here(repo: TestRepository) -> None:
    repo.git("config", "core.ignoreCase", "false")
    assert read_case(repo.open()) is Case.MATTERS
    repo.git("config", "core.ignoreCase", "true")
    assert read_case(repo.open()) is Case.IGNORED
