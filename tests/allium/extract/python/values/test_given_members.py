"""An attribute has the states of the one enum whose members methods give it."""

from tests.allium.extract.declared import declare_python

BOSS = """
from enum import Enum

class Status(Enum):
    READY = 0
    RUNNING = 1
    FAILED = 2

class Boss(Service):
    def __init__(self, saved):
        super().__init__()
        self._status = saved.status

    def _set_status(self, status):
        if self._status == status:
            return
        self._status = status
        self.changed.emit()

    def run(self):
        if self._status != Status.READY:
            raise RuntimeError
        self._set_status(Status.RUNNING)

    def fail(self):
        self._set_status(Status.FAILED)
"""


def list_edges(found: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if " -> " in line]


def test_a_state_may_begin_with_what_nobody_can_tell() -> None:
    found = declare_python(BOSS)
    assert "    status: Status\n" in found
    assert list_edges(found) == ["ready -> running", "ready -> failed", "running -> failed"]


def test_a_state_may_begin_in_a_base_class_elsewhere() -> None:
    found = declare_python(BOSS.replace("        self._status = saved.status\n", ""))
    assert "    status: Status\n" in found


def test_what_is_also_given_another_constant_is_of_no_enum() -> None:
    for other in ('"lost"', "LOST", "7"):
        source = f"{BOSS}\n    def lose(self):\n        self._status = {other}\n"
        assert "    status: Status\n" not in declare_python(source)


def test_one_member_says_too_little_and_so_does_another_name() -> None:
    one = BOSS.replace("Status.RUNNING", "Status.READY").replace("Status.FAILED", "Status.READY")
    assert "    status: Status\n" not in declare_python(one)
    assert "    result: Status\n" not in declare_python(BOSS.replace("_status", "_result"))


def test_each_answer_of_a_condition_gives_a_member() -> None:
    source = (
        BOSS.partition("    def run")[0]
        + """
    def end(self, well):
        self._status = Status.READY if well else Status.FAILED
"""
    )
    assert "    status: Status\n" in declare_python(source)


def test_members_of_an_enum_of_states_may_be_written_small() -> None:
    small = BOSS
    for name in ("READY", "RUNNING", "FAILED"):
        small = small.replace(f".{name}", f".{name.lower()}").replace(
            f"    {name} =", f"    {name.lower()} ="
        )
    assert list_edges(declare_python(small)) == list_edges(declare_python(BOSS))
    other = small.replace("Status", "Outcome")
    assert "    status: Outcome\n" not in declare_python(other)


def test_a_member_may_be_kept_as_what_it_is_stored_as() -> None:
    source = BOSS.replace("Status.RUNNING)", "Status.RUNNING.value)")
    source = source.replace("Status.FAILED)", "Status.FAILED.value)")
    source = source.replace("!= Status.READY:", "!= Status.READY.value:")
    assert list_edges(declare_python(source)) == list_edges(declare_python(BOSS)) != []
