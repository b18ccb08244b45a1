"""Elements of lists and dictionaries that functions move where they are kept."""

import pytest

from tests.allium.extract.declared import declare
from tests.allium.extract.python.rules.test_object_parts import JOBS
from tests.allium.extract.python.rules.test_object_parts import QUEUE as START

QUEUE = f"{START}\n    def finish(self, key):\n        FINISH\n"
FINISH = """
        if self._held[key].phase is not Phase.RUNNING:
            raise ValueError
        self._held[key].phase = Phase.DONE
"""


def list_edges(finish: str = FINISH) -> list[str]:
    text = QUEUE.replace("        FINISH\n", finish)
    found = declare({"app/jobs.py": JOBS, "app/queue.py": text})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_an_element_is_moved_by_its_key() -> None:
    assert list_edges() == ["queued -> running", "running -> done"]


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
    assert list_edges(finish) == []


def test_a_setter_of_an_element_moves_it_for_others() -> None:
    finish = """
        self.change(key, Phase.DONE)

    def change(self, key, phase):
        self._held[key].phase = phase
"""
    assert list_edges(finish) == ["queued -> running", "queued -> done", "running -> done"]


def test_another_object_under_the_same_name_is_not_the_element() -> None:
    finish = """
        one = self._held.pop(key)
        one.phase = Phase.DONE
        one = Job(key)
        one.phase = Phase.RUNNING
"""
    found = declare(
        {"app/jobs.py": JOBS, "app/queue.py": QUEUE.replace("        FINISH\n", finish)}
    )
    assert "rule JobStart {" in found
    assert "rule JobFinish {" not in found
