"""Classes without any framework, by what they give themselves and what they do."""

import pytest

from tests.allium.extract.declared import declare, declare_python
from tests.allium.extract.python.syntax.test_enum_members import JOB


def test_plain_classes_are_entities_only_by_what_they_do() -> None:
    source = """
class Door:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.state = "closed"

    def open(self) -> None:
        if self.state != "closed":
            raise RuntimeError
        self.state = "open"

    def close(self) -> None:
        if self.state != "open":
            raise RuntimeError
        self.state = "closed"

class Service:
    def __init__(self, door: Door) -> None:
        self.door = door
    def work(self) -> int:
        return 3
"""
    told = declare_python(source)
    assert "Service" not in told
    assert "    state: closed | open\n" in told
    assert "        closed -> open\n        open -> closed\n" in told


def test_texts_that_a_file_gives_names_are_the_states_of_a_field() -> None:
    found = declare_python("""
STATE_SHUT = "shut"
STATE_OPEN = "open"

class Door:
    def __init__(self, name):
        self._state = STATE_SHUT

    def open(self):
        if self._state != STATE_SHUT:
            raise RuntimeError
        self._state = STATE_OPEN

    def shut(self):
        self._state = STATE_SHUT
""")
    assert "    state: shut | open\n" in found
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["shut -> open", "open -> shut"]


def test_a_name_that_a_parameter_hides_is_no_text_of_the_file() -> None:
    found = declare_python("""
STATE = "shut"

class Door:
    def __init__(self, STATE):
        self._state = STATE

    def open(self):
        if self._state != "shut":
            raise RuntimeError
        self._state = "open"
""")
    assert "->" not in found


SEAT = """
from enum import Enum

class Kind(Enum):
    FREE = 1
    HELD = 2
    SOLD = 3

class Seat:
    _kind = Kind.FREE

    def _become(self, kind):
        if self._kind in [Kind.FREE, kind]:
            self._kind = kind
        else:
            raise ValueError

    def hold(self):
        self._become(Kind.HELD)

    def free(self):
        self._kind = Kind.FREE
"""


def test_a_state_that_begins_in_the_class_itself() -> None:
    told = declare_python(SEAT)
    assert "entity Seat {\n    kind: Kind\n\n    transitions kind {\n        free -> held\n" in told
    # A parameter in a list of states is what it is given.
    assert "sold -> held" not in told


@pytest.mark.parametrize(
    "other", ["self._kind = read()", "self.kind = Kind.HELD", "other._kind = Kind.HELD"]
)
def test_a_constant_of_a_class_is_no_state(other: str) -> None:
    source = SEAT.partition("    def _become")[0] + f"    def hold(self, other):\n        {other}\n"
    assert "transitions" not in declare_python(source)


def test_a_member_that_a_field_gets_where_nobody_gives_one_tells_its_type() -> None:
    found = declare_python(
        JOB.replace("self.status = status", "self.status = status or JobStatus.QUEUED").replace(
            "status=JobStatus.QUEUED)", "status=None)"
        )
    )
    assert "    status: JobStatus\n" in found


def test_an_enum_may_be_private() -> None:
    told = declare_python("""
from enum import Enum

class _State(Enum):
    NEW = 1
    OPEN = 2

class Door:
    def __init__(self):
        self._state = _State.NEW

    def open(self):
        if self._state is not _State.NEW:
            raise ValueError
        self._state = _State.OPEN
""")
    assert (
        "entity Door {\n    state: State\n\n    transitions state {\n        new -> open\n" in told
    )


@pytest.mark.parametrize(
    "begun",
    [
        "if is_open:\n            self.state = State.OPEN\n        else:\n"
        "            self.state = State.NEW",
        "self.state = State.OPEN if is_open else State.NEW",
    ],
)
def test_a_condition_may_decide_in_which_state_an_object_begins(begun: str) -> None:
    source = f"""
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2

class Door:
    def __init__(self, is_open):
        {begun}

    def open(self):
        self.state = State.OPEN
"""
    told = declare_python(source)
    assert "    state: State\n\n    transitions state {\n        new -> open\n" in told
    assert "transitions" not in declare_python(source.replace("State.NEW", "None"))
    assert "transitions" not in declare_python(source.replace("State.NEW", "Kind.NEW"))


DOOR = """
from abc import ABC, abstractmethod
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2

class Base(ABC):
    _state: State

    def open(self):
        self._state = State.OPEN

    def close(self): ...

class Door(Base):
    def __init__(self, saved):
        self._state = State[saved]
"""
OPENED = "entity Door {\n    state: State\n\n    transitions state {\n        new -> open\n"


def test_a_state_that_a_base_class_declares_and_sets_is_one_of_its_heirs() -> None:
    assert OPENED in declare_python(DOOR)
    unset = DOOR.replace("self._state = State.OPEN", "pass").replace("State[saved]", "saved")
    assert "state" not in declare_python(unset).replace("State", "")


def test_a_class_that_leaves_operations_to_others_may_keep_a_state() -> None:
    source = DOOR.replace("    def close", "    @abstractmethod\n    def close")
    assert OPENED in declare_python(source)
    assert "contract Base" in declare_python(source.replace("_state: State", "_state: str"))


def test_so_does_one_whose_enum_another_file_has() -> None:
    states = """
class JobState:
    NEW = "<new>"
    DONE = "<done>"
"""
    job = """
from abc import ABC, abstractmethod
from states import JobState

class Job(ABC):
    def __init__(self):
        self.state = JobState.NEW

    def finish(self):
        self.state = JobState.DONE

    @abstractmethod
    def run(self): ...
"""
    told = declare({"states.py": states, "job.py": job})
    assert "entity Job {\n    state: states/JobState\n\n    transitions state {\n" in told.replace(
        "states/states/", "states/"
    )
    assert "contract Job" in declare({"states.py": states, "job.py": job.replace("State", "Kind")})


def test_a_field_may_have_its_type_and_first_state_in_the_body_of_its_class() -> None:
    source = """
from typing import Literal

State = Literal["init", "ready", "closed"]

class Handler:
    _state: State = "init"

    def receive(self):
        match self._state:
            case "init":
                self._state = "ready"
            case "ready":
                self._state = "closed"
"""
    told = declare_python(source)
    assert "entity Handler {\n    state: State\n" in told
    assert "        init -> ready\n        ready -> closed\n" in told


def test_a_state_may_begin_in_a_method_that_the_constructor_runs() -> None:
    source = """
from enum import Enum

class State(Enum):
    UNKNOWN = 1
    VALID = 2

class Buffer:
    def __init__(self):
        self.reset()

    def reset(self):
        self.state = State.UNKNOWN

    def check(self):
        if self.state is State.UNKNOWN:
            self.state = State.VALID
"""
    found = declare_python(source)
    assert "    state: State\n" in found
    assert "        unknown -> valid\n        valid -> unknown\n" in found
    typed = source.replace("self.state = State.UNKNOWN", "self.state: State | None = None")
    assert "    state: State?\n" in declare_python(typed)


STATES = """
from enum import Enum

class MessageState(Enum):
    WaitingToBeSent = 0
    Received = 1
    Settled = 2

RECEIVED = (MessageState.Received, MessageState.Settled)
"""
MESSAGE = """
from shop import states

class Message:
    def __init__(self, found=None):
        self.state = states.MessageState.WaitingToBeSent
        if found:
            self.state = states.MessageState.Received

    def _check(self):
        if self.state not in states.RECEIVED:
            raise ValueError

    def accept(self):
        self._check()
        self.answer()
        self.state = states.MessageState.Settled
"""


def test_members_of_an_enum_of_states_may_be_written_as_classes_are() -> None:
    found = declare({"shop/states.py": STATES, "shop/message.py": MESSAGE})
    assert "    state: MessageState\n" in found
    assert "enum MessageState { waiting_to_be_sent | received | settled }" in found
    # What the step checks, a list of the other file says.
    assert "    requires: message.state in {received, settled}\n" in found
    other = MESSAGE.replace("states.MessageState", "states.MessageKind")
    files = {"shop/states.py": STATES.replace("MessageState", "MessageKind")}
    # Of an enum that is not named so, methods have to give several.
    assert "    state: MessageKind\n" in declare({**files, "shop/message.py": other})
    once = other.replace("self.state = states.MessageKind.Settled", "pass")
    once = once.replace("self.state = states.MessageKind.Received", "pass")
    assert "state:" not in declare({**files, "shop/message.py": once})


FILTER = """
from enum import Enum
from pipes import Pipe

class _TagState(Enum):
    SEARCHING = "searching"
    INSIDE = "inside"
    OVER = "over"

class TextFilter(Pipe):
    def _begin(self):
        self._tag_state = _TagState.SEARCHING

    async def _push(self, text):
        if self._tag_state == _TagState.SEARCHING:
            self._tag_state = _TagState.INSIDE
        elif self._tag_state == _TagState.INSIDE and ">" in text:
            self._tag_state = _TagState.OVER
"""


def test_a_state_that_no_constructor_begins_is_what_methods_set_of_one_enum() -> None:
    found = declare_python(FILTER)
    assert "    tag_state: TagState\n" in found
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert "searching -> inside" in edges
    assert "inside -> over" in edges
    assert "searching -> over" not in edges


DEVICE = """
from enum import Enum

class Staged({base}):
    yes = "yes"
    no = "no"
    partially = "partially"

class Device:
    def __init__(self):
        self._staged = Staged.no

    def stage(self):
        if self._staged == Staged.yes:
            raise RuntimeError
        self._staged = Staged.partially

    def finish(self):
        self._staged = Staged.yes

    def unstage(self):
        self._staged = Staged.no
"""


def test_members_that_are_written_small_are_those_of_an_enum_of_the_file() -> None:
    found = declare_python(DEVICE.replace("{base}", "Enum"))
    assert "    staged: Staged\n" in found
    assert "        yes -> no\n        no -> yes\n        no -> partially\n" in found


def test_what_another_class_has_in_small_letters_is_no_member() -> None:
    assert "->" not in declare_python(DEVICE.replace("{base}", "Config"))
