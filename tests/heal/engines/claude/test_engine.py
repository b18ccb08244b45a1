"""Whole heals with a model that is scripted over a real socket: what it does, what counts."""

import json
from pathlib import Path
from typing import Any

from tests.heal.healing.test_heal_flow import project, tell
from tests.model.loopback import LoopbackApi, answers, calls
from tests.program import heal_here
from tests.repository import TestRepository
from tests.sandboxes import needs_sandbox

pytestmark = needs_sandbox

TEST = """\
import sys
sys.path.insert(0, "src")
from app import total
assert total([1, 2]) == 3, total([1, 2])
"""
BROKEN = "def total(values):\n    return max(values)\n"
STEP = "python3 tests/test_app.py"


def heal(repository: TestRepository, *arguments: str, status: int = 0) -> dict[str, Any]:
    ran = heal_here(repository.path, "--trust", "--json", "--engine=claude", *arguments)
    assert ran.status == status, ran.out + ran.err
    said: dict[str, Any] = json.loads(ran.out)
    return said


def edits(old: str, new: str, path: str = "src/app.py") -> Any:
    return calls("edit_file", {"path": path, "old_string": old, "new_string": new})


def says_fixed() -> Any:
    return answers({"verdict": "fixed", "summary": "the sum was the maximum"})


def test_what_a_model_fixes_is_proved_in_the_sandbox_and_applied(
    tmp_path: Path, api: LoopbackApi
) -> None:
    repository = project(tmp_path, STEP, files={"src/app.py": BROKEN, "tests/test_app.py": TEST})
    api.script(
        calls("read_file", {"path": "src/app.py"}),
        edits("max(values)", "sum(values)"),
        calls("run_step", {"workflow": "ci", "job": "ci", "step": STEP}),
        says_fixed(),
    )
    ran = heal_here(repository.path, "--trust", "--json", "--engine=claude", "--yes")
    said = json.loads(ran.out)
    assert ran.status == 0, ran.out + ran.err
    assert tell(said)["left"] == [], ran.err
    assert (repository.path / "src/app.py").read_text() == BROKEN.replace("max", "sum")
    assert said["tokens"] == 4 * 120
