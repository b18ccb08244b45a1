"""Whole runs over a real socket: the model chooses, the bytes are the source's."""

from pathlib import Path

import pytest

from tests.model.loopback import Answer, LoopbackApi, answers, calls, overloaded, status
from tests.retcon.engines.claude.scene import (
    MESSAGES,
    Conversation,
    Diligent,
    Scene,
    belongings,
    build_scene,
    commit,
    plays,
    several,
)


def test_a_branch_is_rebuilt_and_a_failed_build_is_fixed(api: LoopbackApi, scene: Scene) -> None:
    before = belongings(scene.repository)
    plays(api, Diligent())
    done = scene.run()
    assert done.status == 0, done.err
    assert done.err.startswith("Engine: claude-sonnet-5-5, up to $2.00\n")
    assert scene.cleaned() == [MESSAGES[0], "WIP: add names from names.py", *MESSAGES[1:]]
    assert scene.is_rebuilt()
    assert belongings(scene.repository) == before
    assert "Engine: claude" in scene.notes()
    assert "Tokens: " in scene.notes()


@pytest.mark.slow
def test_overload_and_limits_in_between_are_waited_for(api: LoopbackApi, scene: Scene) -> None:
    api.script(status(429, "rate_limit_error", retry_after=0.01), overloaded())
    plays(api, Diligent())
    done = scene.run()
    assert done.status == 0, done.err
    assert "529" in done.err
    assert scene.is_rebuilt()


BRIDGED = {
    "app.py": "import store\n\nstore.get()\n",
    "store.py": "VALUE = 7\n\n\ndef get():\n    return VALUE\n",
}


def bridging(seen: Conversation) -> Answer:
    """Commit 1 is app.py alone, which needs a store that only commit 2 brings."""
    if seen.number == 2:
        return (
            calls("take_atoms", {"proposed": True, "ids": all_ids(seen)})
            if not seen.turn
            else (commit())
        )
    if seen.turn == 0:
        return several(
            ("take_atoms", {"ids": seen.ids("app.py")}),
            ("write_file", {"path": "store.py", "content": "import stub\n\nget = stub.get\n"}),
            ("write_file", {"path": "stub.py", "content": "def get():\n    return None\n"}),
            ("run_build", {}),
        )
    assert "the build passed" in seen.last, seen.last
    return commit("ours, not yours")


def all_ids(seen: Conversation) -> list[str]:
    return seen.ids("app.py", "store.py", "stub.py", "build.sh")


def test_a_bridge_is_built_in_the_sandbox_and_undone_later(
    api: LoopbackApi,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = build_scene(
        tmp_path / "bridged", capsys, monkeypatch, changed=BRIDGED, messages=("app", "store")
    )
    before = belongings(scene.repository)
    plays(api, bridging)
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.cleaned() == ["app", "store"]
    assert scene.is_rebuilt()
    first, second = scene.commits()
    assert scene.repository.show(f"{first}:stub.py") == b"def get():\n    return None\n"
    assert scene.repository.git("ls-tree", "--name-only", second, "stub.py") == ""
    assert "sandbox" in done.err
    notes = {
        oid: scene.repository.git("notes", "--ref=retcon", "show", oid) for oid in (first, second)
    }
    assert "Bridged: yes" in notes[first]
    assert ", sandbox " in notes[first]
    assert ", sandbox " not in notes[second]
    assert belongings(scene.repository) == before


@pytest.mark.slow
def test_a_spent_budget_stops_the_run_and_a_larger_one_goes_on(
    api: LoopbackApi, scene: Scene
) -> None:
    def greedy(seen: Conversation) -> Answer:
        answer = Diligent()(seen)
        if not seen.is_assessing and seen.number == 2:
            object.__setattr__(answer, "usage", {"input_tokens": 2000, "output_tokens": 60_000})
        return answer

    plays(api, greedy)
    done = scene.run("--max-cost", "0.5")
    assert done.status == 1
    assert "the budget of $0.50 is spent" in done.err
    assert "so far $0.6" in done.err
    assert scene.cleaned()[0] == MESSAGES[0]
    plays(api, Diligent())
    assert scene.run("--max-cost", "3").status == 0
    assert scene.is_rebuilt()


@pytest.mark.slow
def test_a_replay_needs_no_service_and_gives_the_same_commits(
    api: LoopbackApi,
    scene: Scene,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plays(api, Diligent())
    monkeypatch.setenv("GIT_RETCON_CASSETTE", f"record:{tmp_path / 'run.jsonl'}")
    assert scene.run().status == 0
    asked = len(api.requests)
    api.close()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("GIT_RETCON_CASSETTE", f"replay:{tmp_path / 'run.jsonl'}")
    again = build_scene(tmp_path / "elsewhere", capsys, monkeypatch)
    done = again.run()
    assert done.status == 0, done.err
    assert again.commits() == scene.commits()
    assert len(api.requests) == asked


def test_a_commit_that_nothing_belongs_to_is_complete_without_one(
    api: LoopbackApi, scene: Scene
) -> None:
    def model(seen: Conversation) -> Answer:
        if seen.number == 2:
            return answers({"verdict": "nothing", "what": "", "summary": ""})
        return Diligent({1: ("colors.py", "names.py"), 3: ("main.py", "shapes.py")})(seen)

    plays(api, model)
    done = scene.run()
    assert done.status == 0, done.err
    assert scene.cleaned() == [MESSAGES[0], MESSAGES[2]]
    assert f"none of the 3 hunks left is for '{MESSAGES[1]}'" in done.err
    assert scene.is_rebuilt()


def test_a_persons_commit_is_adopted_where_the_model_made_none(
    api: LoopbackApi, scene: Scene
) -> None:
    costly = calls("read_diff", {}, usage={"input_tokens": 10_000_000, "output_tokens": 1})
    plays(api, lambda seen: costly if seen.number == 2 else Diligent()(seen))
    assert "is spent: the next request" in scene.run().err
    made = scene.cleaned()
    assert MESSAGES[1] not in made
    repository = scene.repository
    by_hand = repository.path.parent / "by-hand"
    repository.git("worktree", "add", "-q", str(by_hand), "clean")
    (by_hand / "colors.py").write_text("def paint():\n    return 1\n")
    repository.git("-C", str(by_hand), "add", "-A")
    repository.git("-C", str(by_hand), "commit", "-q", "-m", "a beginning of mine")
    repository.git("worktree", "remove", str(by_hand))
    done = scene.run("--offline")
    assert done.status == 0, done.err
    assert scene.is_rebuilt()
    assert scene.cleaned() == [*made, "a beginning of mine", *MESSAGES[1:]]
