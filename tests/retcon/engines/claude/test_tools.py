"""The tools of a model: what they list, read and take."""

import re
from pathlib import Path

import pytest

from tests.model.loopback import Answer, LoopbackApi, calls
from tests.retcon.engines.claude.scene import (
    Conversation,
    Diligent,
    Scene,
    build_scene,
    commit,
    everything_sent,
    plays,
    several,
)


@pytest.mark.slow
def test_a_large_difference_is_listed_and_read_hunk_by_hunk(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed: dict[str, str | bytes | None] = {
        f"part{n:02}.py": "".join(f"value_{n}_{k} = 'x' * {k}  # line {k}\n" for k in range(1200))
        for n in range(6)
    }
    scene = build_scene(
        tmp_path / "large", capsys, monkeypatch, changed=changed, messages=("even", "odd")
    )
    pages: set[str] = set()

    def model(seen: Conversation) -> Answer:
        wanted = f"part0{4 - 2 * seen.turn}.py"
        if seen.number == 2:
            paths = [f"part0{n}.py" for n in (1, 3, 5)]
            return commit() if seen.turn else calls("take_atoms", {"paths": paths})
        if seen.turn == 0:
            assert "read_diff with a path" in seen.prompt
            assert "value_1_7 " not in seen.prompt
        pages.add(seen.last[-40:])
        if seen.turn < 3:
            return several(
                ("read_diff", {"path": wanted, "page": 2}), ("take_atoms", {"paths": [wanted]})
            )
        return commit()

    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.cleaned() == ["even", "odd"]
    assert scene.is_rebuilt()
    assert len(pages) == 4
    assert "[page 2 of " in everything_sent(api)
    assert max(len(str(received.body)) for received in api.requests) < 150_000


def test_the_planners_proposal_can_be_taken_whole(api: LoopbackApi, scene: Scene) -> None:
    def trusting(seen: Conversation) -> Answer:
        if seen.is_assessing:
            return Diligent().assess(seen)
        return commit() if seen.turn else calls("take_atoms", {"proposed": True})

    plays(api, trusting)
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.is_rebuilt()


def test_ids_are_shown_short_and_read_with_brackets(api: LoopbackApi, scene: Scene) -> None:
    said: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.number > 1 or seen.is_assessing:
            return Diligent()(seen)
        said.append(seen.last)
        shown = seen.ids("colors.py")
        given = {0: [shown[0][:4] + "x", *(f"[{each}]" for each in shown)], 1: shown}
        return calls("take_atoms", {"ids": given[seen.turn]}) if seen.turn < 2 else commit()

    plays(api, model)
    assert scene.run().status == 0
    text = Conversation(api.requests[0].body).prompt
    assert {len(each) for each in re.findall(r"^\[([0-9a-f]+)\] ", text, re.MULTILINE)} == {5}
    count = len(re.findall(r"^\[", text.partition("=== colors.py")[2].partition("===")[0], re.M))
    assert f"{count} taken, 0 put back; {count} in all" in said[1]
    assert "no hunk that is left has the id" in said[1]


def test_a_part_of_a_hunk_is_taken_by_its_lines(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rates = "FULL = 20\nHALF = 10\nLONG = [\n    1,\n]\n"
    scene = build_scene(
        tmp_path / "parts",
        capsys,
        monkeypatch,
        changed={"rates.py": rates},
        messages=("half", "rest"),
        build="true",
    )
    scene.repository.git("config", "retcon.extract", "tools")
    said: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.number == 1 and seen.turn < 2:
            said.append(seen.last)
            hunk = re.findall(r"^\[([0-9a-f]+)\]", seen.prompt, re.MULTILINE)[0]
            return calls("take_atoms", {"ids": [f"{hunk}:{('2-3', '2')[seen.turn]}"]})
        if seen.number == 2 and not seen.turn:
            return calls("take_atoms", {"paths": ["rates.py"]})
        said.append(seen.last)
        return commit()

    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    assert "would break the statement 'LONG = [' (lines 3 to 5)" in said[1]
    assert "1 taken, 0 put back; 1 in all, 2 left" in said[2]
    assert scene.is_rebuilt()
    first = scene.repository.git("show", f"{scene.commits()[0]}:rates.py")
    assert first == "HALF = 10"


def test_a_model_releases_what_came_too_early(api: LoopbackApi, scene: Scene) -> None:
    scene.repository.git("config", "retcon.extract", "tools")
    said: list[str] = []

    def model(seen: Conversation) -> Answer:
        if seen.is_assessing and seen.turn == 0:
            both = [*seen.ids("colors.py"), *seen.ids("shapes.py")]
            return calls("take_atoms", {"put_back": both})
        if seen.is_assessing and seen.turn == 1:
            said.append(seen.last)
            return calls("take_atoms", {"put_back": seen.ids("colors.py")})
        if seen.is_assessing:
            said.append(seen.last)
            return commit("leave paint of colors.py for later")
        if seen.turn == 0:
            paths = {
                1: ["colors.py", "shapes.py"], 2: ["names.py", "colors.py"], 3: ["main.py"]
            }  # fmt: skip
            return calls("take_atoms", {"paths": paths[seen.number]})
        return commit()

    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    assert "that would leave the commit empty" in said[0]
    assert "put back; 0 in all" in said[1]
    assert scene.is_rebuilt()
    assert scene.cleaned()[:2] == ["add colors", "WIP: leave paint of colors.py for later"]
    second = scene.repository.git("diff", "--name-only", "clean~2", "clean~1").split()
    assert second == ["colors.py", "names.py"]
