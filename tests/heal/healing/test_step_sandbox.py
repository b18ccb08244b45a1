"""A sandbox that cannot stop everything is asked about before a model's bytes run in it."""

import json
from pathlib import Path

import pytest

from git_retcon.run.sandbox.bubblewrap import Missing
from git_retcon.run.sandbox.landlock import Landlock, find_landlock
from tests.heal.engines.claude.conftest import api as api
from tests.heal.engines.claude.test_engine import FIX, RIGHT, claim, project
from tests.model.loopback import LoopbackApi
from tests.program import heal_here


@pytest.fixture
def weak_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that forbids namespaces."""
    if not isinstance(find_landlock(), Landlock):
        pytest.skip("this kernel has no Landlock")
    for level in ("bubblewrap", "namespaces"):
        place = f"git_retcon.run.sandbox.{level}.find_{level}"
        monkeypatch.setattr(place, lambda: Missing("forbidden here"))
    # On a machine that is one, the tests run without.
    monkeypatch.setenv("GIT_RETCON_SANDBOX", "auto")


@pytest.mark.slow
@pytest.mark.usefixtures("weak_machine")
def test_with_landlock_alone_nothing_runs_until_somebody_agrees(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path)
    before = (repository.path / "src/app.py").read_text()
    asked = heal_here(repository.path, "--trust", "--json", "--engine=claude")
    (left,) = json.loads(asked.out)["left"]
    assert asked.status == 1
    assert "would run with too little protection: sandboxed by Landlock" in left["reason"]
    required = heal_here(repository.path, "--trust", "--json", "--yes", "--sandbox=require")
    (left,) = json.loads(required.out)["left"]
    assert "a sandbox is required and there is none" in left["reason"]
    assert api.requests == []
    assert (repository.path / "src/app.py").read_text() == before

    api.script(FIX, claim())
    agreed = heal_here(repository.path, "--trust", "--json", "--yes").ok()
    said = json.loads(agreed.out)
    assert [one["path"] for one in said["healed"]] == ["tests/test_app.py"]
    assert "it cannot stop" in agreed.err
    assert (repository.path / "src/app.py").read_text() == RIGHT
