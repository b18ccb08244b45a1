"""The promise of a reconciliation, over whole histories: ``reconcile/`` with ``evolve/``."""

import json
import re
from typing import Any

import pytest

from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_model_reconciler import NO_STEP, Model, finding, found
from tests.model.loopback import Json, LoopbackApi, Says, answers, last_text
from tests.program import allium_here
from tests.repository import TestRepository

HEAD = "-- allium: 3\n-- Orders.\n"
FIXTURE = 16  # commits: three reconciliations with an interval of five


def make_fixture(repo: TestRepository) -> None:
    """A shop that grows by a service each commit; its rules are in methods."""
    for number in range(FIXTURE):
        name = f"Service{number}"
        text = f"class {name}:\n    total: int\n\n    def close(self):\n        self.done = True\n"
        repo.commit(f"Add {name}", {f"src/shop/service_{number}.py": text})


def spell_rule(number: int) -> str:
    return (
        f"\n-- Source: src/shop/service_{number}.py, Service{number}.close\n"
        f"rule Close{number} {{\n    when: Closing(service)\n    ensures: Closed(service)\n}}\n"
    )


class Reader(Model):
    """A model that finds a rule for each service that it is shown, and writes them all down."""

    def respond(self, request: Json) -> Says:
        said = super().respond(request)
        prompt = last_text(request)
        if self.asked[-1][0] == "analysis":
            numbers = sorted(set(map(int, re.findall(r"class Service(\d+):", prompt))))
            return found(
                *(
                    finding("addition", f"rule Close{n}", f"src/shop/service_{n}.py")
                    for n in numbers
                )
            )
        if self.asked[-1][0] == "combine":
            shown = re.search(r'<module path="shop.allium">\n(.*?)</module>', prompt, re.DOTALL)
            numbers = sorted(set(map(int, re.findall(r'"rule Close(\d+)"', prompt))))
            text = (shown[1] if shown else HEAD) + "".join(map(spell_rule, numbers))
            answer: dict[str, Any] = {
                "spec": None, "moduleUpdates": [{"module": "shop.allium", "content": text}],
                "additions": [], "removals": [], "changelog": f"{len(numbers)} rules.",
            }  # fmt: skip
            return answers(answer)
        return said


def run(repo: TestRepository, api: LoopbackApi) -> None:
    options = ("--yes", "--reconciliation-interval", "5")
    allium_here(repo.path, "evolve", *options, env=api.env).ok()


def count_rules(repo: TestRepository, tip: str) -> int:
    return spec(repo, "shop", tip).count("rule Close")


def test_a_specification_gains_rules_at_each_checkpoint(
    repo: TestRepository, api: LoopbackApi
) -> None:
    make_fixture(repo)
    model = Reader(api, analyses=[], combines=[answers(NO_STEP)] * 3)
    run(repo, api)
    status = json.loads(allium_here(repo.path, "status", "--json").out)
    assert [each["atStep"] for each in status["reconciliations"]] == [5, 10, 15]
    assert [each["findingsCount"] for each in status["reconciliations"]] == [5, 5, 5]
    steps = [f"{BRANCH}~{FIXTURE - step}" for step in (5, 9, 10, 14, 15, 16)]
    assert [count_rules(repo, tip) for tip in steps] == [5, 5, 10, 10, 15, 15]
    assert len(model.prompts("analysis")) == 3
    for tip, number in zip(steps[::2], (5, 10, 15), strict=True):
        said = repo.git("log", "-1", "--format=%B", tip)
        assert "Findings: 5 additions, 0 removals" in said
        assert f"Allium-Reconciled: step {number}, trunk step {number}, 5 findings" in said


@pytest.mark.slow
def test_no_model_is_needed_for_it(repo: TestRepository) -> None:
    for number in range(FIXTURE):
        repo.commit(f"{number}", {f"src/shop/s{number}.py": entity(f"S{number}", "total")})
    evolve(repo, "--reconciliation-interval", "5")
    status = json.loads(allium_here(repo.path, "status", "--json").out)
    assert [each["atStep"] for each in status["reconciliations"]] == [5, 10, 15]
    assert spec(repo, "shop").count("entity S") == FIXTURE


@pytest.mark.slow
def test_a_step_is_shown_its_modules_however_many_there_are(
    repo: TestRepository, api: LoopbackApi
) -> None:
    sizes = []
    for number in (3, 60):
        files = {f"src/m{n}/a.py": entity(f"E{n}", "total") for n in range(number)}
        repo.commit("all", {**files, "src/m0/b.py": "x = 1\n"})
        evolve(repo, "--reconciliation-interval", "1")
        repo.commit("one", {"src/m0/b.py": f"x = {number}\n"})
        model = Model(api, analyses=[], combines=[])
        allium_here(repo.path, "reconcile", "--yes", env=api.env).ok()
        (prompt,) = model.prompts("analysis")
        assert re.findall(r'<module path="(.*)">', prompt) == ["m0.allium"]
        assert f"-- This leaves out {number - 1} declarations about modules" in prompt
        sizes.append(len(prompt))
    assert sizes[1] - sizes[0] < 20
