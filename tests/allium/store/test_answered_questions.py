"""A question goes when the specification and the source agree, whichever of them changed."""

import json

import pytest

from git_retcon.allium.store.answered_questions import drop_answered
from git_retcon.allium.store.contradictions import Contradiction
from git_retcon.allium.store.module_text import MARKER, cut_module
from git_retcon.allium.store.three_way import make_question
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import body, edit
from tests.allium.subcommands.test_reconciliation import reconcile
from tests.repository import TestRepository

PATH = "src/shop/order.py"
TOTAL = (
    '\nopen question "entity Order: field total: src/shop/order.py says it otherwise. '
    'Which one is right?"\n'
)


def order(kind: str) -> dict[str, str]:
    return {PATH: entity("Order", "id", "total").replace("total: int", f"total: {kind}")}


@pytest.fixture
def asked(repo: TestRepository) -> TestRepository:
    """Somebody wrote of a field what the source says otherwise, and is asked about it."""
    repo.commit("a", order("int"))
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.commit("b", order("str"))
    evolve(repo)
    assert TOTAL in spec(repo, "shop")
    return repo


@pytest.mark.parametrize("how", ["evolve", "reconcile"])
def test_the_source_says_now_what_people_wrote(asked: TestRepository, how: str) -> None:
    asked.commit("c", order("float"))
    evolve(asked) if how == "evolve" else reconcile(asked).ok()
    assert spec(asked, "shop").endswith("entity Order {\n    id: Integer\n    total: Decimal\n}\n")


def test_people_write_now_what_the_source_says(asked: TestRepository) -> None:
    edit(asked, "shop", "total: Decimal", "total: String")
    planned = reconcile(asked, "-n", "--full").ok()
    assert planned.err.endswith("no question any more: entity Order: field total\n")
    assert json.loads(reconcile(asked, "--full", "--json").ok().out)["findings"] == []
    assert spec(asked, "shop").endswith("entity Order {\n    id: Integer\n    total: String\n}\n")
    assert "\nNo question any more: entity Order: field total\n" in body(asked)
    tree = asked.tree(BRANCH)
    reconcile(asked, "--full").ok()
    assert asked.tree(BRANCH) == tree


def test_a_question_about_what_still_differs_stays(asked: TestRepository) -> None:
    edit(asked, "shop", "total: Decimal", "total: Boolean")
    reconcile(asked, "--full").ok()
    asked.commit("c", {PATH: order("str")[PATH] + "    paid: int\n"})
    evolve(asked)
    assert spec(asked, "shop").count("open question") == 1


ORDER = "-- Source: a.py, Order\nentity Order {\n    id: Integer\n    total: Integer\n}\n"
PAY = "rule Pay {\n    when: PayOrder(order)\n    requires: n > 1\n    requires: n > 2\n}\n"


@pytest.mark.parametrize(
    ("kind", "section", "now", "is_dropped"),
    [
        (Contradiction.SAID_OTHERWISE, "entity Order: field total", ORDER, True),
        (
            Contradiction.SAID_OTHERWISE,
            "entity Order: field total",
            ORDER.replace("id", "no"),
            True,
        ),
        (Contradiction.DECLARED_OTHERWISE, "entity Order", ORDER, True),
        (Contradiction.UNSAID, "entity Order: field gone", ORDER, True),
        (Contradiction.ITEM_REMOVED, "entity Order: field paid", ORDER, True),
        (Contradiction.DECLARATION_REMOVED, "entity Gone", ORDER, True),
        (Contradiction.SAID_OTHERWISE, "rule Pay: requires", ORDER + PAY, True),
        (Contradiction.SAID_OTHERWISE, "rule Pay: requires", ORDER, False),
        (Contradiction.SAID_OTHERWISE, "rule Pay: requires", PAY.replace("2", "3"), False),
        (Contradiction.UNSAID, "entity Order: field total", "", False),
        (Contradiction.DECLARED_OTHERWISE, "entity Order", ORDER.replace("id", "no"), False),
        (Contradiction.COMMENTED, "entity Gone", ORDER, False),
        (Contradiction.NEEDED, "entity Gone", ORDER, False),
    ],
)
def test_what_of_a_question_both_say_decides(
    kind: Contradiction, section: str, now: str, *, is_dropped: bool
) -> None:
    question = make_question(kind.ask(section, "a.py"))
    module = MARKER + f"{ORDER}\n{PAY}\n".encode() + question.text + b"\n"
    declarations, declared = (
        cut_module(text).declarations for text in (module, MARKER + now.encode())
    )
    kept = drop_answered(declarations, "a.py", declared)
    assert len(declarations) - len(kept) == is_dropped
    assert drop_answered(declarations, "b.py", declared) == list(declarations)
