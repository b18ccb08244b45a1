"""Calls that are there to refuse."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
import { Guard, throwIf, ensure, require } from './guard';
import * as Assert from 'assert';
export enum State { Open = 'open', Shut = 'shut', Gone = 'gone' }
export class Door {
  private state: State = State.Open;
  shut(): void {
    GUARD;
    this.state = State.Shut;
  }
  remove(): void {
    if (this.state === State.Gone) { throw new Error('gone'); }
    this.state = State.Gone;
  }
}
"""


def tell(guard: str) -> str:
    return declare({"house/door.ts": DOOR.replace("GUARD", guard)})


@pytest.mark.parametrize(
    "guard",
    [
        "Guard.against(this.state !== State.Open, 'not open')",
        "throwIf(this.state !== State.Open)",
        "ensure(this.state === State.Open, 'not open')",
        "require(this.state === State.Open)",
        "Guard.isTrue(this.state === State.Open)",
        "await Assert.ensure(!(this.state !== State.Open))",
        "invariant(this.state === State.Open)",
    ],
)
def test_a_condition_is_demanded(guard: str) -> None:
    found = tell(guard)
    assert "requires: door.state = open\n    ensures: door.state = shut" in found
    assert (
        "open -> shut\n        open -> gone\n        shut -> gone\n        terminal: gone" in found
    )


@pytest.mark.parametrize(
    "guard",
    [
        "Guard.againstInvalid(this.state, State.Open)",
        "this.checkRule(new MustBeOpen(this.state))",
        "validate(this.state)",
        "this.state.ensureOpen()",
    ],
)
def test_what_is_handed_the_state_may_refuse_in_any(guard: str) -> None:
    found = tell(guard)
    assert "ensures: door.state = shut" in found
    assert "gone -> shut" not in found
    assert "open -> shut" not in found


@pytest.mark.parametrize(
    "statement",
    [
        "this.emit('shut', this.state)",
        "log(this.state === State.Open)",
        "this.changes.push(this.state)",
    ],
)
def test_what_only_tells_of_the_state_refuses_nothing(statement: str) -> None:
    found = tell(statement)
    assert "gone -> shut" in found
    assert "requires: door.state = open" not in found


@pytest.mark.parametrize(
    "statement",
    [
        "metrics.check(this.state === State.Open)",
        "this.metrics.check(this.state === State.Open)",
        "log.expect(this.state === State.Open, 'open')",
        "verify(this.state === State.Open)",
        "this.ensure(this.state === State.Open)",  # of a base class that is not known
    ],
)
def test_what_comes_from_elsewhere_demands_nothing(statement: str) -> None:
    assert "requires: door.state = open" not in tell(statement)


@pytest.mark.parametrize(
    ("guard", "body"),
    [
        ("this.demand(this.state === State.Open)", "if (!is) { throw new Error(); }"),
        ("this.demand(this.state !== State.Open)", "if (is) { throw new Error(); }"),
    ],
)
def test_a_step_that_raises_an_error_demands_a_condition(guard: str, body: str) -> None:
    step = f"  private demand(is: boolean) {{ {body} }}\n  remove()"
    found = declare({"house/door.ts": DOOR.replace("GUARD", guard).replace("  remove()", step)})
    assert "requires: door.state = open\n    ensures: door.state = shut" in found
    assert "gone -> shut" not in found


@pytest.mark.parametrize(
    ("body", "is_demanded"), [("if (!is) { throw new Error(); }", True), ("log(is);", False)]
)
def test_a_function_of_the_file_does_what_its_code_says(body: str, is_demanded: bool) -> None:
    source = DOOR.replace("GUARD", "invariant(this.state === State.Open)")
    found = declare({"house/door.ts": f"{source}\nfunction invariant(is: boolean) {{ {body} }}"})
    assert ("requires: door.state = open" in found) == is_demanded


def test_a_step_does_what_its_code_says() -> None:
    source = DOOR.replace("GUARD", "this.ensure(this.state === State.Open)").replace(
        "  remove()", "  private ensure(is: boolean) { this.asked = is; }\n  remove()"
    )
    assert "requires: door.state = open" not in declare({"house/door.ts": source})
