"""Expressions as statements, of which each chooses what is done."""

import pytest

from tests.allium.extract.declared import declare

DOOR = """
type DoorState = 'closed' | 'open' | 'locked'

export class Door {
  private state: DoorState = 'closed'
  private isStuck = false

  open() {
    if (this.state !== 'closed') throw new Error('no')
    this.state = 'open'
  }

  leave() {
    LEAVE
  }
STEPS}
"""
# What nobody runs may be run by others.
STEPS = {"shut": "closed", "lock": "locked"}
BASE = ["closed -> open"]


def list_edges(statement: str) -> list[str]:
    named = {name: state for name, state in STEPS.items() if f"{name}()" in statement}
    steps = "".join(
        f"  private {name}() {{ this.state = '{state}' }}\n" for name, state in named.items()
    )
    text = declare({"src/door.ts": DOOR.replace("LEAVE", statement).replace("STEPS", steps)})
    return [line.strip() for line in text.split("\n") if " -> " in line]


@pytest.mark.parametrize(
    ("statement", "edges"),
    [
        ("this.state === 'open' && this.shut()", ["open -> closed"]),
        ("this.state === 'open' && (this.state = 'locked')", ["open -> locked"]),
        ("this.state !== 'open' || this.lock()", ["open -> locked"]),
        ("this.isStuck || this.state !== 'open' || this.lock()", ["open -> locked"]),
        ("this.isStuck ?? this.lock()", ["closed -> locked", "open -> locked"]),
        ("this.state === 'open' ? this.lock() : this.check()", ["open -> locked"]),
        ("this.state === 'closed' ? this.check() : this.shut()", ["open -> closed"]),
        ("this.check(), this.state === 'open' && this.shut()", ["open -> closed"]),
        ("(this.state === 'open' && this.shut())", ["open -> closed"]),
        ("this.state === 'open' && this.isStuck", []),
        ("this.shut() && this.isStuck", ["open -> closed"]),
        ("this.shut() ? 1 : 2", ["open -> closed"]),
        ("this.isStuck + this.shut()", ["open -> closed"]),
    ],
)
def test_it_does_what_it_chooses(statement: str, edges: list[str]) -> None:
    assert sorted(list_edges(statement)) == sorted([*BASE, *edges])
