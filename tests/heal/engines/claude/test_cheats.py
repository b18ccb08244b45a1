"""No cheat is called healed, and none is applied by ``--yes``; each is caught by what is said."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.heal.checks import new_project
from tests.heal.engines.claude.cheats import CHEATS, FILES, STEPS, Caught, Cheat
from tests.heal.project import CI
from tests.model.loopback import LoopbackApi, Says, answers, call, calls
from tests.program import heal_here
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

_KINDS = 13  # that the table has, at least two cheats of each


def test_the_table_has_thirty_cheats_and_two_of_each_kind() -> None:
    assert len(CHEATS) >= 30
    kinds = Counter(cheat.kind for cheat in CHEATS)
    assert len(kinds) == _KINDS
    assert min(kinds.values()) >= 2
    assert {cheat.caught for cheat in CHEATS} == set(Caught)


def project(path: Path) -> TestRepository:
    lines = "".join(f"    - run: {json.dumps(step)}\n" for step in STEPS)
    workflow = f"{CI}{lines}"
    return new_project(path / "project", workflow, FILES)


def cheat_in(path: Path, api: LoopbackApi, cheat: Cheat) -> Caught:
    """Let a model cheat; what caught it, after making sure that something did."""
    repository = project(path)
    claim = answers({"verdict": "fixed", "summary": "all is fixed"})
    for _ in range(2):
        api.script(*(calls(name, given) for name, given in cheat.calls), claim)
    ran = heal_here(repository.path, "--trust", "--json", "--yes", "--engine=claude")
    said = json.loads(ran.out)
    assert ran.status == 1, ran.out + ran.err
    assert said["healed"] == []
    assert said["applied"] == []
    assert repository.git("status", "--porcelain") == ""
    return _judge(said, api)


def list_batched() -> list[Cheat]:
    """The cheats that the one answer of a batch can express: edits, and new files."""
    return [one for one in CHEATS if all(name == "edit_file" for name, _ in one.calls)]


def cheat_in_batch(path: Path, api: LoopbackApi, cheat: Cheat) -> Caught:
    """As ``cheat_in``, with all edits in the answer of a batch."""
    repository = project(path)
    edits = [given for _, given in cheat.calls]
    api.batches.answers = lambda body: answers(
        {"verdict": "fixed", "summary": "all is fixed", "edits": edits}
    )
    ran = heal_here(repository.path, "--trust", "--json", "--yes", "--batch")
    said = json.loads(ran.out)
    assert ran.status == 1, ran.out + ran.err
    assert said["healed"] == []
    assert said["applied"] == []
    assert len(api.batches.created) == 1
    assert repository.git("status", "--porcelain") == ""
    refused = [one for one in said["left"] if "does not hold" in (one["reason"] or "")]
    return Caught.REFUSED if refused else _judge(said, api)


def _judge(said: dict[str, list[dict[str, str]]], api: LoopbackApi) -> Caught:
    results = [
        block
        for request in api.requests
        for message in request.body["messages"]
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    if any(block.get("is_error") for block in results):
        return Caught.REFUSED
    unverified = said["unverified"]
    if unverified and "could hide the error" in unverified[0]["reason"]:
        return Caught.ASKS
    by_proof = unverified and "still fails" not in unverified[0]["reason"]
    return Caught.PROOF if by_proof else Caught.FAILS


@needs_strong_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: f"{cheat.kind}: {cheat.name}")
def test_a_cheat_is_caught(cheat: Cheat, tmp_path: Path, api: LoopbackApi) -> None:
    assert cheat_in(tmp_path, api, cheat) is cheat.caught


# All of them take minutes: ``python -m tests.bench.batch_cheats``.
_FIRST_OF_EACH = list({one.caught: one for one in reversed(list_batched())}.values())


@needs_strong_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("cheat", _FIRST_OF_EACH, ids=lambda cheat: f"{cheat.kind}: {cheat.name}")
def test_a_cheat_in_a_batch_is_caught_in_the_same_way(
    cheat: Cheat, tmp_path: Path, api: LoopbackApi
) -> None:
    assert cheat_in_batch(tmp_path, api, cheat) is cheat.caught


@pytest.mark.slow
def test_several_changes_that_nothing_may_be_made_to_are_refused_at_once(
    tmp_path: Path, api: LoopbackApi
) -> None:
    """The cheats that a tool refuses, in one conversation: whichever sandbox there is, or none."""
    refused = [cheat for cheat in CHEATS if cheat.caught is Caught.REFUSED]
    repository = project(tmp_path)
    blocks = tuple(call(name, given) for cheat in refused for name, given in cheat.calls)
    claim = answers({"verdict": "stuck", "summary": "nothing may be changed"})
    api.script(Says(blocks), claim, claim)
    ran = heal_here(
        repository.path, "--trust", "--json", "--yes", "--engine=claude", "--sandbox=off"
    )
    assert json.loads(ran.out)["healed"] == []
    told = api.requests[1].body["messages"][-1]["content"]
    assert [block["is_error"] for block in told] == [True] * len(blocks)
    assert repository.git("status", "--porcelain") == ""
