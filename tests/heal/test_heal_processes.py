"""How many git processes a heal starts, beside a check of which all is known.

Processes are counted, not seconds: the count is the same on every machine.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.heal.checks import new_project
from tests.heal.project import CI
from tests.program import heal
from tests.repository import TestRepository

WORKFLOW = f"""{CI}    - run: |
        if grep -n '^import os' app.py; then
          echo "app.py:1:1: F401 'os' imported but unused"
          exit 1
        fi
"""


def count_processes(repo: TestRepository, *options: str, trace: Path) -> Counter[str]:
    """How often a command starts each git command."""
    trace.unlink(missing_ok=True)
    heal(repo.path, *options, env={"GIT_TRACE2_EVENT": str(trace)})
    events = map(json.loads, trace.read_text().splitlines())
    return Counter(event["name"] for event in events if event["event"] == "cmd_name")


@pytest.mark.slow
def test_a_heal_starts_few_processes_of_git(tmp_path: Path) -> None:
    repo = new_project(tmp_path / "repo", WORKFLOW, {"app.py": "import os\n\nprint('hello')\n"})
    assert heal(repo.path, "check", "--trust").status == 1
    known = count_processes(repo, "check", trace=tmp_path / "trace")
    started = count_processes(repo, "--offline", "--yes", trace=tmp_path / "trace")
    assert (repo.path / "app.py").read_text() == "\nprint('hello')\n"
    assert known.total() <= 4, known
    assert started.total() <= 8, started
