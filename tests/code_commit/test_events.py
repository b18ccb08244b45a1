"""The events of a run, one JSON object a line."""

import json

from tests.code_commit.project import respond
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def test_events_are_one_object_a_line(project: TestRepository) -> None:
    done = respond(project, RIGHT, "--events", "-q").ok()
    names = [json.loads(line)["event"] for line in done.out.splitlines()]
    names = [name for name in names if name not in ("trying", "warned")]  # by the sandbox here
    assert names == [
        "engine_chosen", "confined", "asking", "answered", "applied", "step_started", "step_ended",
        "finished",
    ]  # fmt: skip
    assert done.err == ""
