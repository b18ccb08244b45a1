"""Checks of real repositories, run as their user runs them, and told in a few lines."""

import json
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

from tests.heal.project import FOLDER
from tests.program import Ran, heal_here
from tests.repository import TestRepository, new_repository


class Checked(NamedTuple):
    """How a check ended, and what it printed for programs."""

    ran: Ran
    data: dict[str, Any]

    @property
    def status(self) -> int:
        return self.ran.status

    @property
    def jobs(self) -> list[str]:
        """Each job in a line: name, verdict, reason."""
        return [tell_one(job) for job in self.data["jobs"]]

    @property
    def steps(self) -> list[str]:
        """Each step of each job in a line, those of actions behind those that use them."""
        return [line for job in self.data["jobs"] for line in _tell_steps(job["steps"], "")]

    def log(self, name: str) -> str:
        """What the first step of this name printed."""
        found = (one for job in self.data["jobs"] for one in _walk(job["steps"]))
        step = next(one for one in found if one["name"] == name)
        return Path(step["log"]).read_text() if step["log"] else ""

    def job(self, name: str) -> dict[str, Any]:
        return next(job for job in self.data["jobs"] if job["name"] == name)


def tell_one(item: dict[str, Any]) -> str:
    reason = f": {item['reason']}" if item["reason"] else ""
    return f"{item['name']}: {item['verdict']}{reason}"


def _tell_steps(steps: list[dict[str, Any]], indent: str) -> list[str]:
    lines = []
    for step in steps:
        lines.append(indent + tell_one(step))
        lines += _tell_steps(step["steps"], indent + "  ")
    return lines


def _walk(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for step in steps for one in (step, *_walk(step["steps"]))]


def new_project(path: Path, workflow: str, files: dict[str, str] | None = None) -> TestRepository:
    """A repository on `main` with one workflow `ci`; texts are dedented."""
    repository = new_repository(path, "-b", "main")
    every = {f"{FOLDER}ci.yml": workflow, **(files or {})}
    repository.commit("begin", {name: textwrap.dedent(text) for name, text in every.items()})
    return repository


def check(repository: TestRepository, *arguments: str, **env: str) -> Checked:
    """Check it, its commands trusted."""
    ran = heal_here(repository.path, "check", "--json", "--trust", *arguments, env=env)
    return Checked(ran, json.loads(ran.out))


def check_steps(path: Path, steps: str, files: dict[str, str] | None = None) -> Checked:
    """Check a project whose one job `job` has these steps."""
    begin = "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"
    workflow = begin + textwrap.indent(textwrap.dedent(steps), "    ")
    return check(new_project(path, workflow, files))
