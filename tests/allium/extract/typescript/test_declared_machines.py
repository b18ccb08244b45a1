"""Machines that a TypeScript file declares as their libraries have it."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
import { createMachine } from 'xstate';
export const doorMachine = createMachine({
  id: 'door',
  initial: 'closed',
  states: {
    closed: { on: { OPEN: 'opened', 'door.lock': { target: 'locked', guard: 'hasKey' } } },
    opened: { on: { CLOSE: { target: 'closed' } } },
    locked: { on: { UNLOCK: [{ target: 'closed', cond: 'hasKey' }, { actions: 'ring' }] } },
    brokenOpen: { type: 'final' },
  },
  on: { BREAK: '.brokenOpen' },
});
"""


def read(text: str, path: str = "house/door.ts") -> str:
    return declare({path: text})


def test_a_machine_of_xstate_is_an_entity_with_its_states_and_events() -> None:
    assert (
        read(DOOR)
        == """\
entity Door {
    state: closed | opened | locked | broken_open

    transitions state {
        closed -> opened
        closed -> locked
        closed -> broken_open
        opened -> closed
        opened -> broken_open
        locked -> closed
        locked -> broken_open
        terminal: broken_open
    }
}

rule DoorOpen {
    when: OpenDoor(door)
    requires: door.state = closed
    ensures: door.state = opened
}

rule DoorDoorLock {
    when: DoorLockDoor(door)
    requires: door.state = closed
    ensures: door.state = locked
    @guidance
        -- Does nothing unless hasKey holds.
}

rule DoorBreak {
    when: BreakDoor(door)
    requires: door.state in {closed, opened, locked}
    ensures: door.state = broken_open
}

rule DoorClose {
    when: CloseDoor(door)
    requires: door.state = opened
    ensures: door.state = closed
}

rule DoorUnlock {
    when: UnlockDoor(door)
    requires: door.state = locked
}"""
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import { createMachine }", "import { createMachine, setup }"),
        ("createMachine({", "setup({ guards: {} }).createMachine({"),
        ("createMachine({", "createMachine<Context, Event>({"),
        ("createMachine", "Machine"),
        ("import { createMachine } from", "const { createMachine } = require("),
        ("'xstate'", "'@xstate/fsm'"),
        ("= createMachine(", "= (options: Options) => createMachine("),
    ],
)
def test_a_machine_may_be_made_in_other_ways(old: str, new: str) -> None:
    assert old in DOOR
    assert read(DOOR.replace(old, new)) == read(DOOR)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'xstate'", "'./machines'"),
        ("states: {", "states: { ...more,"),
        ("states: {", "inner: {"),
        ("createMachine({", "createMachine(config, {"),
        ("initial: 'closed',", "initial: 'closed', ...config,"),
    ],
)
def test_what_is_no_machine_or_has_other_states_is_left_out(old: str, new: str) -> None:
    assert old in DOOR
    found = read(DOOR.replace(old, new))
    assert "rule" not in found
    assert "entity" not in found or new.endswith("...config,")


def test_a_machine_without_a_name_of_its_own_has_that_of_its_constant() -> None:
    for old, new in (("id: 'door',", ""), ("'door'", "'(machine)'"), ("'door'", "id")):
        assert "entity DoorMachine {" in read(DOOR.replace(old, new))
    text = DOOR.replace("export const doorMachine = ", "export default ")
    assert "entity Door {" in read(text)
    assert read(text.replace("id: 'door',", "")) == ""


def test_a_type_of_the_same_file_keeps_its_name() -> None:
    found = read(DOOR + "export interface Door { width: number }")
    assert "value Door {" in found
    assert "entity DoorMachine {" in found
    assert "rule DoorMachineOpen" in found


def test_two_machines_of_one_file_are_two_entities() -> None:
    second = DOOR.replace("doorMachine", "gateMachine").partition(";")[2]
    found = read(DOOR + second)
    assert "entity DoorMachine {" in found
    assert "entity GateMachine {" in found
    assert "entity Gate {" in read(DOOR + second.replace("'door'", "'gate'"))


def test_what_runs_and_ends_moves_a_machine_too() -> None:
    found = read("""
import { createMachine } from 'xstate';
const loader = createMachine({
  id: 'loader', initial: 'idle',
  states: {
    idle: { on: { LOAD: 'loading' } },
    loading: {
      invoke: { src: 'fetchUser', onDone: 'ready', onError: { target: 'failed' } },
      after: { 5000: 'late' },
    },
    ready: { on: { LOAD: 'loading' } },
    failed: { invoke: { src: () => wait(), onDone: 'idle' } },
    late: { always: [{ target: 'failed', guard: 'isOver' }, { target: 'idle' }] },
  },
});
""")
    edges = [line.strip() for line in found.split("\n") if "->" in line or "terminal" in line]
    assert edges == [
        "idle -> loading", "loading -> ready", "loading -> failed", "loading -> late",
        "ready -> loading", "failed -> idle", "late -> idle", "late -> failed",
    ]  # fmt: skip
    assert "rule LoaderFetchUserDone {\n    when: FetchUserDoneLoader(loader)\n" in found
    assert "requires: loader.state = loading\n    ensures: loader.state = ready\n" in found
    assert "rule LoaderFetchUserFailed {" in found
    assert found.count("rule ") == 3


DOORS = """
import { createMachine } from 'xstate';
const doors = createMachine({
  id: 'doors', type: 'parallel',
  states: {
    frontDoor: {
      initial: 'shut',
      states: { shut: { on: { OPEN: 'open' } }, open: { on: { SHUT_FRONT: 'shut' } } },
    },
    backDoor: {
      initial: 'shut',
      states: { shut: { on: { OPEN: 'open' } }, open: { on: { OPEN: '#doors.frontDoor.shut' } } },
    },
    bell: {},
  },
});
"""


def test_states_that_are_at_once_are_fields() -> None:
    found = read(DOORS)
    assert "    front_door: shut | open\n    back_door: shut | open\n" in found
    assert "transitions front_door {\n        shut -> open\n        open -> shut\n" in found
    assert "rule DoorsShutFront {\n    when: ShutFrontDoors(doors)\n" in found
    assert "rule DoorsOpenFrontDoor {\n    when: OpenDoors(doors)\n" in found
    # What leads to the other door begins everything anew.
    assert "transitions back_door" not in found
    assert 'open question "Doors.back_door: how is open left?"' in found


def test_what_may_happen_elsewhere_makes_no_rule() -> None:
    found = read(DOOR.replace("on: { CLOSE", "on: { ...common, CLOSE"))
    assert "opened -> closed" in found
    assert "rule" not in found
    found = read(DOOR.replace("'closed' } }", "choose() } }"))
    assert "rule DoorClose" not in found
    assert "rule DoorOpen" in found
    assert "opened -> broken_open" in found


def test_a_machine_of_transitions_is_named_by_its_constant_or_class() -> None:
    text = """
import StateMachine from 'javascript-state-machine';
const water = new StateMachine({
  init: 'solid',
  transitions: [{ name: 'melt', from: 'solid', to: 'liquid' }],
});
class Engine {
  constructor() {
    this.gear = StateMachine.create({
      initial: 'low',
      events: [{ name: 'shift', from: ['low'], to: 'high' }],
    });
  }
}
"""
    found = read(text, "house/water.js")
    assert "entity Water {\n    state: solid | liquid\n" in found
    assert "requires: water.state = solid\n    ensures: water.state = liquid" in found
    assert "entity EngineGear {\n    state: low | high\n" in found
    assert read(text.replace("javascript-state-machine", "./machine"), "house/water.js") == ""
