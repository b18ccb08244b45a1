"""A heal with a model that is recorded and repeated, and one that is killed while it asks."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_retcon.heal.records.heals import Decision, list_heals
from tests.heal.engines.claude.test_engine import FIX, RIGHT, RUN, claim, heal, project
from tests.heal.healing.test_heal_flow import tell
from tests.heal.recorded import open_records
from tests.model.loopback import LoopbackApi, calls, says, slow
from tests.program import CHECKOUT
from tests.sandboxes import needs_strong_sandbox

pytestmark = [needs_strong_sandbox, pytest.mark.slow]


def test_a_recorded_heal_is_repeated_with_no_service(
    tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = project(tmp_path)
    tape = tmp_path / "heal.jsonl"
    api.script(calls("read_file", {"path": "src/app.py"}), FIX, RUN, claim())
    monkeypatch.setenv("GIT_RETCON_CASSETTE", f"record:{tape}")
    first = heal(repository, "--no-apply")
    asked = len(api.requests)
    for name in api.env:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_RETCON_CASSETTE", f"replay:{tape}")
    # A heal that was found before is offered first: without records the model is asked again.
    (repository.path / ".git/heal/heal.db").unlink()
    again = heal(repository)
    assert tell(again) == tell(first) == {
        "healed": ["tests/test_app.py"], "unverified": [], "left": []
    }  # fmt: skip
    assert len(api.requests) == asked
    assert (repository.path / "src/app.py").read_text() == RIGHT


def test_a_heal_that_is_killed_while_a_model_works_begins_again(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    before = (repository.path / "src/app.py").read_text()
    api.script(FIX, slow(60, says("{}")))
    command = [sys.executable, "-m", "git_retcon.commands.heal", "--trust", "--yes", "-q"]
    with subprocess.Popen(
        command, cwd=repository.path, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}
    ) as run:
        while len(api.requests) < 2 and run.poll() is None:
            time.sleep(0.01)
        run.kill()
    assert (repository.path / "src/app.py").read_text() == before
    api.script(FIX, RUN, claim())
    said = heal(repository)
    assert tell(said)["healed"] == ["tests/test_app.py"]
    assert (repository.path / "src/app.py").read_text() == RIGHT
    with open_records(repository) as database:
        (stored,) = list_heals(database)
        assert stored.heal.decision is Decision.APPLIED
