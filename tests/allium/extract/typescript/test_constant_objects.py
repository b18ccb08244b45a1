"""Objects of constants that are the states of a class."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
export const DoorState = {
  // never locked
  Shut: 'shut',
  HalfOpen: 'half-open',
  Open: 'open',
} as const;
export type DoorState = (typeof DoorState)[keyof typeof DoorState];
export class Door {
  private state: DoorState = DoorState.Shut;
  start() {
    if (this.state !== DoorState.Shut) { throw new Error('not shut'); }
    this.state = DoorState.HalfOpen;
  }
  open() {
    if (this.state !== DoorState.HalfOpen) { throw new Error('not moving'); }
    this.state = DoorState.Open;
  }
}
"""


def test_an_object_of_constants_with_its_type_is_an_enum() -> None:
    found = declare({"door.ts": DOOR})
    assert "enum DoorState { shut | half_open | open }" in found
    assert "half_open -> open" in found


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("'half-open'", "'shut'"),
        ("'half-open'", "compute()"),
        ("(typeof DoorState)[", "(typeof DoorStates)["),
    ],
)
def test_what_may_have_other_values_is_no_enum(words: str, others: str) -> None:
    assert "enum DoorState" not in declare({"door.ts": DOOR.replace(words, others)})


def test_an_object_of_constants_of_another_file_is_found() -> None:
    states, door = DOOR.split("export class", 1)
    source = "import { DoorState } from './states';\nexport class" + door
    assert "half_open -> open" in declare({"states.ts": states, "door.ts": source})


def test_a_frozen_object_is_one_too() -> None:
    text = DOOR.replace("= {", "= Object.freeze({", 1).replace("} as const", "})")
    assert "enum DoorState { shut | half_open | open }" in declare({"door.ts": text})


@pytest.mark.parametrize(
    "kind",
    [
        "(typeof DoorState)[keyof typeof DoorState]",
        "typeof DoorState[keyof typeof DoorState]",
        "ValueOf<typeof DoorState>",
    ],
)
def test_the_type_may_have_another_name_than_the_object(kind: str) -> None:
    text = DOOR.replace(
        "type DoorState = (typeof DoorState)[keyof typeof DoorState]", f"T = {kind}"
    )
    text = text.replace("T = ", "type Place = ").replace("state: DoorState", "state: Place")
    found = declare({"door.ts": text})
    assert "enum Place { shut | half_open | open }" in found
    assert "half_open -> open" in found


def test_a_type_may_be_of_the_names_of_constants() -> None:
    states, door = DOOR.split("export class", 1)
    for name, constant in (("HalfOpen", "HALF_OPEN"), ("Shut", "SHUT"), ("Open", "OPEN")):
        door = door.replace(f"DoorState.{name}", constant)
        states = states.replace(f" {name}:", f" {constant}:")
    states = states.replace("(typeof DoorState)[keyof typeof DoorState]", "keyof typeof DoorState")
    names = "const { SHUT, HALF_OPEN, OPEN } = DoorState;\n"
    source = f"import {{ DoorState }} from './states';\n{names}export class{door}"
    found = declare({"states.ts": states, "door.ts": source})
    assert "        shut -> half_open\n        half_open -> open\n" in found


def test_a_type_may_be_of_constants_of_another_file() -> None:
    states, door = DOOR.split("export type", 1)
    source = "import { DoorState } from './states';\nexport type Place" + door[10:]
    source = source.replace("state: DoorState", "state: Place")
    assert "half_open -> open" in declare({"states.ts": states, "door.ts": source})


def test_an_object_without_a_type_is_found_in_another_file_too() -> None:
    states, door = DOOR.split("export type", 1)
    source = "import { DoorState } from './states';\nexport class" + door.split("export class")[1]
    source = source.replace("state: DoorState", "state: string")
    found = declare({"states.ts": states.replace(" as const", ""), "door.ts": source})
    assert "half_open -> open" in found


def test_any_of_a_list_is_an_enum() -> None:
    text = """
const KINDS = ['draft', 'sent', 'paid'] as const;
type Kind = (typeof KINDS)[number];
export class Bill {
  private kind: Kind = 'draft';
  send() { if (this.kind !== 'draft') throw new Error(); this.kind = 'sent'; }
  pay() { if (this.kind !== 'sent') throw new Error(); this.kind = 'paid'; }
}
"""
    found = declare({"bill.ts": text})
    assert "enum Kind { draft | sent | paid }" in found
    assert "sent -> paid" in found
    assert "enum" not in declare({"bill.ts": text.replace(" as const", "")})
    assert "enum" not in declare({"bill.ts": text.replace("'paid']", "compute()]")})


def test_a_state_may_be_written_as_what_the_object_has_for_it() -> None:
    text = DOOR.replace("'half-open'", "'moving'").replace("= DoorState.HalfOpen", "= 'moving'")
    assert "half_open -> open" in declare({"door.ts": text})


def test_the_type_may_be_written_at_the_field() -> None:
    states, door = DOOR.split("export type", 1)
    kind = "(typeof DoorState)[keyof typeof DoorState]"
    door = "export class" + door.split("export class")[1].replace(
        "state: DoorState", f"state: {kind}"
    )
    plain = states.replace(" as const", "")
    assert "half_open -> open" in declare({"door.ts": plain + door})
    source = "import { DoorState } from './states';\n" + door
    assert "half_open -> open" in declare({"states.ts": plain, "door.ts": source})


def test_an_object_in_a_namespace_may_be_a_type() -> None:
    files = {
        "net/socket.ts": """
            export class Socket { send() {} }
            export namespace Socket {
              export const State = { OPEN: 1, CLOSED: 2, LOST: 3 } as const;
              export type State = (typeof State)[keyof typeof State];
            }""",
        "net/line.ts": """
            import { Socket } from './socket';
            export class Line {
              private state: Socket.State = Socket.State.OPEN;
              close() { this.state = Socket.State.CLOSED; }
            }""",
    }
    found = declare(files)
    assert "enum SocketState { open | closed | lost }" in found
    assert "open -> closed" in found


def test_a_field_may_say_itself_that_it_is_any_value_of_an_object() -> None:
    text = DOOR.replace("state: DoorState", "state: ValueOf<typeof DoorState>")
    assert "half_open -> open" in declare({"door.ts": text})
    other = text.replace("ValueOf<typeof DoorState>", "ValueOf<typeof other>")
    assert "half_open -> open" not in declare({"door.ts": other})
