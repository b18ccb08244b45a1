"""Answers that no model should give: the run ends with the source's tree all the same.

What is unusable is asked for once more or left to the planner; the user's things stay as they are.
"""

import json
from typing import Any

import pytest

from tests.model.loopback import (
    Answer,
    LoopbackApi,
    Says,
    answers,
    call,
    calls,
    says,
    text,
    thinking,
)
from tests.retcon.engines.claude.scene import (
    Conversation,
    Run,
    Scene,
    belongings,
    plays,
    several,
    stuck,
)

_MOST = 999_999_999
_RIGHT = {"placements": [{"commit": 1, "hunks": "1-6"}], "unsure": ""}


def placing(*placements: Any, unsure: Any = "") -> Says:
    return answers({"placements": list(placements), "unsure": unsure})


def putting(hunks: Any, commit: Any = 1) -> Says:
    return placing({"commit": commit, "hunks": hunks})


PLACEMENTS = {
    "commits that there are not": putting("1-6", 10**30),
    "a commit below zero": putting("1-6", -1),
    "a commit of 6000 digits": says(json.dumps(_RIGHT).replace("1,", f"{'9' * 6000},", 1)),
    "a commit that is no number": says(json.dumps(_RIGHT).replace("1,", "NaN,", 1)),
    "a commit that is true": putting("1-6", commit=True),
    "a commit that is a fraction": putting("1-6", 1.5),
    "digits of other scripts": putting("١-٣, ４, ²"),
    "fractions and numbers below zero": putting("1.5, -3, 1e3, 0x2"),
    "each hunk twice": placing(*[{"commit": at, "hunks": "1-6, 1-6"} for at in (1, 2)] * 2),
    "lists within lists": placing([[{"commit": 1, "hunks": "1"}]]),
    "hunks as a list": putting([1, 2]),
    "brackets without end": says("[" * 200_000),
    "objects without end": says('{"placements":' * 20_000),
    "parts of any length": putting(f"1:1-{_MOST}, 2:{_MOST}, 3:1,1-{_MOST}"),
    "parts that overlap": putting("1:1-2, 1:2-3, 1:1-99"),
    "numbers of another page": putting("77-99, 1a2b3c, 1f3a:1-2"),
    "much too many numbers": putting("1, " * 5_000),
    "masks": placing({"commit": 1, "hunks": "[masked secret 1]"}, unsure="[masked secret 2]"),
    "a byte of zero": placing({"commit": 1, "hunks": "1\0, 2"}, unsure="\0"),
    "half a surrogate pair": says('{"placements":[{"commit":1,"hunks":"\\ud800 2"}],"unsure":""}'),
    "half a pair as a key": says('{"placements":[],"unsure":"","\\ud800":1}'),
    "half a pair as a commit": putting("1", "\ud800"),
    "an escape that is none": says('{"placements":[{"commit":1,"hunks":"\\u12"}],"unsure":""}'),
    "one key twice": says('{"placements":[],"placements":[{"commit":3,"hunks":"1"}],"unsure":""}'),
    "instructions": says(f"Run `git push --force` first!\x1b[2J\n{json.dumps(_RIGHT)}"),
    "nothing": Says(()),
    "thoughts alone": Says((thinking("it is clear to me"),)),
    "a pause for ever": says("", stop="pause_turn"),
    "a call of no tool": calls("create_commit", [1, 2]),
}


def run(scene: Scene) -> Run:
    before = belongings(scene.repository)
    done = scene.run("--build", "true", "--sandbox=off")
    assert belongings(scene.repository) == before
    assert "Traceback" not in done.err and "\x1b" not in done.err
    return done


@pytest.mark.parametrize("name", PLACEMENTS)
def test_a_strange_placement_costs_nothing(
    api: LoopbackApi, scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GIT_RETCON_EXTRACT", "pages")
    plays(api, lambda seen: PLACEMENTS[name] if seen.is_placing else stuck("not asked"))
    done = run(scene)
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert sum(Conversation(received.body).is_placing for received in api.requests) <= 3


USES: dict[str, list[tuple[str, Any]]] = {
    "ids that are numbers": [("take_atoms", {"ids": [1, 2]})],
    "ids in one text": [("take_atoms", {"ids": "1f3a"})],
    "ids in lists": [("take_atoms", {"ids": [["1f3a"]]})],
    "more ids than may be": [("take_atoms", {"ids": ["1f3a"] * 6000})],
    "a list": [("take_atoms", [1])],
    "no JSON": [("take_atoms", "ids: all")],
    "null": [("take_atoms", None)],
    "proposed as a word": [("take_atoms", {"proposed": "yes"})],
    "pages that there are not": [
        ("read_diff", {"page": 10**25}),
        ("read_diff", {"page": 1.5}),
        ("read_file", {"path": "main.py", "page": -5}),
    ],
    "half surrogate pairs": [
        ("read_file", {"path": "\ud800"}),
        ("read_diff", {"path": "\udcff", "ids": ["\ud800"]}),
        ("take_atoms", {"paths": ["\udfff"], "ids": ["\udcff"]}),
        ("write_file", {"path": "\ud800", "content": "x"}),
        ("write_file", {"path": "x.py", "content": "\ud800"}),
        ("create_commit", {"message": "\ud800"}),
    ],
    "bytes of zero": [
        ("read_file", {"path": "a\0b"}),
        ("take_atoms", {"paths": ["\0"], "ids": ["\0"], "put_back": ["\0"]}),
        ("write_file", {"path": "a\0b", "content": "x"}),
        ("write_file", {"path": "x.bin", "content": "\0"}),
    ],
    "masks": [("write_file", {"path": "[masked secret 1]", "content": "[masked secret 1]"})],
    "a path without end": [("write_file", {"path": "/".join(["a"] * 3000), "content": "x"})],
    "two commits": [
        ("take_atoms", {"paths": ["colors.py"]}),
        ("create_commit", {}),
        ("take_atoms", {"paths": ["main.py"]}),
        ("create_commit", {}),
    ],
    "a message that is none": [
        ("take_atoms", {"paths": ["colors.py"]}),
        ("create_commit", {"message": {"force": True}}),
    ],
    "more than is asked for": [("create_commit", {"message": "", "branch": "main"})],
    "no name": [("", {})],
}


@pytest.mark.parametrize("name", USES)
def test_a_strange_call_is_answered(api: LoopbackApi, scene: Scene, name: str) -> None:
    check_first_turn(api, scene, several(*USES[name]))


@pytest.mark.parametrize("key", ["ids", "put_back"])
def test_parts_of_any_length_cost_no_memory(api: LoopbackApi, scene: Scene, key: str) -> None:
    def model(seen: Conversation) -> Answer:
        if seen.number > 1 or seen.turn:
            return stuck("enough")
        hunks = seen.ids("colors.py", "main.py")
        return calls("take_atoms", {key: [f"{hunk}:1-{_MOST}" for hunk in hunks]})

    plays(api, model)
    done = run(scene)
    assert done.status == 0, done.err
    assert scene.is_rebuilt()


_TAKING = (call("take_atoms", {"paths": ["colors.py"]}), call("create_commit", {}))
TURNS = {
    "nothing": Says(()),
    "thoughts alone": Says((thinking("it is clear to me"),)),
    "calls cut off": Says((text("so"), *_TAKING), stop="max_tokens"),
    "calls and a refusal": Says(_TAKING, stop="refusal"),
    "calls and a full window": Says(_TAKING, stop="model_context_window_exceeded"),
    "calls and a pause": Says(_TAKING, stop="pause_turn"),
    "a pause for ever": says("well", stop="pause_turn"),
}


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_that_ends_strangely_does_not_end_the_run(
    api: LoopbackApi, scene: Scene, name: str
) -> None:
    check_first_turn(api, scene, TURNS[name])


def check_first_turn(api: LoopbackApi, scene: Scene, turn: Says) -> None:
    """What a model says first of the first commit harms nothing, and the run goes on."""

    def model(seen: Conversation) -> Answer:
        is_first = seen.number == 1 and not seen.is_assessing
        return turn if is_first and not seen.turn else stuck("enough")

    plays(api, model)
    done = run(scene)
    assert done.status == 0, done.err
    assert scene.is_rebuilt()


def test_two_calls_of_one_name_are_said_to_be_the_services_fault(
    api: LoopbackApi, scene: Scene
) -> None:
    """No answer to them could be told from the other's."""
    uses = (call("read_diff", {}, "toolu_1"), call("create_commit", {}, "toolu_1"))
    plays(api, lambda seen: Says(uses))
    done = run(scene)
    assert done.status == 128
    (line,) = [each for each in done.err.splitlines() if each.startswith("fatal: ")]
    assert line.endswith("cannot be read: two calls of tools have the same id")
