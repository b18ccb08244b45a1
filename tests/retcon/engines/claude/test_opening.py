"""Opening the engine: prompts are shown, and what is spent is booked."""

from pathlib import Path

import pytest

from tests.model.loopback import LoopbackApi
from tests.retcon.engines.claude.scene import (
    BASE,
    Diligent,
    Scene,
    everything_sent,
    plays,
)


@pytest.mark.slow
def test_what_was_spent_is_in_the_ledger_and_the_notes(
    api: LoopbackApi, scene: Scene, sealed: Path
) -> None:
    plays(api, Diligent())
    assert scene.run().status == 0
    ledger = "".join(p.read_text() for p in (sealed / ".local/state").rglob("*.jsonl"))
    assert ledger.count('"retcon"') == len(api.requests)
    noted = [line for line in scene.notes().splitlines() if line.startswith("Tokens: ")]
    assert sum(int(line.split()[1]) for line in noted) == 120 * len(api.requests)


@pytest.mark.slow
def test_prompts_are_shown_before_they_are_sent(api: LoopbackApi, scene: Scene) -> None:
    plays(api, Diligent())
    done = scene.run("--show-prompt")
    assert done.err.count("--- prompt to claude-sonnet-5-5") == len(api.requests)
    assert "Put together commit 1." in done.err
    assert "[masked secret" not in done.err
    assert BASE["build.sh"] not in everything_sent(api)
