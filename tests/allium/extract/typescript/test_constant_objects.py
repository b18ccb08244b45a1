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
        (" as const", ""),
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
