"""Classes whose objects are states."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.value_classes import name_constant, write_enums
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def write(source: str) -> str:
    written = write_enums(source.encode(), "tree_sitter_typescript", "language_typescript")
    return " ".join(written.decode().split())


@pytest.mark.parametrize(
    "made",
    [
        "static readonly OPEN = new DoorState('open');"
        " static readonly SHUT = new DoorState('shut');",
        "static open() { return new DoorState('open'); }"
        " static shut(): DoorState { return new DoorState('shut'); }",
        "static open = () => new DoorState('open'); static shut = () => new DoorState('shut');",
        "static open() { return DoorState.create('open'); }"
        " static shut() { return new this('shut'); }",
        "static open() { return new DoorState({ value: 'open' }); }"
        " static shut() { return Result.ok(new DoorState({ value: 'shut' })); }",
        "private readonly value: 'open' | 'shut';"
        " static create(value: string) { return make(value); }",
    ],
)  # fmt: skip
def test_a_class_that_makes_its_states_by_name_is_an_enum(made: str) -> None:
    found = write(f"export class DoorState extends Value {{ {made} }}")
    assert found == "export enum DoorState { OPEN = 'open', SHUT = 'shut' }"


def test_its_states_may_be_those_of_an_enum() -> None:
    source = """
    export enum Value { New = 1, InTransit = 2, Done = 3 }
    export class ParcelStatus {
      private constructor(readonly value: Value) {}
      static done() { return new ParcelStatus(Value.Done); }
      static of(value: Value) { return new ParcelStatus(value); }
    }
    """
    assert "enum ParcelStatus { New = 'new', InTransit = 'in_transit', DONE = 'done' }" in write(
        source
    )


def test_another_name_for_a_state_is_no_state() -> None:
    source = """
    class DoorState {
      static open() { return new DoorState('open'); }
      static shut() { return new DoorState('shut'); }
      static first() { return new DoorState('open'); }
    }
    """
    assert "enum DoorState { OPEN = 'open', SHUT = 'shut' }" in write(source)


@pytest.mark.parametrize(
    "source",
    [
        # Values of another sort.
        "class Colour { static RED = new Colour('red'); static BLUE = new Colour('blue'); }",
        # Only one is known.
        "class DoorState { static OPEN = new DoorState('open'); }",
        # What is made by name is something else.
        "class DoorState { static open() { return new Door('open'); }"
        " static shut() { return new Door('shut'); } }",
        "class DoorState { static open(at) { return new DoorState(at); }"
        " static shut(at) { return new DoorState(at); } }",
        # What changes is no state.
        "class DoorState { static OPEN = new DoorState('open');"
        " static SHUT = new DoorState('shut'); count() { this.number += 1; } }",
        # A store of states.
        "class DoorStateStore { private state = 'open'; open() { this.state = 'open'; } }",
    ],
)
def test_what_is_no_state_stays_a_class(source: str) -> None:
    assert write(source) == source


def test_a_constant_is_named_for_its_text() -> None:
    assert [*map(name_constant, ("inTransit", "in-transit", "IN_TRANSIT", "open"))] == [
        "IN_TRANSIT", "IN_TRANSIT", "IN_TRANSIT", "OPEN",
    ]  # fmt: skip


def test_it_is_told_as_an_enum() -> None:
    source = """
    export class DoorState {
      static readonly OPEN = new DoorState('open');
      static readonly SHUT = new DoorState('shut');
      private constructor(readonly value: string) {}
    }
    """
    assert "enum DoorState { open | shut }" in declare({"house/state.ts": source})


@pytest.mark.parametrize(
    "move",
    [
        "advance() { this.status = this.status.next(); }",
        "advance() { const next = this.status.next(); this.status = next; }",
        "advance(text: string) { this.status = OrderStatus.create(text); }",
        "advance(status: OrderStatus) { this.status = status; }",
    ],
)
def test_a_state_that_cannot_be_read_may_follow_on_any(move: str) -> None:
    source = """
    export class OrderStatus {
      private constructor(private readonly value: string) {}
      static open() { return new OrderStatus('open'); }
      static done() { return new OrderStatus('done'); }
      next() { return new OrderStatus(FOLLOWING[this.value]); }
    }
    export class Order {
      private status: OrderStatus = OrderStatus.open();
      finish() {
        if (!this.status.equals(OrderStatus.open())) throw new Error();
        this.status = OrderStatus.done();
      }
    MOVE}
    """
    assert "terminal: done" in declare({"sales/order.ts": source.replace("MOVE", "")})
    assert "terminal" not in declare({"sales/order.ts": source.replace("MOVE", move)})
