"""What a class of the same file lends its heirs."""

from tests.allium.extract.declared import declare_python

BASE = """
from enum import Enum

class State(Enum):
    IDLE = 1
    OPEN = 2
    CLOSED = 3

class Base:
    def __init__(self):
        self.state = State.IDLE

    @property
    def is_open(self):
        return self.state is State.OPEN

    def _ensure_open(self):
        if self.state is not State.OPEN:
            raise ValueError

    def open(self):
        self.state = State.OPEN

class Middle(Base):
    pass
"""
FILE = """
class File(Middle):
    def write(self, data):
        self._ensure_open()
        self.buffer.append(data)

    def flush(self):
        if not self.is_open:
            raise ValueError
        self.buffer.flush()
"""


def test_heirs_demand_what_the_steps_and_properties_of_a_base_class_ask() -> None:
    told = declare_python(BASE + FILE)
    for name in ("Write", "Flush"):
        assert "    requires: file.state = open\n" in told.partition(f"rule File{name} {{")[2]


def test_what_an_heir_overrides_is_not_lent() -> None:
    own = """
    def _ensure_open(self):
        pass

    def is_open(self):
        return ask()
"""
    told = declare_python(BASE + FILE + own)
    assert "rule FileWrite" not in told
    assert "requires: file.state" not in told
