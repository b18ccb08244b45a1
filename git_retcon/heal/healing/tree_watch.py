"""What steps leave behind in a tree that holds a fix, and hand on to later steps.

Code that a fix brings runs when a step tests it, and could write what makes the next step pass: a
file that test runners obey, a module in the place of one of theirs, a variable, a folder on PATH.
"""

import os
from collections.abc import Iterator

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.files.protected import is_judge
from git_retcon.heal.healing.drafted_job import DraftedJob
from git_retcon.heal.healing.shadowing import shadows_module
from git_retcon.heal.results import StepResult
from git_retcon.run.removal import remove

# Python runs these at its start, wherever it finds them; pytest the last one.
_STARTED = (b"sitecustomize.py", b"usercustomize.py", b"conftest.py")
# What tools make: caches (pytest's has a .gitignore), builds, packages.
_PRODUCTS = LazyPattern(
    rb"(?:^|/)(?:__pycache__|\.[\w-]*cache|\.hypothesis|\.tox|\.nox|\.?venv|node_modules|build|dist"
    rb"|site-packages|target|htmlcov|coverage|[\w.-]+\.egg-info|\.git)/"
)
# Build systems make these before they read them.
_MADE_BY_BUILDS = (b".cmake", b".mk", b"/makefile", b".ninja", b"/package.json", b".gradle")
_HANDING_ON = ("GITHUB_ENV", "GITHUB_PATH", "set-env", "add-path")


class TreeWatch:
    """Watches one job from now on."""

    def __init__(self, job: DraftedJob) -> None:
        self._job = job
        self._files = self._list_untracked()
        self._variables = dict(job.env)

    def remove_new(self) -> None:
        """Remove what was not there when this began."""
        for path in self._list_untracked() - self._files:
            remove(self._job.bench.worktree.tree / os.fsdecode(path))

    def find_tampering(self, step: StepResult) -> Iterator[str]:
        """What a step that has just run changed of what judges; it is taken back."""
        for path in sorted(self._list_untracked() - self._files):
            if decides_checks(path):
                remove(self._job.bench.worktree.tree / os.fsdecode(path))
                yield f"it wrote '{path.decode('utf-8', 'replace')}', which decides what is checked"
        now = dict(self._job.env)
        if now != self._variables and not any(word in step.command for word in _HANDING_ON):
            names = sorted(name for name in {*now, *self._variables}
                           if now.get(name) != self._variables.get(name))  # fmt: skip
            yield f"it set {', '.join(names)} for later steps, which its script does not"
        self._variables = now

    def _list_untracked(self) -> set[bytes]:
        git = self._job.bench.worktree.git
        return set(filter(None, git.run("ls-files", "-z", "--others").split(b"\0")))


def decides_checks(path: bytes) -> bool:
    """Whether a file that a step left would decide what a later one checks."""
    name = b"/" + path.lower()
    if name.endswith(b".pth") or name.rpartition(b"/")[2] in _STARTED:
        return True
    if _PRODUCTS.search(path) or name.endswith(_MADE_BY_BUILDS):
        return False
    return is_judge(path) or shadows_module(path)
