"""States in constants: which a private setter is given, and which are left alone."""

import pytest

from tests.allium.extract.declared import declare_python

LINK = """
class Link:
    CLOSED = 0
    OPENING = 1
    OPEN = 2

    def __init__(self, retries):
        self.retries = retries
        self._state = self.CLOSED

    @property
    def is_closed(self):
        return self._state == self.CLOSED

    @property
    def is_open(self):
        return self._state == self.OPEN

    def connect(self):
        if not self.is_closed:
            raise RuntimeError("not closed")
        self._set_state(self.OPENING)

    def on_connected(self):
        if self._state != self.OPENING:
            raise RuntimeError("nobody asked")
        self._set_state(self.OPEN)

    def close(self):
        self._raise_if_not_open()
        self._set_state(self.CLOSED)

    def send(self, data):
        self._raise_if_not_open()
        self._wire.write(data)

    def _raise_if_not_open(self):
        if self._state == self.OPEN:
            return
        if self._state == self.OPENING:
            raise RuntimeError("still opening")
        raise RuntimeError("closed")

    def _set_state(self, state):
        log.info("%s is %s", self, state)
        self._state = state
"""

JOB = """
STATE_IDLE, STATE_BUSY, STATE_DONE = range(3)

class Job:
    def __init__(self, name):
        self.state = STATE_IDLE

    def start(self):
        if self.state != STATE_IDLE:
            raise RuntimeError
        self.state = STATE_BUSY

    def finish(self):
        if self.state == STATE_BUSY:
            self.state = STATE_DONE
"""


def list_edges(source: str) -> list[str]:
    found = declare_python(source)
    return [line.strip() for line in found.split("\n") if "->" in line]


def list_rules(source: str) -> list[str]:
    found = declare_python(source)
    return [line.split()[1] for line in found.split("\n") if line.startswith("rule ")]


def test_numbers_that_a_class_gives_names_are_the_states_of_a_field() -> None:
    assert "    state: closed | opening | open\n" in declare_python(LINK)
    assert list_edges(LINK) == ["closed -> opening", "opening -> open", "open -> closed"]


def test_a_method_that_asks_another_one_for_a_state_demands_it() -> None:
    found = declare_python(LINK)
    assert """
rule LinkSend {
    when: SendLink(link)
    requires: link.state = open
}""" in found  # fmt: skip
    assert "    requires: link.state = open\n    ensures: link.state = closed\n" in found


def test_a_check_that_is_awaited_demands_its_state_too() -> None:
    source = LINK.replace("    def ", "    async def ").replace("async def __", "def __")
    source = source.replace("@property\n    async", "@property\n   ")
    awaited = source.replace("self._raise_if", "await self._raise_if")
    assert "    when: SendLink(link)\n    requires: link.state = open\n" in declare_python(awaited)
    assert "SendLink" not in declare_python(source)


def test_a_setter_and_a_check_that_a_class_has_for_itself_are_no_rules() -> None:
    assert list_rules(LINK) == ["LinkConnect", "LinkOnConnected", "LinkClose", "LinkSend"]


def test_numbers_that_a_file_gives_names_are_states_without_what_all_names_begin_with() -> None:
    assert "    state: idle | busy | done\n" in declare_python(JOB)
    assert list_edges(JOB) == ["idle -> busy", "busy -> done"]


def test_a_sentinel_is_a_state_as_a_number_is() -> None:
    source = JOB.replace(
        "STATE_IDLE, STATE_BUSY, STATE_DONE = range(3)",
        "STATE_IDLE = object()\nSTATE_BUSY = object()\nSTATE_DONE = object()",
    )
    assert list_edges(source) == ["idle -> busy", "busy -> done"]


def test_a_state_may_be_given_by_name_by_the_class_or_by_a_choice_of_two() -> None:
    source = LINK.replace(
        "self._set_state(self.CLOSED)",
        "self._set_state(state=Link.OPENING if self.retries else Link.CLOSED)",
    )
    assert list_edges(source) == [
        "closed -> opening",
        "opening -> open",
        "open -> closed",
        "open -> opening",
    ]


def test_a_method_may_be_given_a_text_as_the_state() -> None:
    source = LINK.replace("CLOSED = 0", 'CLOSED = "closed"').replace("OPEN = 2", 'OPEN = "open"')
    source = source.replace("OPENING = 1", 'OPENING = "opening"')
    assert "    state: closed | opening | open\n" in declare_python(source)
    assert list_edges(source) == ["closed -> opening", "opening -> open", "open -> closed"]


def test_others_may_give_a_public_method_one_of_the_states_that_the_class_gives_it() -> None:
    source = LINK.replace("_set_state", "set_state")
    assert list_edges(source) == ["closed -> opening", "opening -> open", "open -> closed"]


STACK = """
class Stack:
    STATUSES = (RUNNING, FAILED, DONE) = ("RUNNING", "FAILED", "DONE")

    def __init__(self, status=None):
        self.status = self.RUNNING if status is None else status

    def set_status(self, status):
        if status not in self.STATUSES:
            raise ValueError(status)
        self.status = status

    def check(self):
        status = self.find()
        if self.status == self.RUNNING:
            self.set_status(status)
"""


def test_a_method_that_refuses_other_texts_than_those_of_a_list_gives_one_of_them() -> None:
    assert "    status: running | failed | done\n" in declare_python(STACK)
    for old, new in (
        ("self.RUNNING if status is None else status", "status or self.RUNNING"),
        ("if status not in self.STATUSES:\n            raise ValueError(status)",
         "assert status in self.STATUSES"),
    ):  # fmt: skip
        assert "    status: running | failed | done\n" in declare_python(STACK.replace(old, new))
    for old, new in (
        ("not in self.WORDS", "not in self.find()"),
        ("raise ValueError(status)", "self.log(status)"),
        ("if status not in", "status = status.upper()\n        if status not in"),
        ("self.RUNNING if status is None else status", "self.find() or self.RUNNING"),
    ):
        listed = STACK.replace("STATUSES", "WORDS")  # whose name does not say that it has all
        assert "    status: " not in declare_python(listed.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A number with no name may mean anything.
        ("self._set_state(self.OPEN)", "self._set_state(7)"),
        ("self._set_state(self.OPEN)", "self._set_state(self.retries)"),
        ("self._set_state(self.OPEN)", "self._state += 1"),
        ("self._set_state(self.OPEN)", "self._state, self.retries = self.find()"),
        ("def _set_state", "@traced\n    def _set_state"),
        # Who calls it, and with what, is not known.
        ("self._set_state(self.OPEN)", "self._wire.then(self._set_state)"),
        ("    self._state = state", "    state = min(state, 2)\n        self._state = state"),
        # What it begins with is not known.
        ("(self, retries):", "(self, retries, state):\n        self._state = state"),
        # Two names for one number.
        ("OPEN = 2", "OPEN = 1"),
        # True is no number.
        ("CLOSED = 0", "CLOSED = False"),
    ],
)  # fmt: skip
def test_a_field_that_may_hold_another_number_has_no_states(old: str, new: str) -> None:
    assert old in LINK
    found = declare_python(LINK.replace(old, new))
    assert "closed |" not in found
    assert "->" not in found


def test_a_name_that_a_method_hides_is_no_constant() -> None:
    source = JOB.replace("def start(self):", "def start(self, STATE_BUSY):")
    assert list_edges(source) == []


def test_numbers_that_nothing_compares_are_no_states() -> None:
    source = """
LOW = 1
HIGH = 9

class Volume:
    def __init__(self):
        self.level = LOW

    def raise_it(self):
        self.level = HIGH
"""
    assert list_rules(source) == []


def test_a_setter_may_take_its_state_by_keyword_alone() -> None:
    source = LINK.replace("(self, state):", "(self, *, state):").replace(
        "_set_state(self.", "_set_state(state=self."
    )
    assert list_edges(source) == ["closed -> opening", "opening -> open", "open -> closed"]


def test_a_public_method_that_asks_more_of_what_it_is_given_leaves_the_states_open() -> None:
    guard = (
        "        if status == self.RUNNING:\n            raise ValueError\n        self.status ="
    )
    source = STACK.replace(
        "        self.status = status\n\n    def check", guard + " status\n\n    def check"
    )
    assert guard in source
    assert "    status: " not in declare_python(source.replace("STATUSES", "WORDS"))
