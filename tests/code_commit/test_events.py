"""The events of a run, one JSON object a line."""

import json

from tests.code_commit.project import respond
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def test_events_are_one_object_a_line(project: TestRepository) -> None:
    done = respond(project, RIGHT, "--events", "-q").ok()
    names = [json.loads(line)["event"] for line in done.out.splitlines()]
    if "trying" in names:  # where there is a sandbox
        names.remove("trying")
    assert names == [
        "engine_chosen", "confined", "asking", "answered", "applied", "building", "built",
        "finished",
    ]  # fmt: skip
    assert done.err == ""
