"""A question is asked once, and one that somebody took out is answered."""

import json
from collections.abc import Sequence

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.reconcile.dismissed_questions import (
    Dismissal,
    find_dismissals,
    select_dismissed,
)
from git_retcon.allium.store.module_text import MARKER, DeclarationText, cut_module
from git_retcon.git.graph import Commit, read_commit
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.allium.subcommands.test_drift_check import drift
from tests.allium.subcommands.test_reconciliation import reconcile
from tests.repository import TestRepository

PATH = "src/shop/order.py"
QUESTION = (
    '\nopen question "entity Order: field total: src/shop/order.py says it otherwise. '
    'Which one is right?"\n'
)


def list_found(repo: TestRepository, *options: str) -> list[str]:
    done = reconcile(repo, "--json", *options).ok()
    return [each["specSection"] for each in json.loads(done.out)["findings"]]


def order(kind: str, *more: str) -> dict[str, str]:
    return {PATH: entity("Order", "id", "total", *more).replace("total: int", f"total: {kind}")}


def test_a_question_that_was_taken_out_is_asked_again_when_its_code_changes(
    repo: TestRepository,
) -> None:
    repo.commit("a", order("int"))
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.commit("b", order("str"))
    evolve(repo)
    assert QUESTION in spec(repo, "shop")
    edit(repo, "shop", QUESTION, "")
    for options in ((), ("--full",)):
        assert list_found(repo, *options) == []
        assert "open question" not in spec(repo, "shop")
    repo.commit("c", order("str", "paid"))
    evolve(repo, "--reconciliation-interval", "1")
    assert "open question" not in spec(repo, "shop"), "another field changed"
    repo.commit("d", order("bool", "paid"))
    assert list_found(repo) == ["entity Order: field total"]
    assert QUESTION in spec(repo, "shop")
    assert "    total: Decimal\n" in spec(repo, "shop")


def test_a_question_that_is_left_is_not_answered_with_another_one(repo: TestRepository) -> None:
    repo.commit("a", order("int", "paid"))
    evolve(repo)
    edit(repo, "shop", ": Integer\n", ": Decimal\n")
    repo.commit("b", {PATH: order("str", "paid")[PATH].replace("paid: int", "paid: str")})
    evolve(repo)
    assert spec(repo, "shop").count("open question") == 2
    edit(repo, "shop", QUESTION, "")
    found = json.loads(drift(repo, "--json").out)["divergences"]
    assert {each["specSection"] for each in found} >= {"entity Order: field paid"}
    assert "entity Order: field total" not in {each["specSection"] for each in found}


def test_of_two_answers_the_last_one_counts(repo: TestRepository) -> None:
    repo.commit("a", order("int"))
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    for kind in ("str", "bool"):
        repo.commit(kind, order(kind))
        evolve(repo)
        list_found(repo)
        edit(repo, "shop", QUESTION, "")
    assert list_found(repo, "--full") == []
    assert drift(repo).ok().err == "no divergence\n"


def test_what_the_named_file_said_then_is_what_was_answered(repo: TestRepository) -> None:
    """Not what another file of that time said, in which the class is now."""
    then = read_commit(repo.open(), repo.commit("a", {"a.py": "1\n"}))
    now = read_commit(repo.open(), repo.commit("b", {"a.py": "2\n"}))
    said = {(then, b"old.py"): "String", (then, b"new.py"): "Integer", (now, b"new.py"): "String"}

    def read(commit: Commit, path: bytes) -> Sequence[DeclarationText] | None:
        if (kind := said.get((commit, path))) is None:
            return None
        return cut_module(
            MARKER + f"entity Order {{\n    total: {kind}\n}}\n".encode()
        ).declarations

    section = "entity Order: field total"
    finding = Finding(FindingType.MODIFICATION, section, "", ("new.py",))
    answered = {section: Dismissal("old.py", then)}
    assert [*select_dismissed([finding], answered, read, now)] == [section]
    said[now, b"new.py"] = "Integer"
    assert not [*select_dismissed([finding], answered, read, now)]


def test_the_same_contradiction_is_found_once(repo: TestRepository) -> None:
    repo.commit("a", order("int"))
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    assert list_found(repo, "--full") == ["entity Order: field total"]
    tree = repo.tree(BRANCH)
    assert list_found(repo, "--full") == []
    assert repo.tree(BRANCH) == tree
    assert reconcile(repo, "--full", "-n").ok().err.endswith("nothing to correct\n")


def test_drift_heeds_the_answer_as_a_reconciliation_does(repo: TestRepository) -> None:
    repo.commit("a", order("int"))
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.commit("b", order("str"))
    evolve(repo)
    assert drift(repo).status == 1, "nobody has answered yet"
    edit(repo, "shop", QUESTION, "")
    assert list_found(repo, "--full") == []
    assert drift(repo).ok().err == "no divergence\n"
    repo.commit("c", order("bool"))
    found = drift(repo)
    assert found.status == 1
    assert "entity Order: field total" in found.out


def test_the_hint_names_no_command_that_leaves_all_of_it(repo: TestRepository) -> None:
    """A question about what no person wrote, but a model."""
    repo.commit("a", order("int"))
    evolve(repo)
    text = spec(repo, "shop").replace("total: Integer", "total: Decimal")
    as_ours = repo.git("log", "-1", "--format=%B", BRANCH)
    repo.git("worktree", "add", "-q", "../other", BRANCH)
    other = TestRepository(repo.path.parent / "other")
    other.write({"spec/shop.allium": text})
    other.git("commit", "-q", "-a", "--amend", "-m", as_ours)
    repo.git("worktree", "remove", "--force", "../other")
    assert list_found(repo, "--full") == ["entity Order: field total"]
    found = drift(repo)
    assert found.status == 1
    assert "'git allium reconcile' corrects" not in found.err
    assert json.loads(drift(repo, "--json").out)["next"] == [["git", "allium", "accept", "--all"]]


def test_a_merge_by_hand_that_takes_a_side_without_a_question_answers_none(
    repo: TestRepository,
) -> None:
    repo.commit("a", order("int"))
    evolve(repo)
    without = repo.rev(BRANCH)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    assert list_found(repo, "--full") == ["entity Order: field total"]
    merged = repo.git("commit-tree", repo.tree(without), "-p", BRANCH, "-p", without, "-m", "Merge")
    assert find_dismissals(repo.open(), [merged]) == {}
    alone = repo.git("commit-tree", repo.tree(without), "-p", BRANCH, "-m", "Take it out")
    assert [*find_dismissals(repo.open(), [alone])] == ["entity Order: field total"]
