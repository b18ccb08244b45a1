"""``git allium check --drift`` and ``git allium accept``, as their users run them."""

import json
from pathlib import Path

from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import Ran, allium_here
from tests.repository import TestRepository


def drift(repo: TestRepository, *options: str) -> Ran:
    return allium_here(repo.path, "check", "--drift", *options)


def start(repo: TestRepository) -> None:
    files = {
        "src/shop/order.py": "import os\n\n\n" + entity("Order", "total", "paid"),
        "src/shop/cart.py": entity("Cart", "size"),
    }
    repo.commit("a", files)
    evolve(repo)


def drop_paid(repo: TestRepository) -> None:
    source = "import os\n\n\nclass Order:\n    total: str\n    sent: bool\n"
    repo.commit("b", {"src/shop/order.py": source, "src/shop/cart.py": None})


def test_each_divergence_is_at_its_place_on_both_sides(repo: TestRepository) -> None:
    start(repo)
    assert drift(repo).ok().err == "no divergence\n"
    drop_paid(repo)
    done = drift(repo)
    assert done.status == 1
    assert done.out.splitlines() == [
        "src/shop/cart.py:1: warning: entity Cart: src/shop/cart.py does not declare it any more"
        " (spec/shop.allium:5) [allium.drift.removal]",
        "src/shop/order.py:4: warning: entity Order: field paid: src/shop/order.py does not say it"
        " any more (spec/shop.allium:12) [allium.drift.removal]",
        "src/shop/order.py:5: warning: entity Order: field total: src/shop/order.py says it"
        " otherwise (spec/shop.allium:11) [allium.drift.modification]",
        "src/shop/order.py:6: warning: entity Order: field sent: the specification lacks it"
        " (spec/shop.allium:10) [allium.drift.addition]",
    ]
    assert "4 divergences of specification and source" in done.err
    assert "'git allium reconcile' corrects" in done.err
    assert drift(repo, "--rev", "HEAD~").status == 0


def test_programs_get_them_too(repo: TestRepository) -> None:
    start(repo)
    drop_paid(repo)
    github = drift(repo, "--format=github").out.splitlines()
    assert github[1].startswith("::warning file=src/shop/order.py,line=4,col=1,title=allium.drift")
    sarif = json.loads(drift(repo, "--format=sarif").out)
    results = sarif["runs"][0]["results"]
    assert {each["ruleId"] for each in results} == {
        "allium.drift.removal", "allium.drift.modification", "allium.drift.addition"
    }  # fmt: skip
    listed = json.loads(drift(repo, "--json").out)
    assert listed["reason"] == "invalid"
    paid = next(e for e in listed["divergences"] if e["specSection"].endswith("field paid"))
    assert paid["type"] == "removal"
    assert paid["source"] == {"path": "src/shop/order.py", "line": 4}
    assert paid["spec"] == {"path": "spec/shop.allium", "line": 12}


def test_what_was_accepted_is_not_reported_until_its_code_changes(repo: TestRepository) -> None:
    start(repo)
    drop_paid(repo)
    before = repo.rev(BRANCH)
    done = allium_here(repo.path, "accept", "entity Order: field paid", "entity Cart").ok()
    assert done.err == "2 divergences accepted\n"
    assert repo.rev(f"{BRANCH}^") == before
    assert repo.tree(BRANCH) == repo.tree(before), "the specification is as it was"
    body = repo.git("log", "-1", "--format=%B", BRANCH)
    assert body.count("Allium-Accepts: ") == 2
    assert "Allium-Source" not in body
    assert "2 divergences of" in drift(repo).err
    moved = "# a comment\n" * 9 + repo.show("HEAD:src/shop/order.py").decode()
    repo.commit("c", {"src/shop/order.py": moved + "\n\ndef helper(): ...\n"})
    assert "2 divergences of" in drift(repo).err, "an unrelated edit raises nothing"
    again = moved.replace("sent: bool", "sent: bool\n    paid: str")
    repo.commit("d", {"src/shop/order.py": again})
    assert "field paid" in drift(repo).out


def test_a_field_that_was_accepted_is_not_reported_when_another_one_changes(
    repo: TestRepository,
) -> None:
    start(repo)
    drop_paid(repo)
    allium_here(repo.path, "accept", "--all").ok()
    changed = "class Order:\n    total: str\n    sent: bool\n    late: bool\n"
    repo.commit("c", {"src/shop/order.py": changed})
    found = json.loads(drift(repo, "--json").out)["divergences"]
    assert [each["specSection"] for each in found] == ["entity Order: field late"]
    repo.commit("d", {"src/shop/order.py": changed.replace("total: str", "total: bool")})
    found = json.loads(drift(repo, "--json").out)["divergences"]
    assert [each["specSection"] for each in found] == [
        "entity Order: field total",
        "entity Order: field late",
    ]


def test_what_was_accepted_stays_so_when_its_type_moves_to_another_module(
    repo: TestRepository,
) -> None:
    order = "from {0}.amount import Amount\n\n\n" + entity("Order", "id")
    files = {"src/money/amount.py": entity("Amount", "cents"), "src/shop/order.py": order}
    repo.commit("a", {path: text.format("money") for path, text in files.items()})
    evolve(repo)
    order += "    total: Amount\n"
    repo.commit("b", {"src/shop/order.py": order.format("money")})
    assert allium_here(repo.path, "accept", "--all").ok().err == "1 divergence accepted\n"
    moved = {
        "src/money/amount.py": None,
        "src/coin/amount.py": files["src/money/amount.py"],
        "src/shop/order.py": order.format("coin"),
    }
    repo.commit("c", moved)
    assert "Order: field total" not in drift(repo).out


def test_a_rule_that_was_accepted_is_reported_when_its_method_changes(repo: TestRepository) -> None:
    source = (
        "class Order:\n    paid: bool\n    n: int\n\n    def pay(self):\n"
        "        if self.n < 1:\n            raise ValueError\n        self.paid = True\n"
    )
    repo.commit("a", {"src/shop/order.py": source})
    evolve(repo)
    edit(repo, "shop", "    ensures: order.paid = true\n", "")
    allium_here(repo.path, "accept", "--all").ok()
    assert drift(repo).status == 0
    repo.commit("b", {"src/shop/order.py": source + "        self.n = 0\n"})
    found = json.loads(drift(repo, "--json").out)["divergences"]
    assert {each["specSection"].partition(":")[0] for each in found} == {"rule OrderPay"}
    assert len(found) == 2, "the accepted clause is of this code too"


def test_a_reconciliation_leaves_what_was_accepted(repo: TestRepository) -> None:
    start(repo)
    drop_paid(repo)
    allium_here(repo.path, "accept", "entity Order: field paid", "entity Cart").ok()
    allium_here(repo.path, "reconcile", "--offline").ok()
    said = spec(repo, "shop")
    assert "    paid: Integer\n" in said
    assert "entity Cart" in said
    assert "    sent: Boolean\n" in said
    assert "open question" not in said
    assert allium_here(repo.path, "log", "-n", "1").out.startswith(repo.rev("HEAD")[:12])
    shown = allium_here(repo.path, "show", f"{BRANCH}:shop").ok().out
    assert shown == said


def test_evolve_leaves_what_was_accepted_at_its_checkpoints(repo: TestRepository) -> None:
    start(repo)
    edit(repo, "shop", "    size: Integer", "    size: Integer\n    colour: String")
    edit(repo, "shop", "    total: Integer", "    total: Decimal")
    allium_here(repo.path, "accept", "entity Cart: field colour").ok()
    repo.commit("b", {"src/tax/rate.py": entity("Rate", "n")})
    # All of the source is compared the first time.
    evolve(repo, "--reconciliation-interval", "1")
    said = spec(repo, "shop")
    assert "    colour: String\n" in said
    assert [line for line in said.splitlines() if line.startswith("open question")] == [
        line for line in said.splitlines() if "entity Order: field total" in line
    ]
    assert "open question" in said


def test_every_clone_has_what_was_accepted(repo: TestRepository, tmp_path: Path) -> None:
    start(repo)
    drop_paid(repo)
    allium_here(repo.path, "accept", "--all").ok()
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.path), str(clone))
    other = TestRepository(clone)
    other.git("fetch", "-q", "origin", f"{BRANCH}:{BRANCH}")
    assert drift(other).ok().err == "no divergence\n"
    assert allium_here(repo.path, "accept", "--all").ok().err == "no divergence to accept\n"


def test_only_what_there_is_can_be_accepted(repo: TestRepository) -> None:
    start(repo)
    done = allium_here(repo.path, "accept", "entity Ghost")
    assert (done.status, "no such divergence: 'entity Ghost'" in done.err) == (128, True)
    assert allium_here(repo.path, "accept").status == 129


def test_a_hand_edit_that_the_source_contradicts_is_one(repo: TestRepository) -> None:
    start(repo)
    edit(repo, "shop", "    total: Integer", "    total: Decimal")
    edit(repo, "shop", "    size: Integer", "    size: Integer\n    colour: String")
    assert [
        line.split(": warning: ")[1].partition(" (")[0] for line in drift(repo).out.splitlines()
    ] == [
        "entity Cart: field colour: src/shop/cart.py does not say it",
        "entity Order: field total: src/shop/order.py says it otherwise",
    ]
    # A reconciliation asks about what people wrote, and the divergence stays.
    allium_here(repo.path, "reconcile", "--offline").ok()
    done = drift(repo)
    assert "'git allium accept' keeps it, an edit of 'allium/evolution' corrects it" in done.err
    assert "reconcile" not in done.err


def test_each_item_is_named_also_where_a_reconciliation_asks_about_the_whole(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo)
    edit(repo, "shop", "    total: Integer\n", "")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total")})
    assert list_sections(repo) == ["entity Order: field paid", "entity Order: field total"]
    planned = allium_here(repo.path, "reconcile", "--offline", "-n").ok().out
    assert "~ entity Order: src/shop/order.py declares it otherwise (open)\n" in planned


def test_what_is_gone_is_at_its_class_wherever_the_word_is_still(repo: TestRepository) -> None:
    head = "from dataclasses import dataclass\n\n\n@dataclass\nclass Order:\n    id: int\n"
    show = "    def show(self):\n        return 'paid'\n"
    repo.commit("a", {"src/shop/order.py": f"{head}    paid: int\n\n{show}"})
    evolve(repo)
    repo.commit("b", {"src/shop/order.py": f"{head}\n{show}"})
    assert drift(repo).out.startswith("src/shop/order.py:5: warning: entity Order: field paid: ")


def test_what_is_in_a_value_that_is_an_entity_now_is_at_its_line(repo: TestRepository) -> None:
    head = "from dataclasses import dataclass\n\n\n@dataclass\nclass Order:\n"
    repo.commit("a", {"src/shop/order.py": f"{head}    total: int\n    paid: int\n"})
    evolve(repo)
    repo.commit("b", {"src/shop/order.py": f"{head}    id: int\n    total: int\n"})
    places = {
        line.split(": warning: ")[1].rpartition(": ")[0]: line.split(" (")[1].partition(")")[0]
        for line in drift(repo).out.splitlines()
    }
    assert places == {
        "value Order": "spec/shop.allium:5",
        "entity Order: field id": "spec/shop.allium:5",
        "entity Order: field paid": "spec/shop.allium:7",
    }


def list_sections(repo: TestRepository) -> list[str]:
    found = json.loads(drift(repo, "--json").out)["divergences"]
    return [each["specSection"] for each in found]


def test_without_a_specification_there_is_nothing_to_compare(repo: TestRepository) -> None:
    repo.commit("a", {"a.py": "x = 1\n"})
    done = drift(repo)
    assert (done.status, "there is no specification yet" in done.err) == (128, True)
    assert drift(repo, "a.allium").status == 129


def test_a_rule_that_a_class_no_longer_inherits_is_one(repo: TestRepository) -> None:
    states = (
        '    ON, OFF = "on", "off"\n    status = models.CharField(choices=[(ON, ON), (OFF, OFF)])\n'
    )
    head = f"from django.db import models\n\n\nclass Base(models.Model):\n{states}"
    meta = "\n    class Meta:\n        abstract = True\n"
    close = "\n    def close(self):\n        self.status = self.OFF\n"
    own = "from shop.base import Base\n\n\nclass Alert(Base):\n    pass\n"
    repo.commit("a", {"src/shop/base.py": head + meta + close, "src/shop/models.py": own})
    evolve(repo)
    assert "rule AlertClose" in spec(repo, "shop")
    repo.commit("b", {"src/shop/base.py": head + meta, "src/shop/models.py": own + "\n\nX = 1\n"})
    assert drift(repo).out.count("rule AlertClose: ") == 1


def test_a_foreign_type_with_the_name_of_an_own_one_keeps_its_other_name(
    repo: TestRepository,
) -> None:
    site = (
        "from django.contrib.auth import models as auth\nfrom django.db import models\n\n\n"
        "class Site(models.Model):\n"
        "    staff = models.ForeignKey(auth.Group, on_delete=models.CASCADE)\n"
    )
    repo.commit("a", {"src/shop/group.py": entity("Group", "size"), "src/shop/site.py": site})
    evolve(repo)
    assert drift(repo).ok().err == "no divergence\n"
    repo.commit("b", {"src/shop/site.py": f"{site}    size = models.IntegerField()\n"})
    evolve(repo)
    assert drift(repo).ok().err == "no divergence\n"
    repo.commit("c", {"src/shop/group.py": None})
    evolve(repo)
    assert drift(repo).ok().err == "no divergence\n"
    text = spec(repo, "shop")
    assert text.count("external entity") == 1
    assert "external entity ExternalGroup {}" in text
    assert "staff: ExternalGroup\n" in text


def test_two_foreign_types_keep_names_of_their_own(repo: TestRepository) -> None:
    site = (
        "from django.db import models\nfrom elsewhere import auth\n\n\n"
        "class Site(models.Model):\n"
        "    staff = models.ForeignKey(auth.Group, on_delete=models.CASCADE)\n"
        "    guests = models.ForeignKey(auth.ExternalGroup, on_delete=models.CASCADE)\n"
    )
    repo.commit("a", {"src/shop/group.py": entity("Group", "size"), "src/shop/site.py": site})
    evolve(repo)
    assert drift(repo).ok().err == "no divergence\n"
    assert spec(repo, "shop").count("external entity") == 2
