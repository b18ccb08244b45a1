"""Errors of a run elsewhere: proved where a step here names them, else offered as unverified."""

from pathlib import Path

from tests.heal.healing.test_heal_flow import CLEAN, heal, project, tell
from tests.program import heal_here

LOG = "b.py:1:1: F401 'os' imported but unused\na.py:1:1: F401 'os' imported but unused\n"


def test_what_no_step_here_names_is_offered_unverified(tmp_path: Path) -> None:
    broken = f"import os\n\n\n{CLEAN}"
    files = {"a.py": broken, "b.py": broken}
    repository = project(tmp_path, "sh checks/lint.sh a.py", files=files)
    read = heal_here(repository.path, "check", "--log", "-", stdin=LOG.encode())
    assert (read.status, "2 errors in '-'" in read.err) == (1, True)
    said = heal(repository, "--yes", status=1)
    assert tell(said) == {"healed": ["a.py"], "unverified": ["b.py"], "left": []}
    assert said["unverified"][0]["reason"] == (
        "reported by the log of check 1; no step here names it"
    )
    assert repository.git("diff", "--name-only") == "a.py"


def test_a_fix_is_offered_where_nothing_fails_here(tmp_path: Path) -> None:
    broken = f"import os\n\n\n{CLEAN}"
    repository = project(tmp_path, "sh checks/lint.sh a.py", files={"a.py": CLEAN, "b.py": broken})
    heal_here(repository.path, "check", "--log", "-", stdin=LOG.encode())
    said = heal(repository, "--no-apply", status=1)
    assert tell(said)["unverified"] == ["b.py"]
    heal_here(repository.path, "apply", str(said["heals"][0])).ok()
    assert repository.git("diff", "--name-only") == "b.py"
