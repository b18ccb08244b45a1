"""States that a class names by constants, and sets itself, maybe by a method."""

import re

import pytest

from tests.allium.extract.declared import declare_python

DOOR = """
class Door:
    SHUT = 0
    MOVING = 1
    OPEN = 2

    def __init__(self, owner):
        self.owner = owner
        self._set_state(self.SHUT)

    def _set_state(self, new_state):
        self._state = new_state

    @property
    def is_open(self):
        return self._state == self.OPEN

    def _raise_if_not_open(self):
        if self._state == self.OPEN:
            return
        raise RuntimeError("not open")

    def open(self):
        if self._state != self.SHUT:
            raise RuntimeError("not shut")
        self._set_state(self.MOVING)

    def arrive(self):
        if self._state == self.MOVING:
            self._set_state(self.OPEN)

    def shut(self):
        self._raise_if_not_open()
        self._set_state(self.SHUT)

    def pass_through(self, person):
        self._raise_if_not_open()
        self.inside.append(person)
"""


def list_edges(found: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if " -> " in line]


def list_rules(found: str) -> list[str]:
    return [line.split()[1] for line in found.split("\n") if line.startswith("rule ")]


def test_numbers_of_a_class_are_states_that_a_setter_sets() -> None:
    found = declare_python(DOOR)
    assert "    state: shut | moving | open\n" in found
    assert list_edges(found) == ["shut -> moving", "moving -> open", "open -> shut"]
    assert list_rules(found) == ["DoorOpen", "DoorArrive", "DoorShut", "DoorPassThrough"]


def test_an_operation_demands_what_a_helper_raises_for() -> None:
    found = declare_python(DOOR)
    passed = found.split("PassThrough", 1)[1]
    assert "requires: door.state = open" in passed


def test_numbers_of_a_file_are_states_too() -> None:
    found = declare_python("""
STATE_OFF = 0
STATE_ON = 1

class Lamp:
    def __init__(self):
        self.state = STATE_OFF

    def press(self):
        if self.state == STATE_OFF:
            self.state = STATE_ON
        else:
            self.state = STATE_OFF
""")
    assert "    state: off | on\n" in found
    assert list_edges(found) == ["off -> on", "on -> off"]


def test_constants_of_one_range_are_states() -> None:
    found = declare_python("""
class Lamp:
    OFF, ON = range(2)

    def __init__(self):
        self.state = Lamp.OFF

    def light(self):
        if self.state != Lamp.OFF:
            raise RuntimeError
        self.state = Lamp.ON
""")
    assert list_edges(found) == ["off -> on"]


@pytest.mark.parametrize(
    ("row", "states"),
    [
        ("OFF, ON, BROKEN", "off | on | broken"),
        ("BROKEN, OFF, ON", "off | on | broken"),
        ("OFF, ON", "off | on"),
    ],
)
def test_a_state_may_be_each_constant_of_its_range(row: str, states: str) -> None:
    found = declare_python(f"""
class Lamp:
    {row} = range({row.count(",") + 1})

    def __init__(self):
        self.__state = Lamp.OFF

    def light(self):
        if self.__state != Lamp.OFF:
            raise RuntimeError
        self.__state = Lamp.ON
""")
    assert f"    state: {states}\n" in found
    assert list_edges(found) == ["off -> on"]
    assert ("leads to or from broken" in found) == ("broken" in states)


def test_what_else_a_range_numbers_is_no_state() -> None:
    found = declare_python("""
LAMP_OFF, LAMP_ON, LAMP_BROKEN, COLOR_RED, COLOR_BLUE = range(5)

class Lamp:
    def __init__(self):
        self.state = LAMP_OFF
        self.color = COLOR_RED

    def light(self):
        if self.state != LAMP_OFF:
            raise RuntimeError
        self.state = LAMP_ON
""")
    assert "    state: off | on | broken\n" in found


def test_a_number_that_is_counted_is_no_state() -> None:
    found = declare_python("""
LOW = 0
HIGH = 5

class Level:
    def __init__(self):
        self.level = LOW

    def rise(self):
        if self.level == LOW:
            self.level += 1

    def fill(self):
        if self.level == LOW:
            self.level = HIGH
""")
    assert "->" not in found


def test_a_setter_that_others_give_anything_sets_no_state() -> None:
    found = declare_python("""
class Lamp:
    OFF = 0
    ON = 1

    def __init__(self):
        self.state = self.OFF

    def _set_state(self, state):
        self.state = state

    def load(self, data):
        self._set_state(data["state"])

    def light(self):
        if self.state == self.OFF:
            self.state = self.ON
""")
    assert "->" not in found


def test_a_number_that_a_method_may_compute_is_no_state() -> None:
    found = declare_python("""
class Lamp:
    OFF = 0
    ON = 1

    def __init__(self):
        self.state = self.OFF

    def load(self, data):
        self.state, self.name = data

    def light(self):
        if self.state == self.OFF:
            self.state = self.ON
""")
    assert "->" not in found


def test_two_names_of_one_number_are_not_two_states() -> None:
    found = declare_python("""
class Lamp:
    OFF = 0
    DARK = 0
    ON = 1

    def __init__(self):
        self.state = self.OFF

    def light(self):
        if self.state == self.DARK:
            self.state = self.ON

    def dim(self):
        self.state = self.DARK
""")
    assert "->" not in found


PROJECT = """
class Project:
    def __init__(self, name, status="opened"):
        self._status = status

    def close(self):
        if self._status == "closed":
            raise ValueError
        self._status = "closed"

    def open(self):
        if self._status != "closed":
            raise ValueError
        self._status = "opened"
"""


def test_a_text_begins_with_what_nobody_has_to_give() -> None:
    found = declare_python(PROJECT)
    assert "    status: opened | closed\n" in found
    assert list_edges(found) == ["opened -> closed", "closed -> opened"]


def test_a_text_that_is_asked_for_and_never_set_comes_from_elsewhere() -> None:
    source = PROJECT.replace('!= "closed"', 'not in ("closed", "broken")')
    assert "    status: opened | closed | broken\n" in declare_python(source)
    assert "opened | closed" not in declare_python(source.replace("status", "shown"))


def test_what_init_makes_of_a_text_is_not_known() -> None:
    for changed in ("status = status.lower()\n        self._status = status", "self._status = x"):
        source = PROJECT.replace("self._status = status", changed)
        assert "opened | closed" not in declare_python(source)
    assert "opened | closed" not in declare_python(PROJECT.replace('="opened"', ""))


PROTOCOL = """
class Session(LineReceiver):
    UNKNOWN, ASKED, KNOWN = range(3)

    def connection_made(self):
        self.state = self.UNKNOWN

    def ask(self):
        if self.state != self.UNKNOWN:
            raise ValueError
        self.state = self.ASKED

    def learn(self):
        if self.state != self.ASKED:
            raise ValueError
        self.state = self.KNOWN
"""


def test_an_object_of_a_framework_begins_elsewhere_than_in_its_constructor() -> None:
    found = declare_python(PROTOCOL)
    assert "    state: unknown | asked | known\n" in found
    assert "unknown -> asked" in list_edges(found)
    one = PROTOCOL.replace("self.ASKED", "self.UNKNOWN").replace("self.KNOWN", "self.UNKNOWN")
    assert "    state:" not in declare_python(one)


SEARCH = """
SEARCH_EMPTY = 0
SEARCH_FAILED = 1
SEARCH_DONE = 2

class Search:
    def __init__(self):
        self.search_state = SEARCH_EMPTY

    def run(self):
        self.search_state = SEARCH_DONE if self.look() else SEARCH_FAILED

    def clear(self):
        self.search_state = SEARCH_EMPTY
"""


def test_a_group_of_constants_needs_no_comparison_where_a_state_is_called_one() -> None:
    found = declare_python(SEARCH)
    assert "    search_state: empty | done | failed\n" in found
    assert "empty -> done" in list_edges(found)


def test_two_constants_or_another_name_say_too_little() -> None:
    two = SEARCH.replace("SEARCH_DONE if self.look() else SEARCH_FAILED", "SEARCH_DONE")
    assert "    search_state: empty" not in declare_python(two)
    assert "empty | failed" not in declare_python(SEARCH.replace("search_state", "result"))


def test_an_attribute_may_begin_in_the_body_of_the_class() -> None:
    found = declare_python("""
class Link:
    _NONE = "none"
    _ASKED = "asked"
    _exchange = _NONE

    def ask(self):
        if self._exchange != self._NONE:
            raise ValueError
        self._exchange = self._ASKED

    def end(self):
        self._exchange = self._NONE
""")
    assert "    exchange: none | asked\n" in found
    assert list_edges(found) == ["none -> asked", "asked -> none"]


def test_texts_that_no_specification_can_write_have_the_names_of_their_constants() -> None:
    source = DOOR.replace("= 0", "= '-shut-'").replace("= 1", "= '-moving-'")
    found = declare_python(source.replace("= 2", "= '-open-'"))
    assert "    state: shut | moving | open\n" in found
    assert "    state:" not in declare_python(source)


def test_constants_may_be_given_several_at_once() -> None:
    several = "SEARCH_EMPTY, SEARCH_FAILED, SEARCH_DONE = ["
    listed = SEARCH.partition("\n\nclass")[2]
    found = declare_python(f"{several}'empty', 'failed', 'done']\n\nclass{listed}")
    assert "    search_state: empty | done | failed\n" in found


APPLICATION = """
class Application:
    def __init__(self):
        self.state = None

    def start(self):
        if self.state is not None:
            raise RuntimeError
        self.state = "starting"

    def run(self):
        if self.state != "starting":
            raise RuntimeError
        self.state = "started"
"""


def test_a_state_may_begin_as_none() -> None:
    found = declare_python(APPLICATION)
    assert "    state: starting | started\n" in found
    assert list_edges(found) == ["starting -> started"]
    assert "starting |" not in declare_python(APPLICATION.replace("state", "problem"))


SESSION = """
from net import bfd
from net.names import STATE_UP

class Session:
    def __init__(self):
        self.state = bfd.STATE_DOWN

    def receive(self, packet):
        if self.state == bfd.STATE_ADMIN_DOWN:
            return
        if self.state == bfd.STATE_DOWN:
            self.state = bfd.STATE_INIT
        elif self.state == bfd.STATE_INIT:
            self.state = STATE_UP
"""


def test_constants_of_other_files_are_states_where_an_attribute_is_called_one() -> None:
    found = declare_python(SESSION)
    assert "    state: down | init | up | admin_down\n" in found
    assert "        if session.state = down: session.state = init\n" in found
    assert "        else if session.state = init: session.state = up\n" in found
    assert "down |" not in declare_python(SESSION.replace("self.state", "self.family"))


def test_what_is_named_like_the_states_and_only_asked_for_is_one() -> None:
    other = SESSION.replace("bfd.STATE_ADMIN_DOWN", "bfd.LOST")
    assert "    state: down | init | up\n" in declare_python(other)


PUBLISHER = """
PUSHING_STATE = 0
ENDING_STATE = 1
DONE_STATE = 2

class Publisher:
    def update(self):
        self._state = PUSHING_STATE

    def push(self):
        if self._state == PUSHING_STATE:
            self._state = ENDING_STATE

    def end(self):
        if self._state == ENDING_STATE:
            self._state = DONE_STATE
"""


def test_constants_of_a_file_are_states_wherever_an_attribute_begins() -> None:
    found = declare_python(PUBLISHER)
    # Without the word for a state that all of them end with.
    assert "    state: pushing | ending | done\n" in found
    assert "ending -> done" in list_edges(found)


NUMBERED = """
from devices import OFF, ON, BROKEN

class Device:
    def __init__(self):
        self.state = 0

    def start(self):
        if self.state != OFF:
            raise ValueError
        self.state = ON

    def fail(self):
        if self.state == ON:
            self.state = BROKEN
"""


def test_an_attribute_may_begin_as_the_number_of_a_constant_of_another_file() -> None:
    found = declare_python(NUMBERED)
    assert "    state: on | broken | off\n" in found
    assert list_edges(found) == ["on -> broken", "off -> on"]


def test_what_it_begins_with_may_be_any_of_them() -> None:
    device = NUMBERED.replace("__init__(self)", "__init__(self, row)")
    device = device.replace("self.state = 0", "self.state = row.state")
    assert list_edges(declare_python(device)) == ["on -> broken", "off -> on"]
    # A method that gives what nobody can read may give any.
    given = device.replace("self.state = BROKEN", "self.state = make()")
    assert list_edges(declare_python(given)) == []


def test_a_class_may_let_a_state_begin_with_a_constant_of_a_module() -> None:
    device = NUMBERED.replace("from devices import OFF, ON, BROKEN", "import devices")
    for name in ("OFF", "ON", "BROKEN"):
        device = re.sub(rf"\b{name}\b", f"devices.{name}", device)
    init = "    def __init__(self):\n        self.state = 0\n"
    found = declare_python(device.replace(init, "    state = devices.OFF\n"))
    assert "    state: off | on | broken\n" in found
    assert list_edges(found) == ["off -> on", "on -> broken"]


def test_any_other_number_is_none_of_the_constants() -> None:
    given = NUMBERED.replace("self.state = BROKEN", "self.state = 4")
    assert "->" not in declare_python(given)
    numbers = "OFF = 0\nON = 1\nBROKEN = 2\n"
    own = NUMBERED.replace("from devices import OFF, ON, BROKEN\n", numbers)
    assert list_edges(declare_python(own)) == ["off -> on", "on -> broken"]


SERVO = """
class Servo:
    def __init__(self, device):
        self.device = device
        self.SERVO_UP_STATE = device.RELEASED
        self.SERVO_DOWN_STATE = device.GRIPPED
        self.servo_state = self.SERVO_UP_STATE

    def grip(self):
        if self.servo_state == self.SERVO_DOWN_STATE:
            return
        self.servo_state = self.SERVO_DOWN_STATE

    def release(self):
        self.servo_state = self.SERVO_UP_STATE
"""


def test_an_object_may_get_its_constants_in_its_constructor() -> None:
    found = declare_python(SERVO)
    assert "    servo_state: up | down\n" in found
    assert list_edges(found) == ["up -> down", "down -> up"]
    again = SERVO + "        self.SERVO_UP_STATE = 4\n"
    assert "->" not in declare_python(again)


def test_a_part_of_an_object_may_have_its_constants() -> None:
    part = (
        SERVO.replace("self.SERVO_", "self.device.SERVO_")
        .replace("        self.device.SERVO_UP_STATE = device.RELEASED\n", "")
        .replace("        self.device.SERVO_DOWN_STATE = device.GRIPPED\n", "")
    )
    found = declare_python(part)
    assert "    servo_state: up | down\n" in found
    assert list_edges(found) == ["up -> down", "down -> up"]


RECORD = """
class Record(BaseRecord):
    STATE_INIT = "init"
    STATE_MADE = "made"
    STATE_FULL = "full"
    KIND_PLAIN = "plain"

    def make(self):
        if self.state != Record.STATE_INIT:
            raise ValueError
        self.state = Record.STATE_MADE

    def renew(self):
        self.state = Record.STATE_INIT

    def set_state(self, state):
        self.state = state
"""


def test_what_gets_any_constant_of_a_group_may_be_each_of_them() -> None:
    found = declare_python(RECORD)
    assert "    state: init | made | full\n" in found
    assert "init -> made" in list_edges(found)
    assert "    state: init" not in declare_python(RECORD.replace("STATE_", "MY_"))


def test_what_a_setter_that_others_call_is_given_tells_the_group() -> None:
    source = RECORD.replace("self.state = Record.STATE_MADE", "self.set_state(Record.STATE_MADE)")
    assert "init -> made" in list_edges(declare_python(source))


FRAME = """
class Frame:
    def __init__(self):
        self._state = "inactive"

    def _get_state(self):
        return self._state

    def fill(self):
        assert self._get_state() in (None, "inactive")
        self._state = "listing"

    def show(self):
        if self._get_state() != "listing":
            return
        self._state = "idle"
"""


def test_a_method_that_gives_the_attribute_asks_for_it() -> None:
    found = declare_python(FRAME)
    assert "    state: inactive | listing | idle\n" in found
    assert list_edges(found) == ["inactive -> listing", "listing -> idle"]


SENDER = """
SEND_IDLE = 0
SEND_WAIT = 1
SEND_BUSY = 2
FLOW_GO_ON = 0
FLOW_FULL = 2

class Sender:
    def __init__(self):
        self.state = SEND_IDLE

    def begin(self):
        if self.state != SEND_IDLE:
            raise ValueError
        self.state = SEND_WAIT

    def receive(self, flow):
        if self.state != SEND_WAIT:
            return
        if flow == FLOW_GO_ON:
            self.state = SEND_BUSY
        elif flow == FLOW_FULL:
            self.state = SEND_IDLE
"""


def test_another_constant_of_the_same_number_is_no_state() -> None:
    edges = list_edges(declare_python(SENDER))
    assert edges == ["idle -> wait", "wait -> idle", "wait -> busy"]


def test_a_constant_of_the_class_that_a_state_is_only_asked_for_is_one() -> None:
    source = PROTOCOL.replace("self.state = self.ASKED", "self.tell()")
    assert "    state: unknown | known | asked\n" in declare_python(source)
    other = source.replace("UNKNOWN, ASKED, KNOWN = range(3)", "UNKNOWN, KNOWN = range(2)")
    assert "    state: unknown | known\n" in declare_python(f"{other}\nASKED = 7\n")


def test_a_text_that_heirs_set_is_a_state_of_the_operations_that_ask_for_it() -> None:
    source = FRAME.replace('self._state = "listing"', 'self._state = "idle"')
    found = declare_python(source.replace("class Frame:", "class Frame(Widget):"))
    assert "    state: inactive | idle | listing\n" in found
    assert "    requires: frame.state = listing\n    ensures: frame.state = idle\n" in found


ROW = """
IDLE = 0
RUNNING = 1
PAUSED = 2
OVER = 3

class Job:
    def __init__(self):
        self.state = IDLE

    def become(self, state):
        if self.state in (PAUSED, OVER):
            raise RuntimeError
        self.state = state
"""


def test_constants_that_are_numbered_in_a_row_are_the_states_of_what_may_get_any() -> None:
    assert "    state: idle | running | paused | over\n" in declare_python(ROW)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("OVER = 3", "\nOVER = 3"),  # apart
        ("OVER = 3", "OVER = 9"),
        ("(PAUSED, OVER)", "(OTHER, OVER)"),
        ("(PAUSED, OVER)", "(IDLE, OVER)"),  # too few to tell
    ],
)
def test_constants_that_are_no_row_are_none(line: str, other: str) -> None:
    assert "state:" not in declare_python(ROW.replace(line, other) + "\nOTHER = 30\n")


LISTED = """
class Line:
    STATE_NONE = 0
    STATE_OPEN = 1
    STATE_BUSY = 2
    STATE_PAUSED = 3

    OPEN_STATES = KIND

    def __init__(self):
        self._state = self.STATE_NONE

    def open(self):
        self._state = self.STATE_OPEN

    def run(self):
        self._state = self.STATE_BUSY

    def close(self):
        if self._state not in self.OPEN_STATES:
            raise ValueError
        self._state = self.STATE_NONE
"""


@pytest.mark.parametrize(
    "kind", ["{STATE_OPEN, STATE_PAUSED}", "frozenset((STATE_OPEN, STATE_PAUSED))"]
)
def test_what_a_collection_of_the_class_lists_is_a_state_that_is_asked_for(kind: str) -> None:
    found = declare_python(LISTED.replace("KIND", kind))
    assert "    state: none | open | busy | paused\n" in found
    assert "    requires: line.state in {open, paused}\n" in found


def test_what_a_call_makes_lists_no_states() -> None:
    found = declare_python(LISTED.replace("KIND", "find_open(STATE_PAUSED)"))
    assert "    state: none | open | busy\n" in found


def test_an_imported_class_of_constants_has_those_of_a_state() -> None:
    job = """
from app.constant import {name}

class Job:
    def __init__(self):
        self._phase = {name}.PHASE_INIT

    def start(self):
        if self._phase == {name}.PHASE_INIT:
            self._phase = {name}.PHASE_TRAIN

    def stop(self):
        self._phase = {name}.PHASE_OVER
"""
    found = list_edges(declare_python(job.replace("{name}", "AppConstants")))
    assert found == ["init -> train", "init -> over", "train -> over"]
    assert list_edges(declare_python(job.replace("{name}", "App"))) == found


def test_a_method_may_forget_to_say_whose_a_constant_is() -> None:
    found = declare_python(DOOR.replace("_set_state(self.OPEN)", "_set_state(OPEN)"))
    assert "moving -> open" in list_edges(found)


MACHINE = """
class Machine:
    def __init__(self, name, state):
        self.name = name
        self._state = state

    def activate(self):
        assert self._state == "pending"
        self._state = "active"

    def deactivate(self):
        if self._state in ("inactive", "deleted"):
            return
        self._state = "inactive"
"""


def test_an_object_may_begin_in_a_state_that_its_caller_gives() -> None:
    found = declare_python(MACHINE)
    assert "    state: active | inactive | deleted | pending\n" in found
    assert list_edges(found) == [
        "active -> inactive", "pending -> active", "pending -> inactive",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        MACHINE.replace('self._state = "active"', "self._state = name()"),
        MACHINE.replace('self._state = "active"', 'self.name = "active"'),
        MACHINE.replace("_state", "_text"),
    ],
)
def test_what_a_caller_gives_is_a_state_only_beside_others(other: str) -> None:
    assert list_edges(declare_python(other)) == []


EXPORT = """
class Export:
    def __init__(self):
        self.status = "IN_PROGRESS"

    def finish(self):
        self.status = "COMPLETED"

    def fail(self):
        self.status = "FAILED"
"""


@pytest.mark.parametrize("base", ["", "(Base)"])
def test_three_words_of_what_is_called_a_state_need_no_comparison(base: str) -> None:
    source = EXPORT.replace("Export:", f"Export{base}:")
    found = declare_python(source)
    assert "    status: in_progress | completed | failed\n" in found
    assert sorted(list_edges(found)) == [
        "completed -> failed",
        "failed -> completed",
        "in_progress -> completed",
        "in_progress -> failed",
    ]
    for old, new in (
        ("self.status", "self.title"),
        ("IN_PROGRESS", "is in progress"),
        ("IN_PROGRESS", "FAILED"),
        ('"FAILED"', "self.choose()"),
    ):
        assert "->" not in declare_python(source.replace(old, new))
