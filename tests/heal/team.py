"""Two clones of one repository that share verdicts."""

import json
from pathlib import Path

from git_retcon.heal.verdict_notes import NOTES_REF
from tests.heal.checks import new_project
from tests.program import heal_here
from tests.repository import TestRepository

STEPS = "[{uses: actions/checkout@v4}, {run: 'test ! -e broken'}]"
PASSING = f"on: push\njobs: {{a: {{runs-on: ubuntu-latest, steps: {STEPS}}}}}"
JOE = "Version: 1\nVerdict: passed\nJobs: 9 passed\nChecked: 2026-01-01T00:00:00Z\nBy: Joe <j@x>"
LATER = "Version: 2\nOutcome: wonderful"


class Team:
    """Two clones of one repository, and the remote between them."""

    def __init__(self, top: Path) -> None:
        self.ada = new_project(top / "ada", PASSING)
        self.head = self.ada.rev("HEAD")
        self.shared = top / "shared.git"
        self.ada.git("clone", "-q", "--bare", ".", str(self.shared))
        self.ada.git("remote", "add", "origin", str(self.shared))
        self.ada.git("clone", "-q", str(self.shared), str(top / "joe"))
        self.joe = TestRepository(top / "joe")


def note(repository: TestRepository, text: str, commit: str = "HEAD") -> None:
    repository.git("notes", f"--ref={NOTES_REF}", "add", "-f", "-m", text, commit)


def read(repository: TestRepository, commit: str = "HEAD") -> str:
    return repository.git("notes", f"--ref={NOTES_REF}", "show", commit)


def fetch(repository: TestRepository, *arguments: str) -> list[str]:
    done = heal_here(repository.path, "fetch", "--json", *arguments).ok()
    found: list[str] = json.loads(done.out)["commits"]
    return found
