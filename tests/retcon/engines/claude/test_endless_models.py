"""A model that would go on for ever is ended, and nothing of the user's moves.

A law over ``engine``, ``tools``, ``session`` and the loop.
"""

import pytest

from tests.model.loopback import Answer, LoopbackApi, Says, call, calls
from tests.retcon.engines.claude.scene import (
    Build,
    Conversation,
    Diligent,
    Scene,
    commit,
    exclude_fix,
    planned_run,
    plays,
    progress,
    stuck,
    stuck_run,
)


def test_progress_without_change_for_ever(api: LoopbackApi, scene: Scene) -> None:
    def model(seen: Conversation) -> Answer:
        return progress("add everything") if seen.is_assessing else Diligent()(seen)

    exclude_fix(scene)
    _, why = stuck_run(api, scene, model)
    assert why.endswith("it says 'progress' but nothing was taken or written")
    assert len(api.requests) == 4  # two to extract, one answer, one more after its fault


def test_a_commit_of_nothing_for_ever(api: LoopbackApi, scene: Scene) -> None:
    _, why = planned_run(api, scene, lambda seen: commit("done"), "--build", "true")
    assert "nothing was taken or written, so there is nothing to commit" in why
    assert len(api.requests) == 3 + 2  # and one for each other commit


def test_the_same_call_for_ever(api: LoopbackApi, scene: Scene) -> None:
    reads = calls("read_file", {"path": "main.py"})
    _, why = planned_run(api, scene, lambda seen: reads, "--build", "true")
    assert "3 turns without anything new" in why
    assert len(api.requests) == 4 + 2  # and one for each other commit


@pytest.mark.slow
def test_ever_new_calls(api: LoopbackApi, scene: Scene) -> None:
    def model(seen: Conversation) -> Answer:
        return calls("write_file", {"path": "x.py", "content": f"n = {seen.turn}\n"})

    _, why = planned_run(api, scene, model, "--build", "true")
    assert why == "the model had no answer after 40 turns"


@pytest.mark.slow
def test_a_thousand_calls_at_once(api: LoopbackApi, scene: Scene) -> None:
    def model(seen: Conversation) -> Answer:
        if seen.turn == 0:
            uses = (call("run_build", {}) for _ in range(1000))
            return Says(tuple(uses))
        blocks = seen.body["messages"][-1]["content"]
        assert sum(not block["is_error"] for block in blocks) == 12
        assert sum("no trials are left" in block["content"] for block in blocks) == 36
        return stuck("enough")

    _, why = planned_run(api, scene, model)
    assert why == "enough"


@pytest.mark.slow
def test_fixes_that_go_in_circles(api: LoopbackApi, build: Build) -> None:
    """Each attempt changes something and nothing gets better."""
    scene = build(build="cat noi*; test -e names.py")
    turns = iter(range(1000))

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn == 0:
            content = f"# {'ab'[next(turns) % 2]}\nexit 0\n"
            return calls("write_file", {"path": "noise.txt", "content": content})
        return progress("try again")

    _, why = stuck_run(api, scene, model)
    assert "3 fixes in a row brought no new verdict" in why
    assert len(scene.cleaned()) < 10


def test_failures_that_differ_in_an_address_alone_are_the_same(
    api: LoopbackApi, build: Build
) -> None:
    """A process id is another one in every run, and so is an address made of it."""
    scene = build(build="printf 'crash at 0x%x in 0.%s s\\n' $$ $$; test -e names.py")
    turns = iter(range(1000))

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn == 0:
            return calls("write_file", {"path": "noise.txt", "content": f"{next(turns)}\n"})
        return progress("try again")

    _, why = stuck_run(api, scene, model)
    assert why == "3 fixes in a row brought no new verdict and no fewer errors"
    assert scene.cleaned().count("WIP: try again") == 3


@pytest.mark.slow
def test_a_fix_that_moves_an_error_to_another_line_is_headway(
    api: LoopbackApi, build: Build
) -> None:
    scene = build(build="test -e names.py || { echo main.c:$(cat lin*): bad; exit 1; }")
    lines = iter([633, 646, 652, 660, 671])

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn > 0:
            return progress("try again")
        line = next(lines, None)
        if line is None:
            return calls("take_atoms", {"paths": ["names.py"]})
        return calls("write_file", {"path": "line.txt", "content": f"{line}\n"})

    plays(api, model)
    scene.run("--sandbox=off")
    assert scene.cleaned().count("WIP: try again") == 6


@pytest.mark.slow
def test_a_model_that_has_something_new_each_time_is_ended_too(
    api: LoopbackApi, build: Build
) -> None:
    scene = build(build="cat noi*; test -e names.py")
    turns = iter(range(1000))

    def model(seen: Conversation) -> Answer:
        if not seen.is_assessing:
            return Diligent()(seen)
        if seen.turn == 0:
            return calls("write_file", {"path": "noise.txt", "content": f"v{next(turns)}\n"})
        return progress("try again")

    _, why = stuck_run(api, scene, model, "--sandbox=off")
    assert why == "24 fixes did not make it pass"
