"""Objects that a class keeps in lists and dictionaries, and moves there."""

import pytest

from tests.allium.extract.declared import declare

MODELS = """
from enum import Enum
from dataclasses import dataclass
class Phase(Enum):
    QUEUED = 1
    RUNNING = 2
    DONE = 3
@dataclass
class Job:
    id: str
    phase: Phase = Phase.QUEUED
@dataclass
class Batch:
    id: str
    phase: Phase = Phase.QUEUED
"""
QUEUE = """
from app.models import Job, Phase
class Queue:
    def __init__(self):
        self._held: dict[str, Job] = {}

    def start(self, key):
        one = self._held[key]
        if one.phase is not Phase.QUEUED:
            raise ValueError
        one.phase = Phase.RUNNING

    def finish(self, key):
        FINISH
"""
FINISH = """
        if self._held[key].phase is not Phase.RUNNING:
            raise ValueError
        self._held[key].phase = Phase.DONE
"""


def list_edges(queue: str, finish: str = FINISH) -> list[str]:
    text = queue.replace("        FINISH\n", finish)
    found = declare({"app/models.py": MODELS, "app/queue.py": text})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_an_element_is_moved_by_its_key() -> None:
    assert list_edges(QUEUE) == ["queued -> running", "running -> done"]


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("dict[str, Job]", "self._held.get(key)"),
        ('"dict[str, Job]"', "self._held.pop(key)"),
        ("OrderedDict[int, Job]", "self._held[key]"),
        ("list[Job]", "self._held[0]"),
        ("deque[Job]", "self._held.popleft()"),
    ],
)
def test_a_variable_may_be_an_element_of_any_container(annotation: str, value: str) -> None:
    queue = QUEUE.replace("dict[str, Job]", annotation).replace("self._held[key]", value)
    finish = FINISH.replace("self._held[key].", "it.")
    finish = f"\n        it = {value}{finish}"
    assert list_edges(queue, finish) == ["queued -> running", "running -> done"]


@pytest.mark.parametrize(
    ("annotation", "loop"),
    [
        ("dict[str, Job]", "self._held.values()"),
        ("dict[str, Job]", "list(self._held.values())"),
        ("list[Job]", "self._held"),
        ("set[Job]", "self._held"),
    ],
)
def test_a_loop_gives_elements(annotation: str, loop: str) -> None:
    finish = f"""
        for it in {loop}:
            if it.phase is Phase.RUNNING:
                it.phase = Phase.DONE
"""
    queue = QUEUE.replace("dict[str, Job]", annotation)
    assert "running -> done" in list_edges(queue, finish)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dict[str, Job]", "dict[str, list[Job]]"),
        ("dict[str, Job]", "dict[Job, str]"),
        ("dict[str, Job]", "dict"),
        ("one = self._held[key]", "one = self._held[1:2]"),
        ("one = self._held[key]", "one = self._held.copy()"),
    ],
)
def test_of_anything_else_nothing_is_known(old: str, new: str) -> None:
    assert old in QUEUE
    assert "queued -> running" not in list_edges(QUEUE.replace(old, new))


@pytest.mark.parametrize(
    "finish",
    [
        # Another key, another element, or more than one.
        "\n        key = self.next(key)" + FINISH,
        "\n        self._held[key] = Job()" + FINISH,
        FINISH + "        self._held[0].phase = Phase.QUEUED\n",
        FINISH.replace("[key]", "[self.find()]"),
    ],
)
def test_what_may_be_another_element_has_no_name(finish: str) -> None:
    assert list_edges(QUEUE, finish) == []


def test_a_setter_of_an_element_moves_it_for_others() -> None:
    finish = """
        self.change(key, Phase.DONE)

    def change(self, key, phase):
        self._held[key].phase = phase
"""
    assert list_edges(QUEUE, finish) == ["queued -> running", "queued -> done", "running -> done"]


def test_another_object_under_the_same_name_is_not_the_element() -> None:
    finish = """
        one = self._held.pop(key)
        one.phase = Phase.DONE
        one = Job(key)
        one.phase = Phase.RUNNING
"""
    found = declare(
        {"app/models.py": MODELS, "app/queue.py": QUEUE.replace("        FINISH\n", finish)}
    )
    assert "rule JobStart {" in found
    assert "rule JobFinish {" not in found
