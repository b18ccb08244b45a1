"""What a private method is given, also by another one that is given it."""

import re

import pytest

from tests.allium.extract.declared import declare_python
from tests.allium.extract.python.values.test_inferred_states import list_edges, list_rules

JOB = """
import abc

_PENDING = "PENDING"
_RUNNING = "RUNNING"
_STOPPED = "STOPPED"
_FAILED = "FAILED"

class Job(abc.ABC):
    def __init__(self):
        self.__reset()

    def __reset(self):
        self.__state = _PENDING

    @abc.abstractmethod
    def work(self):
        pass

    def run(self):
        for each in self._step():
            pass

    def _step(self):
        return self.__go(_PENDING, _RUNNING)

    def __go(self, pending, running):
        self.__move(pending, running)
        try:
            yield self.work()
        except Exception:
            self.__move(running, _FAILED)
            raise
        self.__move(running, _STOPPED)

    def __move(self, old, new):
        if self.__state != old:
            raise ValueError(self.__state)
        self.__state = new
"""


def test_a_step_has_the_constants_that_other_steps_hand_on() -> None:
    found = declare_python(JOB)
    assert "    state: pending | running | stopped | failed\n" in found
    assert list_edges(found) == ["pending -> running", "running -> stopped", "running -> failed"]
    assert "JobMove" not in list_rules(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("__go", "go"),
        ("return self.__go(_PENDING, _RUNNING)", "return self.__go(*self.states)"),
        ("yield self.work()", "running = self.work()"),
        ("self.__move(running, _STOPPED)", "each(lambda running: self.__move(pending, running))"),
    ],
)
def test_what_may_be_given_anything_has_no_states(old: str, new: str) -> None:
    assert old in JOB
    assert "    state: " not in declare_python(JOB.replace(old, new))


def test_steps_that_hand_on_in_a_circle_end() -> None:
    code = JOB.replace("yield self.work()", "self.__move(running, pending)").replace(
        "self.__state = new", "self.__state = new\n        self.__go(old, new)"
    )
    assert "    state: " not in declare_python(code)


LAMP = """
STATE_OFF = "off"
STATE_DIM = "dim"
STATE_ON = "on"

class Lamp:
    def __init__(self):
        self.state = STATE_OFF

    def light(self, much):
        new = STATE_ON if much else STATE_DIM
        self.tell(new)
        self.state = new

    def stop(self):
        if self.state == STATE_OFF:
            return
        self.state = STATE_OFF
"""


def test_a_variable_of_a_method_has_all_constants_that_it_is_given() -> None:
    found = declare_python(LAMP)
    assert "    state: off | on | dim\n" in found
    assert sorted(list_edges(found)) == [
        "dim -> off", "dim -> on", "off -> dim", "off -> on", "on -> dim", "on -> off"
    ]  # fmt: skip
    for other in ("new = self.ask()", "new += 1", "new, _ = self.ask()"):
        code = LAMP.replace("self.tell(new)", other)
        assert "state: off" not in declare_python(code)


PORT = """
NOT_CONFIGURED = -1
INIT = 0
UP = 1

class Port:
    def __init__(self):
        self.state = NOT_CONFIGURED

    def begin(self):
        if self.state > INIT:
            return
        self.state = INIT

    def rise(self):
        if self.state != INIT:
            raise ValueError
        self.state = UP
"""


def test_a_constant_may_be_a_number_below_zero() -> None:
    found = declare_python(PORT)
    assert "    state: not_configured | init | up\n" in found
    assert list_edges(found) == ["not_configured -> init", "init -> up"]


def test_a_class_has_the_constants_of_its_base_class() -> None:
    constants, _, rest = PORT.partition("class Port:")
    base = "class Base:" + constants.replace("\n", "\n    ") + "\n"
    rest = rest.replace("NOT_CONFIGURED", "Base.NOT_CONFIGURED").replace("UP", "self.UP")
    source = f"{base}\nclass Port(Base):{rest.replace(' INIT', ' Port.INIT')}"
    found = declare_python(source)
    assert "    state: not_configured | init | up\n" in found
    assert list_edges(found) == ["not_configured -> init", "init -> up"]
    # Its own of that name are others.
    other = source.replace("class Port(Base):", "class Port(Base):\n    UP = object()\n")
    assert "state: not_configured" not in declare_python(other)


ORDER = """
class Order(Base):
    def __init__(self):
        self.state = NEW

    def pay(self):
        if self.state != NEW:
            raise ValueError
        self.state = PAID

    def close(self):
        if self.state == PAID:
            self.state = SHUT
"""


@pytest.mark.parametrize(
    ("before", "owner"),
    [
        ("import app.codes\n", "app.codes."),
        ("from codes import *\n", ""),
        ("from orders import Base\n", "self."),
        ("from orders import Base\n", "Base."),
        ("from orders import Base\n", "Order."),
        ("from orders import Base\n", "type(self)."),
        ("NEW = 1 << 0\nPAID = 1 << 1\nSHUT = 1 << 2\n", ""),
        ("NEW = b'n'\nPAID = b'p'\nSHUT = b's'\n", ""),
        ("NEW = Step('new')\nPAID = Step('paid')\nSHUT = Step('shut')\n", ""),
        ("NEW = codes.NEW\nPAID = codes.PAID\nSHUT = codes.SHUT\n", ""),
    ],
)
def test_a_constant_that_cannot_be_read_is_a_state_by_its_name(before: str, owner: str) -> None:
    order = ORDER
    for name in ("NEW", "PAID", "SHUT"):
        order = order.replace(f"{name}\n", f"{owner}{name}\n").replace(
            f"{name}:", f"{owner}{name}:"
        )
    found = declare_python(before + order)
    assert "    state: new | paid | shut\n" in found
    assert list_edges(found) == ["new -> paid", "paid -> shut"]


def test_two_names_of_one_constant_are_no_states() -> None:
    same = "NEW = codes.NEW\nPAID = codes.PAID\nSHUT = codes.NEW\n"
    assert "->" not in declare_python(same + ORDER)


def test_what_an_object_gets_is_no_constant_of_a_base_class() -> None:
    order = ORDER.replace("= NEW", "= self.NEW").replace("= PAID", "= self.PAID")
    given = (
        order.replace("SHUT", "self.SHUT") + "\n    def renew(self):\n        self.SHUT = make()\n"
    )
    assert "->" not in declare_python("from orders import Base\n" + given)


def test_a_default_may_be_any_of_the_constants() -> None:
    order = "import codes\n" + ORDER.replace("(Base)", "").replace("= NEW", "= codes.NEW")
    order = order.replace("= PAID", "= codes.PAID").replace("SHUT", "codes.SHUT")
    assert list_edges(declare_python(order)) == ["new -> paid", "paid -> shut"]
    for name in ("codes.DEFAULT_STATE", "codes.STATE"):
        assert list_edges(declare_python(order.replace("codes.SHUT", name))) == []


def test_a_list_of_constants_elsewhere_is_none_of_them() -> None:
    order = "from orders import Base\n" + ORDER.replace(
        "if self.state == PAID", "if self.state in OPEN"
    )
    for name in ("NEW", "PAID", "SHUT", "OPEN"):
        order = re.sub(rf"\b{name}\b", f"self.{name}", order)
    assert "    state: new | paid | shut\n" in declare_python(order)


GAME = """
from codes import STARTED, MATE, DRAW

class Game:
    def __init__(self):
        self.status = STARTED

    def update(self, status=None):
        if self.status != STARTED:
            return
        if status is not None:
            self.status = status
            return
        self.status = MATE

    def agree(self):
        self.update(DRAW)

    def lose(self, reason):
        self.update(GIVEN)
"""


@pytest.mark.parametrize("given", ["MATE", "", "None", "LOSERS[reason]"])
def test_a_step_that_asks_whether_it_is_given_a_state_may_get_none(given: str) -> None:
    found = declare_python(GAME.replace("GIVEN", given))
    assert "    status: started | mate | draw\n" in found
    assert list_edges(found) == ["started -> mate", "started -> draw"]


def test_texts_beside_what_nobody_can_read_are_no_states() -> None:
    game = GAME.replace("GIVEN", "f'lost: {reason}'")
    for name in ("STARTED", "MATE", "DRAW"):
        game = game.replace(name, f"'{name.lower()}'")
    assert "->" not in declare_python(
        game.replace("from codes import 'started', 'mate', 'draw'", "")
    )
