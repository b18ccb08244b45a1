"""A step that returns its field says nothing of its own by that."""

import pytest

from tests.allium.extract.declared import declare_python

ENGINE = """
import vendor

class Engine:
    def __init__(self):
        self.status = vendor.ENGINE_COLD

    def start(self):
        if self.status is not vendor.ENGINE_COLD:
            return self.status
        self.status = vendor.ENGINE_WARM
        return self.status

    def stop(self):
        if self.status is not vendor.ENGINE_WARM:
            return self.status
        self.status = vendor.ENGINE_DEAD
        return vendor.ENGINE_COLD if self.is_odd else self.status

    def run(self):
        self.status = self.start()
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_a_field_that_gets_what_such_a_step_returns_gets_what_the_step_gave_it() -> None:
    assert list_edges(ENGINE) == ["cold -> warm", "warm -> dead"]
    waiting = ENGINE.replace("def ", "async def ").replace("= self.start()", "= await self.start()")
    assert list_edges(waiting) == ["cold -> warm", "warm -> dead"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It may be anything then.
        (
            "        return self.status\n\n    def stop",
            "        return self.take()\n\n    def stop",
        ),
        ("        return self.status\n\n    def stop", "        return self.other\n\n    def stop"),
        ("= self.start()", "= self.peer.start()"),
        ("    def start", "    async def start"),
        ("    def start", "    @property\n    def start"),
    ],
)
def test_what_a_field_gets_from_another_step_is_not_known(old: str, new: str) -> None:
    assert "transitions" not in declare_python(ENGINE.replace(old, new))


def test_an_operation_that_returns_the_state_that_it_asks_for_refuses_it() -> None:
    declared = declare_python(ENGINE)
    assert "when: StartEngine(engine)\n    requires: engine.status = cold\n" in declared
    assert "when: StopEngine(engine)\n    requires: engine.status = warm\n" in declared


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It is asked for the status, returns more than that, or does nothing.
        ("def stop", "def get_status"),
        ("vendor.ENGINE_COLD if self.is_odd else self.status", "self.look()"),
        ("        self.status = vendor.ENGINE_DEAD\n", ""),
        ("            return self.status\n        self.status = vendor.ENGINE_DEAD",
         "            return self.fault\n        self.status = vendor.ENGINE_DEAD"),
    ],
)  # fmt: skip
def test_what_is_called_for_an_answer_refuses_nothing(old: str, new: str) -> None:
    assert "requires: engine.status = warm" not in declare_python(ENGINE.replace(old, new))


def test_what_is_made_once_and_given_in_any_case_refuses_nothing() -> None:
    source = (
        ENGINE
        + """
    def connect(self):
        if self.line is not None:
            return self.line
        self.line = self.open()
        self.status = vendor.ENGINE_COLD
        return self.line
"""
    )
    assert "requires" not in declare_python(source).partition("rule EngineConnect")[2]
