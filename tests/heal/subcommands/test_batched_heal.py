"""Heals in a batch: sent once, waited for, resumed, and never believed without a proof."""

import json
from pathlib import Path

import pytest

from tests.heal.engines.claude.conftest import api as api
from tests.heal.engines.claude.test_engine import RIGHT, heal, project
from tests.heal.healing.test_heal_flow import tell
from tests.model.loopback import LoopbackApi, Says, answers
from tests.sandboxes import needs_strong_sandbox

pytestmark = needs_strong_sandbox

FIX = {"path": "src/app.py", "old_string": "max(values)", "new_string": "sum(values)"}


def claim(*edits: dict[str, str], verdict: str = "fixed") -> Says:
    return answers({"verdict": verdict, "summary": "the sum was the maximum", "edits": list(edits)})


def test_a_batch_is_sent_waited_for_proved_and_applied(tmp_path: Path, api: LoopbackApi) -> None:
    repository = project(tmp_path)
    api.batches.answers = lambda body: claim(FIX)
    said = heal(repository, "--batch")
    assert tell(said) == {"healed": ["tests/test_app.py"], "unverified": [], "left": []}
    assert (repository.path / "src/app.py").read_text() == RIGHT
    ((request,),) = api.batches.created
    prompt = json.dumps(request["params"]["messages"])
    assert "--- src/app.py" in prompt and "return max(values)" in prompt
    # 100 tokens in and 20 out of the small model, at half the price
    assert said["cost"] == pytest.approx((100 * 0.10 + 20 * 0.50) / 1e6 / 2)
    assert said["tokens"] == 120
