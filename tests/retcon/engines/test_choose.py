"""Which engine a run has, and what it says of it."""

import pytest

from tests.model.loopback import LoopbackApi
from tests.retcon.engines.claude.scene import Diligent, Scene, plays


def test_no_key_means_offline_and_a_hint_says_so(scene: Scene) -> None:
    done = scene.run("--no-cache")
    assert done.err.startswith("Engine: offline (no model is asked)\nhint: no API key")


@pytest.mark.parametrize("option", ["--offline", "--engine=offline"])
def test_who_asks_for_offline_needs_no_hint(api: LoopbackApi, scene: Scene, option: str) -> None:
    done = scene.run(option)
    assert done.err.startswith("Engine: offline (no model is asked)\nLoading spec")
    assert api.requests == []


def test_claude_without_a_key_is_fatal_before_anything_moves(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    done = scene.run("--engine", "claude")
    assert done.status == 128
    assert done.err.splitlines()[-2:] == [
        "fatal: no API key",
        "hint: set ANTHROPIC_API_KEY, or use --offline",
    ]
    assert "clean" not in scene.repository.git("branch")


@pytest.mark.slow
def test_model_and_limits_are_those_of_the_command_line(api: LoopbackApi, scene: Scene) -> None:
    plays(api, Diligent())
    done = scene.run("--model", "claude-opus-5-5", "--max-cost", "1.5", "--max-tokens", "500000")
    assert done.status == 0, done.err
    first = done.err.partition("\n")[0]
    assert first == "Engine: claude-opus-5-5, up to $1.50 and 500,000 tokens"
    assert {received.body["model"] for received in api.requests} == {"claude-opus-5-5"}
