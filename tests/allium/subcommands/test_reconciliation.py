"""``git allium reconcile``, as its user runs it."""

import json
import shutil

import pytest

from git_retcon.git.ref_updates import RefUpdater
from tests.allium.history_shapes import BRANCH, entity, evolve, spec, told
from tests.allium.reconcile.test_offline_reconciler import body, edit
from tests.program import Ran, allium_here
from tests.repository import TestRepository


def reconcile(repo: TestRepository, *options: str) -> Ran:
    return allium_here(repo.path, "reconcile", "--offline", *options)


def _die() -> None:
    raise RuntimeError("killed")


def start(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)


def test_it_writes_a_commit_of_its_own_on_the_spec_branch(repo: TestRepository) -> None:
    start(repo)
    before = repo.rev(BRANCH)
    head = repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    done = reconcile(repo, "-v").ok()
    assert done.out == "+ entity Order: field paid: the specification lacks it\n"
    assert f"'{BRANCH}' is reconciled with {head[:12]}: 1 finding\n" in done.err
    assert repo.rev(f"{BRANCH}^") == before
    assert "    paid: Integer\n" in spec(repo, "shop")
    said = body(repo)
    assert said.startswith(f"allium: reconcile with {head[:12]}\n\nReconciliation: source-grounded")
    assert f"Allium-Reconciles: {head}\n" in said
    assert "Allium-Source" not in said
    assert "Findings: 1 additions, 0 removals" in said
    assert "paid" in repo.show(f"{BRANCH}:spec/shop.allium").decode()


def test_a_new_folder_is_a_module_below_the_configured_root(repo: TestRepository) -> None:
    repo.git("config", "allium.root", "app/code")
    repo.commit("a", {"app/code/shop/order.py": entity("Order", "total")})
    evolve(repo)
    repo.commit("b", {"app/code/tax/rate.py": entity("Rate", "share")})
    reconcile(repo).ok()
    assert repo.git("ls-tree", "-r", "--name-only", BRANCH, "spec/").split() == [
        "spec/_master.allium",
        "spec/shop.allium",
        "spec/tax.allium",
    ]
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


def test_nothing_is_written_the_second_time(repo: TestRepository) -> None:
    start(repo)
    reconcile(repo).ok()
    tip = repo.rev(BRANCH)
    done = reconcile(repo).ok()
    assert done.err == f"'{BRANCH}' is reconciled with {repo.rev('HEAD')[:12]} already\n"
    assert json.loads(reconcile(repo, "--json").out)["status"] == "up_to_date"
    assert repo.rev(BRANCH) == tip


def test_a_full_comparison_that_finds_nothing_writes_nothing(repo: TestRepository) -> None:
    start(repo)
    reconcile(repo).ok()
    tip = repo.rev(BRANCH)
    done = reconcile(repo, "--full").ok()
    assert f"'{BRANCH}' is reconciled with {repo.rev('HEAD')[:12]} already\n" in done.err
    assert json.loads(reconcile(repo, "--full", "--json").out)["status"] == "up_to_date"
    assert repo.rev(BRANCH) == tip
    edit(repo, "shop", "    total: Integer\n", "")
    reconcile(repo, "--full").ok()
    tip = repo.rev(BRANCH)
    reconcile(repo, "--full").ok()
    assert repo.rev(BRANCH) == tip, "what a person took out was looked at once"


def test_it_makes_the_specification_where_there_is_none_and_evolve_goes_on(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    reconcile(repo).ok()
    assert told(repo) == {"b": []}
    assert "Reconciliation: source-grounded" in body(repo)
    repo.commit("c", {"src/shop/cart.py": entity("Cart", "size", "price")})
    evolve(repo)
    assert told(repo) == {"b": [], "c": ["b"]}


def test_evolve_goes_on_from_a_reconciliation_that_went_ahead(repo: TestRepository) -> None:
    start(repo)
    fork = repo.commit("b", {"src/shop/order.py": entity("Order", "total", "x")})
    repo.commit("c", {"src/shop/order.py": entity("Order", "total", "paid")})
    head = repo.rev("HEAD")
    reconcile(repo).ok()
    repo.commit("d", {"src/tax/rate.py": entity("Rate", "n")})
    evolve(repo)
    name = f"reconcile with {head[:12]}"
    assert told(repo) == {"a": [], name: ["a"], "d": [name]}
    assert "open question" not in spec(repo, "shop")
    repo.git("checkout", "-q", "-b", "side", fork)
    repo.commit("s", {"src/shop/cart.py": entity("Cart", "n")})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "m", "side")
    evolve(repo)
    assert told(repo)["m"] == ["d", "s"]
    assert told(repo)["s"] == ["a"], "what it was forked from is covered by the reconciliation"
    assert json.loads(allium_here(repo.path, "status", "--json").out)["left"] == 0
    assert "entity Cart" in spec(repo, "shop")


def test_a_dry_run_prints_findings_and_writes_nothing(repo: TestRepository) -> None:
    start(repo)
    tip = repo.rev(BRANCH)
    repo.commit("b", {"src/shop/order.py": entity("Order", "paid"), "bad.py": "class (:\n"})
    done = reconcile(repo, "-n").ok()
    assert done.out.splitlines() == [
        "- entity Order: field total: src/shop/order.py does not say it any more",
        "+ entity Order: field paid: the specification lacks it",
    ]
    assert "warning: 'bad.py' is not compared: it cannot be parsed" in done.err
    listed = json.loads(reconcile(repo, "-n", "--json").out)
    assert listed["status"] == "planned"
    assert [(each["type"], each["specSection"]) for each in listed["findings"]] == [
        ("removal", "entity Order: field total"),
        ("addition", "entity Order: field paid"),
    ]
    assert listed["skippedFiles"] == [{"path": "bad.py", "why": "it cannot be parsed"}]
    assert repo.rev(BRANCH) == tip


def test_only_what_changed_since_the_last_time_is_compared(repo: TestRepository) -> None:
    start(repo)
    reconcile(repo).ok()
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.commit("b", {"src/tax/rate.py": entity("Rate", "n")})
    assert "Order" not in reconcile(repo, "-n").ok().out
    assert "entity Order" in reconcile(repo, "-n", "--full").ok().out


def test_an_earlier_commit_and_another_line_are_refused(repo: TestRepository) -> None:
    start(repo)
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "n")})
    evolve(repo)
    done = reconcile(repo, "HEAD~")
    assert done.status == 128
    assert "the spec branch describes a later commit than" in done.err
    repo.git("checkout", "-q", "-b", "side", "HEAD~")
    repo.commit("s", {"s.py": "x = 1\n"})
    assert "describes another line of the history than" in reconcile(repo).err


def test_the_counters_begin_again(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {"src/shop/order.py": entity("Order", name)})
    options = ("--reconciliation-interval", "4")
    evolve(repo, *options)
    reconcile(repo).ok()
    for name in "defg":
        repo.commit(name, {"src/shop/order.py": entity("Order", name)})
    evolve(repo, *options)
    status = json.loads(allium_here(repo.path, "status", "--json").out)
    assert [each["atStep"] for each in status["reconciliations"]] == [3, 7]
    assert status["lastReconciliationStep"] == status["lastReconciliationTrunkStep"] == 7
    assert status["tokensSinceLastReconciliation"] == 0


def test_lost_notes_find_a_reconciliation_again(repo: TestRepository) -> None:
    start(repo)
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "n")})
    reconcile(repo).ok()
    for name in ("allium", "allium-state"):
        repo.git("update-ref", "-d", f"refs/notes/{name}")
    repo.commit("c", {"src/shop/cart.py": entity("Cart", "n", "m")})
    evolve(repo)
    assert list(told(repo).values())[-1] == [list(told(repo))[-2]]
    assert spec(repo, "shop").count("m: Integer") == 1


def test_what_died_before_the_refs_moved_is_made_again_with_the_same_commit(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(repo)
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    whole = TestRepository(repo.path.parent / "whole")
    shutil.copytree(repo.path, whole.path, symlinks=True)
    before = repo.rev(BRANCH)
    with monkeypatch.context() as patch:
        patch.setattr(RefUpdater, "move", lambda *_: _die())
        assert reconcile(repo).status != 0
    assert repo.rev(BRANCH) == before
    reconcile(repo).ok()
    reconcile(whole).ok()
    assert repo.rev(BRANCH) == whole.rev(BRANCH)


BASE = """
from django.db import models

class AbstractAlert(models.Model):
    OPEN, SENT, CLOSED = "open", "sent", "closed"
    status = models.CharField(choices=[(OPEN, "o"), (SENT, "s"), (CLOSED, "c")])

    def send(self):
        if self.status != self.OPEN:
            raise ValueError("close it first")
        self.status = self.SENT
%s
    class Meta:
        abstract = True
"""
CLOSE = """
    def close(self):
        self.status = self.CLOSED
"""


def test_an_inherited_rule_goes_with_the_method_of_the_base_class(repo: TestRepository) -> None:
    """The word "close" is still in the file that had the method, and proves nothing."""
    model = "from shop.base import AbstractAlert\n\nclass Alert(AbstractAlert):\n    pass\n"
    repo.commit("a", {"src/shop/base.py": BASE % CLOSE, "src/shop/alert.py": model})
    evolve(repo)
    assert "rule AlertClose {" in spec(repo, "shop")
    repo.commit("b", {"src/shop/base.py": BASE % ""})
    done = reconcile(repo, "-v").ok()
    assert "- rule AlertClose: src/shop/alert.py does not declare it any more\n" in done.out
    assert "rule AlertClose {" not in spec(repo, "shop")
    assert "rule AlertSend {" in spec(repo, "shop")


def test_what_was_described_since_the_last_time_and_taken_back_is_found(
    repo: TestRepository,
) -> None:
    start(repo)
    reconcile(repo).ok()
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo, "--reconciliation-strategy", "none")
    repo.commit("c", {"src/shop/order.py": entity("Order", "total")})
    assert reconcile(repo, "-n").ok().out == (
        "- entity Order: field paid: src/shop/order.py does not say it any more\n"
    )
    reconcile(repo).ok()
    assert "paid" not in spec(repo, "shop")


def test_a_dry_run_that_finds_nothing_says_so(repo: TestRepository) -> None:
    start(repo)
    done = reconcile(repo, "-n").ok()
    assert done.out == ""
    assert done.err.endswith("nothing to correct\n")


def test_a_trial_runs_while_the_spec_branch_is_checked_out(repo: TestRepository) -> None:
    start(repo)
    head = repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    repo.git("checkout", "-q", BRANCH)
    tip = repo.rev(BRANCH)
    done = reconcile(repo, "-n", head).ok()
    assert done.out == "+ entity Order: field paid: the specification lacks it\n"
    assert allium_here(repo.path, "evolve", "--offline", "-n", head).status == 0
    assert repo.rev(BRANCH) == tip
    assert reconcile(repo, head).status == 128
