"""A script that may not be run becomes executable, and is what it was after an undo."""

import json
from pathlib import Path

from tests.heal.checks import new_project
from tests.heal.healing.test_heal_flow import heal, tell
from tests.program import heal_here

STEP = (
    "test -x bin/run.sh || { echo 'bin/run.sh: has a shebang but is not marked executable!';"
    ' exit 1; }; test "$(git ls-files -s bin/run.sh | cut -c 1-6)" = 100755'
)


def test_permissions_are_changed_proved_applied_and_taken_back(tmp_path: Path) -> None:
    steps = f"[{{uses: actions/checkout@v4}}, {{run: {json.dumps(STEP)}}}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    repository = new_project(tmp_path / "project", workflow, {"bin/run.sh": "#!/bin/sh\n"})
    script = repository.path / "bin/run.sh"
    said = heal(repository, "--no-apply")
    assert tell(said) == {"healed": ["bin/run.sh"], "unverified": [], "left": []}
    assert not script.stat().st_mode & 0o111
    heal_here(repository.path, "apply", "1").ok()
    assert script.stat().st_mode & 0o777 == 0o755
    assert script.read_bytes() == b"#!/bin/sh\n"
    assert repository.git("diff", "--summary").strip() == "mode change 100644 => 100755 bin/run.sh"
    heal_here(repository.path, "undo").ok()
    assert repository.git("status", "--short") == ""
    heal(repository, "--branch", "fix")
    assert repository.git("ls-tree", "fix", "bin/run.sh").startswith("100755 ")
