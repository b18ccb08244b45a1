"""A history described by a model: whole runs against a loopback service."""

import json
import re
from typing import Any

import pytest

from tests.allium.history_shapes import BRANCH, entity, make_branchy, merge, shape, spec, told
from tests.model.loopback import LoopbackApi, Says, answers, last_text, refuses, says, status
from tests.program import Ran, allium_here
from tests.repository import TestRepository

HEAD = "-- allium: 3\n-- Orders.\n\n"
ORDER = HEAD + "entity Order {\n    total: Integer\n}\n"


def answer(**modules: str | None) -> dict[str, Any]:
    """An answer that changes these modules."""
    updates = [{"module": f"{name}.allium", "content": text} for name, text in modules.items()]
    return {"spec": None, "moduleUpdates": updates, "removed": [], "changelog": "Orders."}


NOTHING = answer()


def run(repo: TestRepository, api: LoopbackApi, *options: str) -> Ran:
    return allium_here(repo.path, "evolve", "--yes", *options, env=api.env)


def body(repo: TestRepository, tip: str = BRANCH) -> str:
    return repo.git("log", "-1", "--format=%B", tip)


def test_a_model_tells_what_changed(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("Add orders", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("Say hello", {"README.lock": "hello\n"})
    repo.commit("Pay", {"src/shop/order.py": entity("Order", "total", "paid")})
    paid = ORDER.replace("total: Integer\n", "total: Integer\n    paid: Integer\n")
    api.script(answers(answer(shop=ORDER)), answers(answer(shop=paid)))
    done = run(repo, api).ok()
    assert api.unused == 0
    assert spec(repo, "shop") == paid
    assert "3 commits described, $0.00: 1 module" in done.err
    first, second = (each.body for each in api.requests)
    assert (first["model"], second["model"]) == ("claude-opus-5-5", "claude-sonnet-5-5")
    prompt = last_text(second)
    assert "You are updating the spec for the modules `shop`." in prompt
    assert f'<module path="shop.allium">\n{ORDER}</module>' in prompt
    assert "+    paid: int\n" in prompt
    assert f"{repo.rev('HEAD~')[:8]} - Say hello\n{repo.rev('HEAD')[:8]} - Pay" in prompt
    assert body(repo).splitlines()[:3] == ["allium: Pay", "", "Orders."]
    assert "Allium-Model: claude-sonnet-5-5\nAllium-Cost: $0.0004" in body(repo)
    assert "Allium-Cost: $0.0000" in body(repo, f"{BRANCH}~")


def test_only_modules_that_the_change_touches_are_shown(
    repo: TestRepository, api: LoopbackApi
) -> None:
    repo.commit("a", {"src/shop/order.py": "x = 1\n", "src/tax/rate.py": "x = 1\n"})
    api.script(answers(answer(shop=ORDER, tax=ORDER.replace("Order", "Rate"), user=ORDER)))
    run(repo, api).ok()
    repo.commit("b", {"src/shop/order.py": "from tax.rate import x\n"})
    api.script(answers(NOTHING))
    run(repo, api).ok()
    prompt = last_text(api.requests[-1].body)
    assert re.findall(r'<module path="(.*)">', prompt) == ["shop.allium", "tax.allium"]
    assert "<master>\n-- allium: 3" in prompt


@pytest.mark.parametrize(
    ("wrong", "diagnosis"),
    [
        (answer(shop=HEAD + "entity Order {\n    total Integer\n}\n"), "shop.allium:5:"),
        (answer(shop=HEAD + "entity Order {\n    c: Customer\n}\n"), "type 'Customer'"),
        (answer(shop="entity Order {\n}\n"), "does not begin with '-- allium: 3'"),
        ({**answer(), "moduleUpdates": [{"module": "../x.allium", "content": ORDER}]}, "'..'"),
        (answer(_master=ORDER), "this is the master"),
        ({"spec": None}, "is missing"),
    ],
)
def test_an_answer_that_cannot_be_taken_is_sent_back_once(
    repo: TestRepository, api: LoopbackApi, wrong: dict[str, Any], diagnosis: str
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    api.script(answers(wrong), answers(answer(shop=ORDER)))
    run(repo, api).ok()
    assert spec(repo, "shop") == ORDER
    assert diagnosis in last_text(api.requests[1].body)


def test_a_declaration_is_lost_only_with_a_reason(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    api.script(answers(answer(shop=ORDER + "\nenum State { open | paid }\n")))
    run(repo, api).ok()
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "n")})
    given = {**answer(shop=ORDER), "removed": [{"declaration": "enum State", "reason": "gone"}]}
    api.script(answers(answer(shop=ORDER)), answers(given))
    run(repo, api).ok()
    assert "enum State" in last_text(api.requests[2].body)
    assert spec(repo, "shop") == ORDER


def test_after_a_second_wrong_answer_the_old_specification_stays_with_a_question(
    repo: TestRepository, api: LoopbackApi
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit('Pay "them"', {"src/shop/order.py": entity("Order", "total", "n")})
    api.script(answers(answer(shop=ORDER)), says("no JSON"), says("none again"))
    done = run(repo, api).ok()
    assert f"incomplete: {repo.rev('HEAD')[:12]} Pay" in done.err
    assert spec(repo, "shop") == ORDER + (
        f"\nopen question \"What did {repo.rev('HEAD')[:12]} change: Pay 'them'? "
        'It is not described"\n'
    )
    assert "Allium-Incomplete: the model's answer was unusable 2 times" in body(repo)
    # What was refused was paid for.
    assert "Allium-Cost: $0.0008" in body(repo)
    assert json.loads(run(repo, api, "--json").out)["status"] == "up_to_date"


def test_a_refusal_is_an_incomplete_step(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    api.script(refuses())
    run(repo, api).ok()
    assert "Allium-Incomplete: the model declined to answer" in body(repo)
    assert "open question" in spec(repo, "_master")


def test_a_service_that_fails_ends_the_run_and_the_next_one_goes_on(
    repo: TestRepository, api: LoopbackApi
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "n")})
    refused = status(400, message="no", headers={"x-should-retry": "false"})
    api.script(answers(answer(shop=ORDER)), refused)
    done = run(repo, api)
    assert done.status == 128
    assert told(repo) == {"a": []}
    api.script(answers(NOTHING))
    run(repo, api).ok()
    assert told(repo) == {"a": [], "b": ["a"]}
    assert api.unused == 0


def test_the_budget_ends_a_run_between_steps(repo: TestRepository, api: LoopbackApi) -> None:
    for name in "ab":
        repo.commit(name, {"src/shop/order.py": entity("Order", name)})
    api.responder = lambda _: answers(NOTHING)
    done = run(repo, api, "--max-cost", "0.000001")
    assert done.status == 1
    assert "the budget of $0.000001 is spent" in done.err
    assert api.requests == []


def test_without_a_yes_nothing_is_asked(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    done = allium_here(repo.path, "evolve", env=api.env)
    assert done.status == 1
    assert done.err.startswith("1 commit to ask about: $0.0")
    assert "nothing was sent: the estimate needs a yes" in done.err
    planned = json.loads(allium_here(repo.path, "evolve", "--estimate", "--json", env=api.env).out)
    assert planned["estimate"]["steps"] == 1
    assert api.requests == []


def test_a_large_change_is_asked_about_in_parts(repo: TestRepository, api: LoopbackApi) -> None:
    repo.git("config", "allium.maxDiffTokens", "60")
    names = ("shop", "tax", "user")
    files = {f"src/{name}/a.py": entity(name.title(), "n") + "# x\n" * 30 for name in names}
    files = {name.removeprefix("src/"): text for name, text in files.items()}
    repo.commit("a", files)

    def respond(request: dict[str, Any]) -> Says:
        (name,) = re.findall(r"modules `(\w+)`", last_text(request))
        return answers(answer(**{name: ORDER.replace("Order", name.title())}))

    api.responder = respond
    run(repo, api).ok()
    assert len(api.requests) == 3
    for name in names:
        assert f"entity {name.title()}" in spec(repo, name)


def test_what_a_merge_leaves_open_is_asked(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("a", {"src/shop/a.py": "1\n", "src/shop/b.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("t", {"src/shop/a.py": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"src/shop/b.py": "2\n"})
    merge(repo, "m", "topic")
    ours, theirs = ORDER.replace("Integer", "Decimal"), ORDER.replace("Integer", "String")

    def respond(request: dict[str, Any]) -> Says:
        prompt = last_text(request)
        if "<conflict" in prompt:
            assert 'declaration="entity Order: field total">' in prompt
            return answers(answer(shop=ours))
        subject = re.findall(r"[0-9a-f]{8} - (\w)\n</commits>", prompt)[0]
        return answers(answer(shop={"a": ORDER, "t": theirs, "b": ours}[subject]))

    api.responder = respond
    run(repo, api).ok()
    assert told(repo) == shape(repo)
    assert spec(repo, "shop") == ours, "decided, so no question"
    assert api.requests[-1].body["model"] == "claude-opus-5-5"


@pytest.mark.slow
def test_branches_are_asked_about_side_by_side_with_one_result(
    repo: TestRepository, api: LoopbackApi
) -> None:
    make_branchy(repo)
    api.responder = lambda _: answers(NOTHING)
    run(repo, api).ok()
    tip = repo.rev(BRANCH)
    repo.git("branch", "-qD", BRANCH)
    repo.git("config", "allium.maxConcurrency", "1")
    run(repo, api).ok()
    assert repo.rev(BRANCH) == tip


def test_what_is_never_sent_is_named_only(repo: TestRepository, api: LoopbackApi) -> None:
    repo.git("config", "retcon.neverSend", "secret*")
    repo.commit("a", {"src/shop/secret.py": "password = 'hunter22'\n", "src/shop/a.py": "x = 1\n"})
    api.script(answers(NOTHING))
    run(repo, api).ok()
    prompt = last_text(api.requests[0].body)
    assert "hunter22" not in prompt
    assert "src/shop/secret.py changed; its content is withheld" in prompt


def test_what_is_never_sent_is_not_read_for_its_imports(
    repo: TestRepository, api: LoopbackApi
) -> None:
    repo.git("config", "retcon.neverSend", "secret*")
    repo.commit("a", {"src/shop/order.py": "x = 1\n", "src/tax/rate.py": "x = 1\n"})
    repo.commit("b", {"src/shop/secret.py": "from tax.rate import x\n"})
    api.script(answers(answer(shop=ORDER, tax=ORDER.replace("Order", "Rate"))), answers(NOTHING))
    run(repo, api).ok()
    shown = re.findall(r'<module path="(.*)">', last_text(api.requests[-1].body))
    assert shown == ["shop.allium"]


def test_a_module_that_one_part_changes_and_another_removes_stays(
    repo: TestRepository, api: LoopbackApi
) -> None:
    repo.git("config", "allium.maxDiffTokens", "60")
    files = {f"{name}/a.py": "import shop\n" + "# x\n" * 30 for name in ("one", "two")}
    repo.commit("a", {"shop/a.py": "x = 1\n"})
    repo.commit("b", files)
    paid = ORDER.replace("total: Integer\n", "total: Integer\n    paid: Integer\n")

    def respond(request: dict[str, Any]) -> Says:
        (names,) = re.findall(r"modules (.*?)\.", last_text(request))
        if "one" in names:
            return answers(answer(shop=paid))
        if "two" in names:
            gone = [{"declaration": "entity Order", "reason": "nobody orders"}]
            return answers({**answer(shop=None), "removed": gone})
        return answers(answer(shop=ORDER))

    api.responder = respond
    run(repo, api).ok()
    assert spec(repo, "shop") == paid


def test_the_prompt_is_shown_when_asked_for(repo: TestRepository, api: LoopbackApi) -> None:
    repo.commit("a", {"src/shop/a.py": "x = 1\n"})
    api.script(answers(NOTHING))
    done = run(repo, api, "--show-prompt").ok()
    assert "--- prompt to claude-opus-5-5" in done.err
    assert "The spec is split" in done.err or "split into modules that mirror" in done.err


def test_with_more_depth_the_changes_before_are_shown_too(
    repo: TestRepository, api: LoopbackApi
) -> None:
    for name in "abc":
        repo.commit(name, {f"src/shop/{name}.py": f"{name} = 1\n"})
    api.responder = lambda _: answers(NOTHING)
    run(repo, api, "--window-size", "3", "--process-depth", "2").ok()
    prompt = last_text(api.requests[2].body)
    assert f'<earlier commit="{repo.rev("HEAD~")[:8]}">\n--- (new)\n+++ src/shop/b.py' in prompt
    assert "+a = 1" not in prompt
    assert f"{repo.rev('HEAD~2')[:8]} - a" in prompt
    repo.commit("d", {"src/shop/d.py": "d = 1\n"})
    run(repo, api, "--window-size", "3").ok()
    assert "<earlier" not in last_text(api.requests[-1].body)


def test_an_estimate_of_claude_needs_no_key(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    done = allium_here(repo.path, "evolve", "--estimate", "--engine", "claude").ok()
    assert "1 commit to ask about: $0.0" in done.out
    wrong = allium_here(repo.path, "evolve", "--engine", "claude")
    assert (wrong.status, wrong.err.splitlines()[0]) == (128, "fatal: no API key")
