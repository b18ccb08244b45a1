"""Classes that are machines, of python-statemachine and of automat."""

from tests.allium.extract.declared import declare_python

CAMPAIGN = """
from statemachine import Event, State, StateMachine

class Campaign(StateMachine):
    draft = State("Draft", initial=True)
    active = State("Active", value=2)
    closed = State("Closed", final=True)
"""


def list_edges(told: str) -> list[str]:
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_events_of_a_state_machine_are_its_rules() -> None:
    told = declare_python(
        CAMPAIGN
        + """
    produce = draft.to(active, cond="has_jobs")
    close = Event(closed.from_(draft, active), name="Close")
"""
    )
    assert (
        told
        == """\
entity Campaign {
    current_state: draft | active | closed

    transitions current_state {
        draft -> active
        draft -> closed
        active -> closed
        terminal: closed
    }
}

rule CampaignProduce {
    when: ProduceCampaign(campaign)
    requires: campaign.current_state = draft
    ensures: campaign.current_state = active
}

rule CampaignClose {
    when: CloseCampaign(campaign)
    requires: campaign.current_state in {draft, active}
    ensures: campaign.current_state = closed
}"""
    )


def test_ways_are_joined_and_named_and_may_come_from_any_state_that_is_not_final() -> None:
    told = declare_python(
        CAMPAIGN
        + """
    produce = draft.to(active)
    cycle = produce | active.to(draft) | active.to.itself()
    close = closed.from_.any()
"""
    )
    assert list_edges(told) == [
        "draft -> active", "draft -> closed", "active -> draft", "active -> closed",
    ]  # fmt: skip
    assert "    requires: campaign.current_state in {draft, active}\n" in told


def test_nothing_leaves_a_final_state() -> None:
    told = declare_python(
        CAMPAIGN
        + """
    failed = State("Failed", final=True)
    produce = draft.to(active)
    close = closed.from_.any()
    fail = failed.from_.any()
"""
    )
    assert list_edges(told) == [
        "draft -> active", "draft -> closed", "draft -> failed", "active -> closed",
        "active -> failed",
    ]  # fmt: skip


def test_a_way_may_decorate_a_method() -> None:
    told = declare_python(
        CAMPAIGN
        + """
    @(draft.to(active) | active.to(closed))
    def go_on(self):
        pass
"""
    )
    assert """
rule CampaignGoOn {
    when: GoOnCampaign(campaign)
    requires: campaign.current_state in {draft, active}
    ensures:
        if campaign.current_state = draft: campaign.current_state = active
        else if campaign.current_state = active: campaign.current_state = closed
}""" in told  # fmt: skip


def test_states_may_come_from_an_enum() -> None:
    told = declare_python("""
from enum import Enum
from statemachine import StateMachine
from statemachine.states import States

class Status(Enum):
    NEW = 1
    DONE = 2

class Job(StateMachine):
    states = States.from_enum(Status, initial=Status.NEW, final=Status.DONE)
    finish = states.NEW.to(states.DONE)
    reset = states.NEW.from_.any()
""")
    assert "    current_state: Status\n" in told
    assert list_edges(told) == ["new -> done"]
    assert "rule JobReset" not in told


def test_a_class_without_ways_or_with_states_of_its_own_kind_is_no_machine() -> None:
    assert declare_python(CAMPAIGN) == ""
    assert declare_python(CAMPAIGN + "    produce = make(draft)\n") == ""


DOOR = """
from automat import MethodicalMachine

class Door:
    _machine = MethodicalMachine()

    @_machine.state(initial=True)
    def closed(self): ...

    @_machine.state()
    def opened(self): ...

    @_machine.input()
    def push(self): ...

    @_machine.output()
    def _ring(self):
        self.bell.ring()

"""


def test_inputs_of_automat_move_a_class_from_state_to_state() -> None:
    told = declare_python(
        DOOR
        + """
    closed.upon(push, enter=opened, outputs=[_ring])
    opened.upon(push, enter=opened, outputs=[])
"""
    )
    assert (
        told
        == """\
entity Door {
    machine: closed | opened

    transitions machine {
        closed -> opened
        terminal: opened
    }
}

rule DoorPush {
    when: PushDoor(door)
    requires: door.machine in {closed, opened}
    ensures: door.machine = opened
}"""
    )
    assert declare_python(DOOR) == ""


def test_a_machine_whose_state_another_object_keeps_says_nothing_of_its_class() -> None:
    assert (
        declare_python(
            DOOR
            + """
    @_machine.serializer()
    def _save(self, state):
        return state

    closed.upon(push, enter=opened, outputs=[_ring])
"""
        )
        == ""
    )
