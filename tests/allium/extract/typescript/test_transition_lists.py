"""Lists of transitions as javascript-state-machine has them."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

WATER = """
import StateMachine from 'javascript-state-machine';
const water = new StateMachine({
  init: 'solid',
  transitions: [
    { name: 'melt', from: 'solid', to: 'liquid' },
    { name: 'boil', from: ['liquid', SOLID], to: 'gas' },
    { name: 'reset', from: '*', to: 'solid' },
    { name: 'look', from: 'gas' },
  ],
});
const SOLID = 'solid';
"""


def list_edges(text: str) -> list[str]:
    found = declare({"lab/water.js": text})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_each_transition_moves_its_machine() -> None:
    assert list_edges(WATER) == [
        "solid -> liquid", "solid -> gas", "liquid -> solid", "liquid -> gas", "gas -> solid",
    ]  # fmt: skip
    found = declare({"lab/water.js": WATER})
    assert (
        "rule WaterReset {\n    when: ResetWater(water)\n    ensures: water.state = solid" in found
    )
    assert (
        "rule WaterLook {\n    when: LookWater(water)\n    requires: water.state = gas\n}" in found
    )


@pytest.mark.parametrize("value", ["(to) => to", "read()"])
def test_a_transition_that_nobody_knows_is_none(value: str) -> None:
    text = WATER.replace("to: 'gas'", f"to: {value}")
    assert "rule WaterBoil" not in declare({"lab/water.js": text})
    assert "rule WaterMelt" in declare({"lab/water.js": text})


@pytest.mark.parametrize("old", ["transitions: [", "new StateMachine({"])
def test_a_machine_with_other_transitions_is_left_out(old: str) -> None:
    assert declare({"lab/water.js": WATER.replace(old, f"{old} ...others,")}) == ""
