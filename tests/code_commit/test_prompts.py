"""The prompts: their parts, in the specification's order."""

from pathlib import Path

import pytest

from tests.code_commit.project import answer_of, respond
from tests.model.loopback import (
    LoopbackApi,
    last_text,
    says,
)
from tests.program import Ran
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = answer_of({"src/a.txt": "two\n"}).decode()


WRONG = answer_of({"src/a.txt": "three\n", "extra.txt": "x\n"}).decode()


def ask(project: TestRepository, api: LoopbackApi, *options: str, **env: str) -> Ran:
    return code_commit(project.path, *options, env={**api.env, **env})


def log(project: TestRepository, name: str) -> bytes:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return (folder / name).read_bytes()


@pytest.mark.slow
def test_the_parts_of_the_prompts_come_in_the_specifications_order(
    project: TestRepository, api: LoopbackApi
) -> None:
    api.script(says(WRONG), says(RIGHT))
    ask(project, api).ok()
    first, second = api.requests
    assert last_text(first.body) == (
        "[query]\nMake it two.\n\n[codebase]\n--- src/a.txt ---\none\n\n"
    )
    assert last_text(second.body) == (
        "[build.sh output]\nbuilding\nexit code: 1\n\n[query]\nMake it two.\n\n"
        "[codebase]\n--- src/a.txt ---\none\n\n[file replacements]\n"
        "--- FILE REPLACEMENT extra.txt ---\nx\n\n--- FILE REPLACEMENT src/a.txt ---\nthree\n\n"
    )
    prompts = Path(__file__).parents[2] / "git_retcon/prompts"
    for request, last in ((first, "initial-query"), (second, "repair-query")):
        names = ("project-structure", "code-modification-instructions", last)
        system = "\n".join((prompts / f"{name}.md").read_text() for name in names)
        assert request.body["system"][0]["text"] == system
        number = {"initial-query": "1-initial-query", "repair-query": "2-repair"}[last]
        whole = f"{system}\n{last_text(request.body)}"
        assert log(project, f"{number}-query.txt").decode() == whole


def logs(project: TestRepository) -> dict[str, bytes]:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_only_the_latest_replacement_of_a_file_is_reported(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n", "old.txt": None})
    respond(project, {"src/a.txt": "four\n", "old.txt": "back\n"})
    prompt = logs(project)["3-repair-query.txt"]
    assert prompt.endswith(
        b"[file replacements]\n--- FILE REPLACEMENT old.txt ---\nback\n\n"
        b"--- FILE REPLACEMENT src/a.txt ---\nfour\n\n"
    )
