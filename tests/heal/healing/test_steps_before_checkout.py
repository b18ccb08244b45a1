"""What a model's fix cannot reach is not run again; what it can reach is, whatever comes first."""

import json
from pathlib import Path

import pytest

from tests.heal.checks import new_project
from tests.heal.engines.claude.conftest import api as api
from tests.model.loopback import LoopbackApi, answers, calls
from tests.program import heal_here
from tests.sandboxes import needs_strong_sandbox

FILES = {
    "shop.py": "def total(values):\n    return max(values)\n",
    "test_shop.py": "from shop import total\n\nassert total([1, 2]) == 3, total([1, 2])\n",
    "tool/action.yml": (
        "runs:\n  using: composite\n  steps:\n" + "  - {shell: sh, run: 'true'}\n" * 4
    ),
}
FIX = {"path": "shop.py", "old_string": "max(values)", "new_string": "sum(values)"}


def heal(path: Path, api: LoopbackApi, steps: str) -> list[str]:
    """The files that are healed by the one fix that the model has."""
    head = "on: push\njobs:\n  ci:\n    runs-on: ubuntu-latest\n    steps:\n"
    repository = new_project(path, head + steps, FILES)
    fixed = answers({"verdict": "fixed", "summary": "a sum"})
    api.script(calls("edit_file", FIX), *[fixed] * 8)
    said = json.loads(heal_here(repository.path, "--trust", "--json", "--yes").out)
    return [one["path"] for one in said["healed"]]


@needs_strong_sandbox
@pytest.mark.slow
def test_a_step_that_ran_before_the_files_came_is_proved_without_them(
    tmp_path: Path, api: LoopbackApi
) -> None:
    steps = """\
    - run: test -z "$(ls -A)"
    - uses: actions/checkout@v4
    - run: python3 test_shop.py
"""
    assert heal(tmp_path / "project", api, steps) == ["test_shop.py"]


@needs_strong_sandbox
@pytest.mark.slow
def test_steps_of_an_action_before_the_checkout_hide_no_step_behind_it(
    tmp_path: Path, api: LoopbackApi
) -> None:
    steps = """\
    - uses: $/tool
    - uses: actions/checkout@v4
    - run: grep -q max shop.py
    - run: python3 test_shop.py
"""
    assert heal(tmp_path / "project", api, steps) == []
