"""The events of a run, one JSON object a line."""

import json

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_events_are_one_json_object_a_line(scene: Scene) -> None:
    done = scene.run("--events", "-q").ok()
    names = [json.loads(line)["event"] for line in done.out.splitlines()]
    assert names[:3] == ["engine_chosen", "spec_loaded", "branch_created"]
    assert names.count("commit_made") == 3
