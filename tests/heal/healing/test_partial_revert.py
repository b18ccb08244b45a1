"""What broke a step is found among all that changed, and offered under its own name."""

import json
from pathlib import Path

from tests.heal.checks import check, new_project
from tests.heal.healing.test_heal_flow import heal, tell
from tests.program import heal_here

STEP = "! grep -n 'secret' src/*.txt && test $(cat src/a.txt | wc -l) -lt 99"
WORKFLOW = f"""\
on: push
jobs:
  ci:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - run: {json.dumps(STEP)}
"""
LINES = "".join(f"{number}\n" for number in range(40))


def test_the_hunks_that_broke_a_step_are_offered_and_never_applied_by_yes(tmp_path: Path) -> None:
    files = {"src/a.txt": LINES, "src/b.txt": LINES, "src/c.txt": "c\n"}
    repository = new_project(tmp_path / "project", WORKFLOW, files)
    assert check(repository).status == 0
    good = LINES.replace("\n3\n", "\nthree\n")
    broken = good.replace("\n30\n", "\nsecret\n")
    repository.commit("more", {"src/a.txt": good, "src/b.txt": broken, "src/c.txt": "d\n"})
    said = heal(repository, "--yes", status=1)
    assert tell(said) == {"healed": [], "unverified": [None], "left": []}
    (offered,) = said["unverified"]
    assert (offered["how"], offered["files"]) == ("partial revert", ["src/b.txt"])
    assert offered["reason"].startswith("no fix: takes back 1 hunk that came since check 1 (")
    assert said["applied"] == []
    heal_here(repository.path, "apply", str(said["heals"][0])).ok()
    assert (repository.path / "src/b.txt").read_text() == good
    assert repository.git("diff", "--name-only") == "src/b.txt"


def test_without_a_run_that_passed_there_is_nothing_to_go_back_to(tmp_path: Path) -> None:
    files = {"src/a.txt": "secret\n"}
    repository = new_project(tmp_path / "project", WORKFLOW, files)
    said = heal(repository, "--yes", status=1)
    assert tell(said)["unverified"] == []
