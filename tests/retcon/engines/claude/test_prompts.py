"""The rules and the task that a model gets: of what there is, with what a person has noted."""

import re

import pytest

from git_retcon.retcon.engines.claude.prompts import commit_rules
from tests.model.loopback import Answer, LoopbackApi, calls
from tests.retcon.engines.claude.scene import (
    Conversation,
    Diligent,
    Scene,
    commit,
    exclude_fix,
    plays,
    stuck,
)


@pytest.mark.slow
def test_a_persons_note_goes_along_when_it_tries_again(api: LoopbackApi, scene: Scene) -> None:
    exclude_fix(scene)
    asks = stuck("which colour comes first?")
    plays(api, lambda seen: asks if seen.is_assessing else Diligent()(seen))
    done = scene.run()
    assert done.status == 1
    assert "which colour comes first?" in done.err
    note = '{ stuck = "which colour comes first?" }, { resolved = "red does" }'
    text = scene.spec.read_text().replace('{ stuck = "which colour comes first?" }', note)
    assert "red does" in text
    scene.spec.write_text(text)
    asked = len(api.requests)
    assert scene.run().status == 1
    assert "The user says: red does" in str(api.requests[asked].body)
    assert len(api.requests[asked].body["messages"]) == 1


def test_a_proposal_names_no_commit_that_is_built(api: LoopbackApi, scene: Scene) -> None:
    """What the model decided is known to the plan that it is shown next."""
    listed: dict[int, str] = {}

    def contrary(seen: Conversation) -> Answer:
        if seen.turn == 0:
            return calls("read_diff", {})
        if seen.turn == 1:
            listed[seen.number] = seen.last
            wanted = {1: ["shapes.py"], 2: ["names.py"], 3: ["main.py", "colors.py"]}
            return calls("take_atoms", {"paths": wanted[seen.number]})
        return commit()

    scene.repository.git("config", "retcon.build", "true")
    text = scene.spec.read_text()
    scene.spec.write_text(re.sub("^build = .*$", 'build = "true"', text, flags=re.M))
    plays(api, contrary)
    done = scene.run()
    assert done.status == 0, done.err
    assert "=== colors.py" in listed[2] and "=== colors.py" in listed[3]
    assert "proposed: commit 1," in listed[1]
    assert "proposed: commit 1," not in listed[2] + listed[3]
    assert "proposed: commit 2," not in listed[3]


@pytest.mark.parametrize(
    ("steps", "runners"),
    [((), set()), (("build",), {"run_build"}), (("build", "test"), {"run_build", "run_tests"})],
)
def test_the_rules_name_no_command_that_there_is_not(
    steps: tuple[str, ...], runners: set[str]
) -> None:
    rules = commit_rules(steps)
    assert set(re.findall(r"`(run_\w+)`", rules)) == runners
    assert "\n\n\n" not in rules and "${" not in rules


def test_every_tool_that_is_named_is_offered(api: LoopbackApi, scene: Scene) -> None:
    plays(api, lambda seen: stuck("enough"))
    scene.run()
    body = api.requests[0].body
    offered = {tool["name"] for tool in body["tools"]}
    parameters = {name for tool in body["tools"] for name in tool["input_schema"]["properties"]}
    named = set(re.findall(r"`([a-z]+_[a-z]+)`", body["system"][0]["text"])) - parameters
    assert named <= offered
    # read_diff and read_file explain themselves.
    assert offered - named == {"read_diff", "read_file"}
