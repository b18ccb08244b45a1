"""One conversation a commit, from its extraction into its repair, each with the same beginning."""

import re
from typing import Any

import pytest

from tests.model.loopback import Answer, LoopbackApi, calls
from tests.retcon.engines.claude.scene import (
    CHANGED,
    MESSAGES,
    Author,
    Build,
    Conversation,
    Diligent,
    Scene,
    commit,
    exclude_fix,
    plays,
    progress,
    several,
    stuck,
)


def messages(api: LoopbackApi) -> list[list[Any]]:
    return [received.body["messages"] for received in api.requests]


def shared_text(body: Any) -> str:
    return str(body["messages"][0]["content"][0]["text"])


def test_a_repair_goes_on_with_what_was_said_of_the_commit(api: LoopbackApi, scene: Scene) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    take, create, repair, fixed, other = messages(api)[:5]
    for before, after in ((take, create), (create, repair), (repair, fixed)):
        assert after[: len(before)] == before
        assert len(after) > len(before)
    assert "Commit 1 fails." in repair[-1]["content"][-1]["text"]
    # The next commit begins again, and not with all that was said about the first.
    assert len(other) == 1


def test_everything_up_to_the_task_is_the_same_in_every_request(
    api: LoopbackApi, scene: Scene
) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    bodies = [received.body for received in api.requests]
    for key in ("tools", "system", "output_config"):
        assert all(body[key] == bodies[0][key] for body in bodies), key
    assert all(
        body["messages"][0]["content"][0] == bodies[0]["messages"][0]["content"][0]
        for body in bodies
    )
    assert bodies[0]["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    # All of it, with ids: what is built and what is proposed is said behind it.
    shown = shared_text(bodies[0])
    assert all(f"=== {path}" in shown for path in ("names.py", "colors.py", "shapes.py", "main.py"))
    assert "proposed" not in shown and "built" not in shown
    assert str(api.requests[-1].body).count("+def paint():") == 1


def test_what_is_on_the_branch_is_told_behind_the_difference(
    api: LoopbackApi, scene: Scene
) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    first = Conversation(api.requests[0].body)
    last = Conversation(api.requests[-1].body)
    assert re.search(r"^All \d+ hunks are left\.$", first.prompt, re.M)
    assert "\nOnly these are left, the others are on the branch already:\nmain.py: " in last.prompt


def test_a_commit_placed_by_pages_is_repaired_with_the_tools(
    api: LoopbackApi, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_RETCON_EXTRACT", "pages")
    changed = CHANGED | {"colors.py": 'def paint():\n    return "red"\n'}
    scene = build(build="test ! -e colors.py || test -e names.py", changed=changed)

    def repair(seen: Conversation) -> Answer:
        assert seen.is_assessing
        return commit("add names") if seen.turn else calls("take_atoms", {"paths": ["names.py"]})

    plays(api, Author({"colors.py": 1, "names.py": 2, "shapes.py": 2, "main.py": 3}, then=repair))
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.cleaned() == [MESSAGES[0], "WIP: add names", *MESSAGES[1:]]
    repaired = Conversation(api.requests[1].body)
    assert "Hunks taken for this commit:\ncolors.py: " in repaired.prompt
    assert len(api.requests) == 3


def test_hunks_that_undo_a_bridge_are_shown_where_the_conversation_goes_on(
    api: LoopbackApi, scene: Scene
) -> None:
    """A bridge changes the difference: its undoing is a hunk that nobody has seen yet."""
    seen_repairs: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.is_assessing:
            seen_repairs.append(seen.prompt)
            if seen.turn == 0:
                return calls("take_atoms", {"paths": ["names.py"]})
            return progress("add names from names.py")
        if seen.number == 1 and seen.turn == 0:
            return several(
                ("take_atoms", {"ids": seen.ids("colors.py")}),
                ("write_file", {"path": "between.py", "content": "HERE = 1\n"}),
            )
        if seen.number == 3 and seen.turn == 0:
            return calls("take_atoms", {"paths": ["main.py", "between.py"]})
        return commit() if seen.turn else Diligent()(seen)

    plays(api, model)
    done = scene.run("--sandbox=off")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert "What was written makes these new ones" in seen_repairs[0]
    assert "=== between.py" in seen_repairs[0] and "-HERE = 1" in seen_repairs[0]


def test_output_that_was_quoted_before_is_not_sent_again(api: LoopbackApi, build: Build) -> None:
    noise = "for n in 1 2 3 4 5 6 7 8 9; do echo compiling part $n; done"
    scene = build(build=f"{noise}; test -e names.py && grep -q edge main.py")
    scene.repository.git("config", "retcon.extract", "tools")

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        wanted = "names.py" if "attempt 1 " in seen.prompt else "main.py"
        return commit("add more") if seen.turn else calls("take_atoms", {"paths": [wanted]})

    plays(api, model)
    scene.run()
    repair, second = (str(messages(api)[at][-1]) for at in (2, 4))
    assert "compiling part 5" in repair and "compiling part 5" not in second
    assert "attempt 2 to fix it" in second and "[the same output as before]" in second


def test_a_model_that_gave_up_begins_again(api: LoopbackApi, scene: Scene) -> None:
    """A conversation that ended without an answer is no help to the next attempt."""
    exclude_fix(scene)
    plays(api, lambda seen: stuck("no idea") if seen.is_assessing else Diligent()(seen))
    assert scene.run().status == 1
    asked = len(api.requests)
    assert scene.run().status == 1
    assert len(messages(api)[asked]) == 1
