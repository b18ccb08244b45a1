"""Statements of TypeScript that fail where a condition does not hold."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
export enum State { Open, Shut }
export class Door {
  private state: State = State.Open;
  shut(): void { ASSERTED; this.state = State.Shut; }
}
"""


@pytest.mark.parametrize(
    ("asserted", "is_demanded"),
    [
        ("assert(this.state === State.Open)", True),
        ("assert.strictEqual(this.state, State.Open)", True),
        ("invariant(this.state === State.Open)", True),
        ("Assert.assertTrue(this.state === State.Open)", True),
        ("metrics.assertTrue(this.state === State.Open)", False),
    ],
)
def test_they_demand_it(asserted: str, is_demanded: bool) -> None:
    found = declare({"house/door.ts": DOOR.replace("ASSERTED", asserted)})
    assert ("requires: door.state = open" in found) == is_demanded


@pytest.mark.parametrize(
    "own", ["function assert(is: boolean) { log(is); }", "const assert = (is: boolean) => log(is);"]
)
def test_a_function_of_the_file_does_what_its_code_says(own: str) -> None:
    source = DOOR.replace("ASSERTED", "assert(this.state === State.Open)")
    assert "requires" not in declare({"house/door.ts": source + own})
