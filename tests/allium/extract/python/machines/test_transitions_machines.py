"""Machines of the library transitions."""

from tests.allium.extract.declared import declare_python


def test_a_machine_of_the_library_transitions_is_its_class() -> None:
    source = """
from transitions import Machine

class Lamp:
    states = ["off", "on", "broken"]

    def __init__(self):
        self.machine = Machine(model=self, states=Lamp.states, initial="off", transitions=[
            {"trigger": "press", "source": "off", "dest": "on"},
            ["drop", "*", "broken"],
        ])
"""
    told = declare_python(source)
    assert "    state: off | on | broken\n" in told
    edges = [line.strip() for line in told.split("\n") if "->" in line or "terminal" in line]
    assert edges == ["off -> on", "off -> broken", "on -> broken", "terminal: broken"]
    assert "rule LampPress {\n    when: PressLamp(lamp)\n    requires: lamp.state = off\n" in told


def test_transitions_may_be_added_to_a_machine_one_by_one() -> None:
    told = declare_python("""
from transitions import Machine

class Session:
    states = ["new", "connected", "gone"]

    def __init__(self):
        self.name = "s"
        self._init_states()

    def _init_states(self):
        self.transitions = Machine(states=Session.states, initial="new")
        self.transitions.add_transition(trigger="connect", source="new", dest="connected")
        self.transitions.add_transition("leave", "connected", "gone")
""")
    assert "transitions_: new | connected | gone" in told
    assert [line.strip() for line in told.split("\n") if "->" in line] == [
        "new -> connected",
        "connected -> gone",
    ]
    assert "rule SessionConnect" in told


def test_states_may_be_an_enum_or_members_of_one() -> None:
    enum = """
from enum import Enum
from transitions import Machine

class Power(Enum):
    OFF = 1
    ON = 2

class Lamp:
    def __init__(self):
        self.machine = Machine(self, states=STATES, initial=Power.OFF)
        self.machine.add_transition("press", Power.OFF, Power.ON)
"""
    for states in ("Power", "list(Power)", "[Power.OFF, Power.ON]"):
        told = declare_python(enum.replace("STATES", states))
        assert "    state: Power\n" in told, states
        assert "        off -> on\n" in told, states


JOB = """
from transitions.extensions import GraphMachine

class Job(GraphMachine):
    IDLE = "idle"
    TABLE = [
        {"trigger": "start", "source": IDLE, "dest": "at work", "conditions": "is_ready"},
        {"trigger": "tick", "source": "at work", "dest": None},
        ["touch", "*", "="],
        ["end", [IDLE, "at work"], "over"],
        ["end", "over", "idle"],
    ]

    def __init__(self):
        super().__init__(states=STATES, transitions=self.TABLE)
"""


def test_a_class_may_be_the_machine_and_a_state_an_object() -> None:
    states = '[IDLE, State("at work", on_exit="x"), {"name": "over"}]'
    told = declare_python(JOB.replace("STATES", states))
    assert (
        told
        == """\
entity Job {
    state: idle | at_work | over

    transitions state {
        idle -> at_work
        idle -> over
        at_work -> over
        over -> idle
    }
}

rule JobStart {
    when: StartJob(job)
    requires: job.state = idle
    ensures: job.state = at_work
}

rule JobTick {
    when: TickJob(job)
    requires: job.state = at_work
}

rule JobEnd {
    when: EndJob(job)
    requires: job.state in {idle, at_work, over}
    ensures:
        if job.state = idle: job.state = over
        else if job.state = at_work: job.state = over
        else if job.state = over: job.state = idle
}"""
    )
    base = JOB.replace("super().__init__(", "GraphMachine.__init__(self, self, ")
    assert declare_python(base.replace("STATES", states)) == told


def test_states_inside_states_and_states_that_nobody_knows_are_none() -> None:
    for states in ('["idle", {"name": "at work", "children": ["up"]}, "over"]', "load()", "STATES"):
        assert declare_python(JOB.replace("STATES", states)) == ""


def test_a_transition_that_cannot_be_read_leaves_what_others_trigger() -> None:
    told = declare_python(
        JOB.replace("STATES", '["idle", "at work", "over"]').replace(
            '"over", "idle"', '"over", find()'
        )
    )
    assert "rule JobEnd" not in told
    assert "rule JobStart" in told
    assert "        idle -> at_work\n" in told
    assert "rule" not in declare_python(
        JOB.replace("STATES", '["idle", "at work", "over"]').replace(
            '["touch", "*", "="]', "make()"
        )
    )


def test_several_transitions_may_be_added_at_once() -> None:
    told = declare_python("""
from transitions import Machine

class Lamp:
    def __init__(self):
        self.fsm = Machine(model=self, states=["off", "on"], initial="off")
        self.fsm.add_transitions([["press", "off", "on"], ["press", "on", "off"]])
""")
    assert "        off -> on\n        on -> off\n" in told
    assert "rule LampPress" in told
