"""Reconciliation with a model: whole runs against a loopback service."""

import json
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.allium.history_shapes import BRANCH, entity, spec
from tests.allium.reconcile.test_offline_reconciler import body, edit
from tests.model.loopback import (
    Json,
    LoopbackApi,
    Says,
    answers,
    cut_off,
    last_text,
    refuses,
    says,
    status,
)
from tests.program import Ran, allium_here
from tests.repository import TestRepository

HEAD = "-- allium: 3\n-- Orders.\n\n"
ORDER = "-- Source: src/shop/order.py, Order\nentity Order {\n    total: Integer\n}\n"
RULE = """
-- Source: src/shop/order.py, Order.pay
rule Pay {
    when: Payment(order)
    ensures: Paid(order)
}
"""
SHOP = HEAD + ORDER
NO_STEP: Json = {"spec": None, "moduleUpdates": [], "removed": [], "changelog": ""}


def finding(kind: str, section: str, *paths: str, description: str = "So it is.") -> Json:
    return {
        "type": kind,
        "specSection": section,
        "description": description,
        "sourcePaths": list(paths or ("src/shop/order.py",)),
    }


def found(*listed: Json) -> Says:
    """What an analysis answers."""
    sections = [each["specSection"] for each in listed]
    return answers({"findings": list(listed), "sectionsAffected": sections})


def combined(shop: str | None, *removals: Json, **more: Any) -> Says:
    """What a combine answers; ``shop`` is the new text of the one module."""
    updates = [] if shop is None else [{"module": "shop.allium", "content": shop}]
    answer = {
        "spec": None, "moduleUpdates": updates, "additions": [], "removals": list(removals),
        "changelog": "Corrected.", **more,
    }  # fmt: skip
    return answers(answer)


class Model:
    """Answers steps with nothing, analyses and combines with what a test says, in turn."""

    def __init__(self, api: LoopbackApi, *, analyses: list[Says], combines: list[Says]) -> None:
        self._api = api
        self.analyses, self.combines = analyses, combines
        self.asked: list[tuple[str, Json]] = []
        self._lock = threading.Lock()
        api.responder = self.respond

    def respond(self, request: Json) -> Says:
        system = json.dumps(request["system"])
        with self._lock:
            if "You compare a specification" in system:
                self.asked.append(("analysis", request))
                return self.analyses.pop(0) if self.analyses else found()
            if "Integrate the findings" in system:
                self.asked.append(("combine", request))
                return self.combines.pop(0)
            self.asked.append(("step", request))
            return answers(NO_STEP)

    def prompts(self, kind: str) -> list[str]:
        return [last_text(request) for each, request in self.asked if each == kind]


def run(repo: TestRepository, api: LoopbackApi, *options: str) -> Ran:
    return allium_here(
        repo.path, "evolve", "--yes", "--reconciliation-interval", "2", *options, env=api.env
    )


@pytest.fixture
def shop(repo: TestRepository, api: LoopbackApi) -> TestRepository:
    """One commit, described; the next one is a checkpoint."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    step = {**NO_STEP, "moduleUpdates": [{"module": "shop.allium", "content": SHOP + RULE}]}
    api.responder = lambda _: answers(step)
    run(repo, api).ok()
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    return repo


CART = "\n-- Source: src/shop/cart.py, Cart\nentity Cart {\n    size: Integer\n}\n"


def test_findings_are_combined_in_the_commit_of_the_step(
    shop: TestRepository, api: LoopbackApi
) -> None:
    rule = finding("removal", "rule Pay")
    cart = finding("addition", "entity Cart", "src/shop/cart.py")
    model = Model(api, analyses=[found(rule, cart)], combines=[combined(SHOP + CART, rule)])
    done = run(shop, api).ok()
    assert spec(shop, "shop") == SHOP + CART
    assert [kind for kind, _ in model.asked] == ["step", "analysis", "combine"]
    models = [request["model"] for _, request in model.asked]
    assert models == ["claude-sonnet-5-5", "claude-sonnet-5-5", "claude-opus-5-5"]
    said = body(shop)
    assert f"Reconciliation: source-grounded at {shop.rev('HEAD')[:8]}" in said
    assert "Findings: 1 additions, 1 removals" in said
    assert re.search(r"^Reconciliation cost: \$0\.00\d\d$", said, re.MULTILINE)
    assert "Corrected." in said
    assert re.search(
        r"Allium-Reconciled: step 2, trunk step 2, 2 findings, \$0\.0\d+, claude-opus", said
    )
    assert "1 commit described, $0.00" in done.err
    listed = json.loads(allium_here(shop.path, "status", "--json").out)["reconciliations"]
    assert [(each["atStep"], each["findingsCount"]) for each in listed] == [(2, 2)]
    assert listed[0]["costUsd"] > 0


def test_the_analysis_sees_the_whole_tree_the_first_time_and_then_what_changed(
    shop: TestRepository, api: LoopbackApi
) -> None:
    model = Model(api, analyses=[], combines=[])
    run(shop, api).ok()
    first = model.prompts("analysis")[0]
    assert "--- src/shop/cart.py\nclass Cart:" in first
    assert "--- src/shop/order.py\nclass Order:" in first
    assert '<module path="shop.allium">' in first
    for name in "cd":
        shop.commit(name, {f"src/shop/{name}.py": f"{name} = 1\n"})
    run(shop, api).ok()
    second = model.prompts("analysis")[1]
    assert "what changed in `src/shop`" in second or "what changed in `src`" in second
    assert "+c = 1" in second
    assert "class Cart" not in second
    assert len(model.prompts("combine")) == 0, "nothing was found"


def test_skipped_files_are_in_the_prompt_and_the_commit_and_never_removed(
    shop: TestRepository, api: LoopbackApi
) -> None:
    shop.commit("c", {"src/shop/order.py": b"\0binary", "src/shop/cart.py": "x = 1\n"})
    gone = finding("removal", "entity Order", "src/shop/order.py")
    model = Model(api, analyses=[found(gone)], combines=[])
    shop.git("reset", "-q", "--soft", "HEAD~2")
    shop.git("commit", "-q", "-m", "b")
    run(shop, api).ok()
    assert "<skipped-files>\n- src/shop/order.py: it is binary\n" in model.prompts("analysis")[0]
    assert "entity Order" in spec(shop, "shop")
    assert "Skipped: src/shop/order.py: it is binary" in body(shop)
    assert "1 finding left out: not of files that were read." in body(shop)


ADDED = finding("addition", "entity Cart", "src/shop/cart.py")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "diagnosis"),
    [
        (combined(HEAD + "entity Order {\n    total Integer\n}\n"), "shop.allium:5:"),
        (
            combined(SHOP + CART, finding("removal", "rule Pay")),
            "this goes, and no finding says so",
        ),
        (combined(HEAD + CART), "these declarations are gone"),
        (combined(None), None),
        (combined("-- allium: 3\n\n" + ORDER + RULE + CART), "lost its header comment"),
        (
            combined(
                SHOP + CART,
                moduleUpdates=[
                    {"module": "shop.allium", "content": SHOP + CART},
                    {"module": "pay.allium", "content": HEAD + RULE},
                ],
            ),
            "to another module: rule Pay",
        ),
        (
            combined(None, moduleUpdates=[{"module": "../../x.allium", "content": SHOP}]),
            "'..'",
        ),
        (combined((SHOP + RULE).replace("    total: Integer\n", "") + CART), "field total"),
        (combined(SHOP + RULE + CART.replace("shop/cart.py", "shop/none.py")), "cites src/shop/n"),
    ],
)
def test_a_bad_combine_is_sent_back_and_never_damages_the_specification(
    shop: TestRepository, api: LoopbackApi, wrong: Says, diagnosis: str | None
) -> None:
    good = combined(SHOP + RULE + CART)
    model = Model(api, analyses=[found(ADDED)], combines=[wrong, good])
    run(shop, api).ok()
    if diagnosis is None:
        assert spec(shop, "shop") == SHOP + RULE, "an answer that changes nothing is one"
        return
    assert diagnosis in model.prompts("combine")[1]
    assert spec(shop, "shop") == SHOP + RULE + CART
    model = Model(api, analyses=[found(ADDED)], combines=[wrong, wrong])
    for name in "cd":
        shop.commit(name, {"src/shop/cart.py": entity("Cart", "size", name)})
    before = spec(shop, "shop")
    run(shop, api).ok()
    assert spec(shop, "shop") == before
    assert "Not combined: the model's answer was unusable 2 times" in body(shop)


def test_findings_about_files_that_do_not_exist_are_left_out(
    shop: TestRepository, api: LoopbackApi
) -> None:
    made_up = finding("addition", "entity Ghost", "src/ghost.py")
    elsewhere = finding("removal", "rule Pay", "src/elsewhere.py")
    model = Model(api, analyses=[found(made_up, elsewhere)], combines=[])
    run(shop, api).ok()
    assert model.prompts("combine") == []
    assert spec(shop, "shop") == SHOP + RULE
    assert "2 findings left out: not of files that were read." in body(shop)


@pytest.mark.parametrize(
    "bad", [lambda: says("no JSON"), lambda: refuses(), lambda: cut_off('{"findings": [')]
)
def test_an_analysis_that_fails_is_named_and_the_others_count(
    shop: TestRepository, api: LoopbackApi, bad: Callable[[], Says]
) -> None:
    Model(api, analyses=[bad(), bad()], combines=[])
    done = run(shop, api).ok()
    assert spec(shop, "shop") == SHOP + RULE
    assert "Not analysed: src: the model" in body(shop)
    at = shop.rev("HEAD")[:12]
    assert f"incomplete: reconciliation of {at}: not analysed: src: the model" in done.err


def test_what_a_checkpoint_failed_to_compare_is_compared_at_the_next(
    shop: TestRepository, api: LoopbackApi
) -> None:
    """Otherwise nobody would look at it again."""
    Model(api, analyses=[refuses()], combines=[])
    run(shop, api).ok()
    failed = json.loads(allium_here(shop.path, "status", "--json").out)["reconciliations"]
    assert [each["failed"] for each in failed] == [1]
    model = Model(api, analyses=[found(ADDED)], combines=[combined(SHOP + RULE + CART)])
    reconcile(shop, api).ok()
    assert "class Cart" in model.prompts("analysis")[0]
    assert spec(shop, "shop") == SHOP + RULE + CART
    # From then on nothing is left of it, whatever the notes say.
    shop.git("update-ref", "-d", "refs/notes/allium-state")
    assert "is reconciled with" in reconcile(shop, api).ok().err


def test_a_checkpoint_begins_where_all_was_compared(shop: TestRepository, api: LoopbackApi) -> None:
    """One of which a part failed is no place to begin at."""
    Model(api, analyses=[], combines=[])
    run(shop, api).ok()  # step 2, all of it
    for number in range(3, 7):
        shop.commit(f"c{number}", {f"src/shop/late{number}.py": entity(f"Late{number}", "size")})
    model = Model(api, analyses=[refuses(), found()], combines=[])
    run(shop, api).ok()
    fourth, sixth = model.prompts("analysis")
    assert "class Cart" not in fourth
    assert [f"late{number}.py" in sixth for number in range(3, 7)] == [True] * 4
    assert "class Cart" not in sixth


def test_an_amended_commit_tells_of_its_own_comparison_alone(
    shop: TestRepository, api: LoopbackApi
) -> None:
    Model(api, analyses=[refuses()], combines=[])
    run(shop, api).ok()
    shop.git("commit", "-q", "--amend", "-m", "b again")
    run(shop, api).ok()
    assert body(shop).startswith("allium: b again")
    assert "Not analysed" not in body(shop)


def reconcile(repo: TestRepository, api: LoopbackApi, *options: str) -> Ran:
    return allium_here(repo.path, "reconcile", "--yes", *options, env=api.env)


def test_a_comparison_on_demand_that_fails_says_so_and_is_made_again(
    shop: TestRepository, api: LoopbackApi
) -> None:
    tip = shop.rev(BRANCH)
    Model(api, analyses=[refuses()], combines=[])
    done = reconcile(shop, api)
    assert done.status == 1
    assert "warning: not analysed: src: the model declined to answer" in done.err
    assert "error: not all of the source is compared" in done.err
    assert "is reconciled" not in done.err
    assert shop.rev(BRANCH) == tip
    Model(api, analyses=[refuses()], combines=[])
    planned = reconcile(shop, api, "-n")
    assert planned.status == 1
    assert "nothing to correct" not in planned.err
    bad = combined("no Allium")
    Model(api, analyses=[found(ADDED)], combines=[bad, bad])
    failed = json.loads(reconcile(shop, api, "--json").out)
    assert failed["failures"][0].startswith("Not combined: the model's answer was unusable")
    assert failed["next"][0] == ["git", "allium", "reconcile", "--yes", "--json"]
    assert shop.rev(BRANCH) == tip
    Model(api, analyses=[found(ADDED)], combines=[combined(SHOP + RULE + CART)])
    reconcile(shop, api).ok()
    assert spec(shop, "shop") == SHOP + RULE + CART


@pytest.mark.slow
def test_a_rate_limit_is_waited_for(shop: TestRepository, api: LoopbackApi) -> None:
    model = Model(api, analyses=[], combines=[combined(SHOP + RULE + CART)])
    limited = [status(429, retry_after=0), status(529), found(ADDED)]

    def respond(request: Json) -> Any:
        if "You compare a specification" in json.dumps(request["system"]):
            return limited.pop(0)
        return model.respond(request)

    api.responder = respond
    run(shop, api).ok()
    assert limited == []
    assert spec(shop, "shop") == SHOP + RULE + CART


def test_what_a_person_wrote_is_shown_and_may_not_be_changed(
    shop: TestRepository, api: LoopbackApi
) -> None:
    edit(shop, "shop", "total: Integer", "total: Decimal")
    mine = (SHOP + RULE).replace("total: Integer", "total: Decimal")
    contradiction = finding("modification", "entity Order: field total")
    question = mine + '\nopen question "Is the total of an Order whole?"\n'
    model = Model(
        api, analyses=[found(contradiction)], combines=[combined(SHOP + RULE), combined(question)]
    )
    run(shop, api).ok()
    assert "<written-by-people>\n- entity Order: field total\n" in model.prompts("analysis")[0]
    assert "a person wrote this, and it stays word for word" in model.prompts("combine")[1]
    assert spec(shop, "shop") == question


def test_too_much_source_is_skipped_twice_and_goes_on_from_there(
    shop: TestRepository, api: LoopbackApi
) -> None:
    shop.write({"src/shop/cart.py": "x = 1\n" * 40})
    shop.git("commit", "-q", "--all", "--amend", "-m", "b")
    shop.git("config", "allium.maxSourceTokens", "40")
    model = Model(api, analyses=[], combines=[])
    run(shop, api).ok()
    assert "Reconciliation: skipped at" in body(shop)
    assert "tokens, and 40 are allowed" in body(shop)
    assert "Allium-Skipped: step 2, trunk step 2, 0 findings, $0.0000" in body(shop)
    for name in "cd":
        shop.commit(name, {f"src/shop/{name}.py": "x = 1\n" * 200})
    run(shop, api).ok()
    assert "Allium-Skipped: step 4" in body(shop)
    note = shop.git("notes", "--ref=allium-state", "show", BRANCH).splitlines()
    assert note[1] == "Skipped: step 4, trunk step 4, 0 findings, $0.0000, claude-sonnet-5-5"
    assert note[2].startswith(f"At: {shop.rev('HEAD')} 20")
    assert model.prompts("analysis") == []
    # Small again: what changed since the skip is compared, though the tree is still too large.
    for name in "ef":
        shop.commit(name, {"src/shop/e.py": f"{name} = 1\n"})
    run(shop, api).ok()
    assert "Allium-Reconciled: step 6" in body(shop)
    assert "+f = 1" in model.prompts("analysis")[0]
    listed = json.loads(allium_here(shop.path, "status", "--json").out)["reconciliations"]
    assert [each["skipped"] for each in listed] == [True, True, False]
    # A trailer, from which a lost note is made again, has no time.
    assert all(each["timestamp"] for each in listed)


def test_many_findings_are_applied_in_batches_each_on_the_one_before(
    shop: TestRepository, api: LoopbackApi
) -> None:
    shop.git("config", "allium.maxDiffTokens", "150")
    rule = finding("removal", "rule Pay", description="x" * 400)
    cart = finding("addition", "entity Cart", "src/shop/cart.py", description="y" * 400)
    model = Model(
        api,
        analyses=[found(rule, cart)],
        combines=[combined(SHOP + RULE + CART), combined(SHOP + CART, rule)],
    )
    run(shop, api).ok()
    first, second = model.prompts("combine")
    assert "entity Cart" in first.partition("<findings>")[2].partition("</findings>")[0]
    assert (
        "Upcoming batches contain 0 additions and 1 removals affecting sections: [rule Pay]"
        in first
    )
    assert "There are no further batches." in second
    assert CART in second, "on the specification that the first batch made"
    assert spec(shop, "shop") == SHOP + CART
    assert {request["model"] for kind, request in model.asked if kind == "combine"} == {
        "claude-opus-5-5"
    }


def test_modules_too_large_for_one_request_are_combined_in_groups_first(
    shop: TestRepository, api: LoopbackApi
) -> None:
    tax = (
        HEAD
        + "-- Source: src/tax/rate.py, Rate\nentity Rate {\n    n: Integer\n}\n"
        + ('\nopen question "' + "z" * 400 + '"\n')
    )
    shop.commit("b2", {"src/tax/rate.py": entity("Rate", "n")})
    shop.git("reset", "-q", "--soft", "HEAD~2")
    shop.git("commit", "-q", "-m", "b")
    shop.git("config", "allium.maxDiffTokens", "190")
    cart = finding("addition", "entity Cart", "src/shop/cart.py")
    rate = finding("modification", "entity Rate", "src/tax/rate.py")
    model = Model(
        api,
        analyses=[found(cart, rate), found(cart, rate)],
        combines=[combined(SHOP + RULE + CART), combined(None), combined(None)],
    )

    def respond(request: Json) -> Says:
        said = model.respond(request)
        if model.asked[-1][0] == "step":
            update = {"module": "tax.allium", "content": tax}
            return answers({**NO_STEP, "moduleUpdates": [update]})
        return said

    api.responder = respond
    run(shop, api).ok()
    asked = [request["model"] for kind, request in model.asked if kind == "combine"]
    assert asked == ["claude-sonnet-5-5", "claude-sonnet-5-5", "claude-opus-5-5"]
    one, two, last = model.prompts("combine")
    shown = [re.findall(r'<module path="(.*)">', prompt) for prompt in (one, two)]
    assert shown == [["shop.allium"], ["tax.allium"]]
    assert (
        "Upcoming batches contain 0 additions and 0 removals affecting sections: [entity Rate]"
        in (one)
    )
    assert "Upcoming batches" not in two + last
    assert "Correct the master alone" in last
    assert "<module " not in last
    assert spec(shop, "shop") == SHOP + RULE + CART


def test_a_combine_sees_the_modules_of_what_its_findings_name(
    shop: TestRepository, api: LoopbackApi
) -> None:
    """Wherever the file is that they rest on."""
    rate = "-- Source: src/tax/rate.py, Rate\nentity Rate {\n    n: Integer\n}\n"
    tax = {"module": "tax.allium", "content": HEAD + rate}
    other = {"module": "post.allium", "content": HEAD + rate.replace("Rate", "Stamp")}
    field = finding("modification", "entity Rate: field n", "src/shop/cart.py")
    model = Model(api, analyses=[found(field)], combines=[combined(None)])

    def respond(request: Json) -> Says:
        said = model.respond(request)
        is_step = model.asked[-1][0] == "step"
        return answers({**NO_STEP, "moduleUpdates": [tax, other]}) if is_step else said

    shop.write({"src/tax/rate.py": entity("Rate", "n"), "src/post/rate.py": entity("Stamp", "n")})
    shop.git("add", "-A")
    shop.git("commit", "-q", "--amend", "-m", "b")
    api.responder = respond
    run(shop, api).ok()
    (prompt,) = model.prompts("combine")
    assert re.findall(r'<module path="(.*)">', prompt) == ["shop.allium", "tax.allium"]


def test_chunks_are_analysed_side_by_side_up_to_the_limit(
    shop: TestRepository, api: LoopbackApi
) -> None:
    for name in "cdefg":
        shop.write({f"src/{name}/{name}.py": "x = 1\n" * 60})
    shop.git("add", "-A")
    shop.git("commit", "-q", "--amend", "-m", "b")
    shop.git("config", "allium.maxDiffTokens", "120")
    model = Model(api, analyses=[], combines=[])
    together, most = 0, 0
    lock = threading.Lock()
    both = threading.Event()

    def respond(request: Json) -> Says:
        nonlocal together, most
        said = model.respond(request)
        if "You compare a specification" not in json.dumps(request["system"]):
            return said
        with lock:
            together += 1
            most = max(most, together)
            if together == 2:
                both.set()
        both.wait(5)
        with lock:
            together -= 1
        return said

    api.responder = respond
    run(shop, api, "--max-concurrency", "2").ok()
    assert most == 2
    prompts = model.prompts("analysis")
    assert len(prompts) >= 5
    assert all("(one of " in each for each in prompts)


def test_a_budget_that_is_spent_leaves_the_step_to_the_next_run(
    shop: TestRepository, api: LoopbackApi
) -> None:
    Model(api, analyses=[found(ADDED)] * 2, combines=[combined(SHOP + RULE + CART)] * 2)
    before = shop.rev(BRANCH)
    done = run(shop, api, "--max-tokens", "150")
    assert done.status == 1
    assert shop.rev(BRANCH) == before, "a step and its reconciliation are one commit"
    run(shop, api).ok()
    assert spec(shop, "shop") == SHOP + RULE + CART
    assert "Allium-Reconciled: step 2" in body(shop)
