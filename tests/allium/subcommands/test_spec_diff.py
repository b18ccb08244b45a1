"""``git allium diff`` and ``git allium map``, as their users run them."""

import json

from tests.allium.history_shapes import BRANCH, entity, evolve
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository


def make(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/order.py": "class Order:\n    total: str\n    n: int\n"})
    repo.commit("c", {"src/tax/rate.py": entity("Rate", "n"), "README": "x\n"})
    evolve(repo)


def test_what_differs_is_listed_by_declaration(repo: TestRepository) -> None:
    make(repo)
    done = allium_here(repo.path, "diff", "HEAD~2..HEAD").ok()
    assert done.out.splitlines() == [
        "~ shop.allium entity Order: field total: Integer became String",
        "+ shop.allium entity Order: field n",
        "+ tax.allium entity Rate",
    ]
    assert allium_here(repo.path, "diff", "HEAD~2..", "--exit-code").status == 1
    assert allium_here(repo.path, "diff", "HEAD..HEAD", "--exit-code").ok().out == ""
    listed = json.loads(allium_here(repo.path, "diff", "HEAD..HEAD~", "--json").out)
    assert listed["changes"] == [
        {
            "module": "tax.allium", "kind": "removed", "declaration": "entity Rate", "item": "",
            "before": "", "after": None,
        }
    ]  # fmt: skip
    assert allium_here(repo.path, "diff", "HEAD").status == 129


def test_what_people_committed_between_is_compared_as_well(repo: TestRepository) -> None:
    make(repo)
    edit(repo, "shop", "    n: Integer\n", "    n: Decimal\n")
    edit(repo, "shop", "    n: Decimal\n", "    n: Boolean\n")
    repo.commit("d", {"src/tax/rate.py": entity("Rate", "n", "m")})
    evolve(repo)
    done = allium_here(repo.path, "diff", f"{BRANCH}~2..{BRANCH}~").ok()
    assert done.out == "~ shop.allium entity Order: field n: Decimal became Boolean\n"
    pair = f"{repo.rev('HEAD~')} {repo.rev(BRANCH + '~2')}\n"
    assert allium_here(repo.path, "map", f"{BRANCH}~2").ok().out == pair


def test_source_and_spec_commits_lead_to_each_other(repo: TestRepository) -> None:
    make(repo)
    pair = f"{repo.rev('HEAD~')} {repo.rev(BRANCH + '~')}\n"
    assert allium_here(repo.path, "map", "HEAD~").ok().out == pair
    assert allium_here(repo.path, "map", f"{BRANCH}~").ok().out == pair
    repo.commit("d", {"x.py": "x = 1\n"})
    assert allium_here(repo.path, "map").status == 128
