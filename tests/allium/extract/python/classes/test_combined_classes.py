"""What a class of a file is together with others of its file."""

import pytest

from tests.allium.extract.declared import declare_python

DOORS = """
class Base:
    def __init__(self, url):
        self.url = url
        self._state = "closed"

class Door(Base):
    def open(self):
        if self._state != "closed":
            raise RuntimeError
        self._state = "open"

    def close(self):
        self._state = "closed"
"""


def test_a_class_moves_the_state_that_its_base_class_begins() -> None:
    found = declare_python(DOORS)
    assert "    state: closed | open\n" in found
    assert "        closed -> open\n        open -> closed\n" in found
    assert "    requires: door.state = closed\n    ensures: door.state = open\n" in found


@pytest.mark.parametrize(
    "source",
    [
        DOORS.replace('self._state = "closed"\n\nclass', "self._state = url\n\nclass"),
        DOORS + "\n    def turn(self, state):\n        self._state = state\n",
        DOORS.replace("Door(Base)", "Door"),
    ],
    ids=["begins-open", "set", "no-base"],
)
def test_what_may_be_anything_has_no_states(source: str) -> None:
    assert "->" not in declare_python(source)


def test_a_class_that_may_be_one_or_the_other_has_what_both_have() -> None:
    found = declare_python("""
if fast:
    class Door:
        name: str
        width: int
else:
    class Door:
        name: str
""")
    assert "width" not in found


ORDERS = """
class OrderBase:
    New, InWork, Done = range(3)
    Market, Limit = range(2)

    def __init__(self, kind):
        self.status = Order.New

    def begin(self):
        if self.status != Order.New:
            raise RuntimeError
        self.status = Order.InWork

    def finish(self):
        self.status = self.Done

class Order(OrderBase):
    pass
"""


def test_a_class_names_its_constants_as_those_of_an_heir() -> None:
    found = declare_python(ORDERS)
    assert "    status: new | in_work | done\n" in found
    assert "        new -> in_work\n        new -> done\n        in_work -> done\n" in found


def test_an_heir_with_a_constant_of_the_same_name_has_its_own() -> None:
    other = ORDERS.replace("    pass\n", "    New = 7\n")
    assert "->" not in declare_python(other)


def test_what_a_class_of_objects_has_in_capitals_is_no_enum() -> None:
    found = declare_python("""
class Base:
    STATE_SHUT = 0
    STATE_OPEN = 1

    def __init__(self):
        self.state = Base.STATE_SHUT

class Door(Base):
    def open(self):
        if self.state == Base.STATE_SHUT:
            self.state = Base.STATE_OPEN
""")
    assert "state: Base" not in found
    assert "state_open" not in found
