"""Fields of TypeScript that hold one of several objects."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

BREAKER = """
export enum Circuit { Closed, Open, HalfOpen }
type Inner =
  | { value: Circuit.Closed }
  | { value: Circuit.Open; since: number }
  // after a while
  | { value: Circuit.HalfOpen; since: number };
export class Breaker {
  private inner: Inner = { value: Circuit.Closed };
  open() {
    if (this.inner.value === Circuit.Open) { return; }
    this.inner = { value: Circuit.Open, since: Date.now() };
  }
  attempt() {
    const inner = this.inner;
    switch (inner.value) {
      case Circuit.Open:
        const half: Inner = { value: Circuit.HalfOpen, since: inner.since };
        this.inner = half;
        return this.go();
      default:
        throw new Error('not open');
    }
  }
  close() {
    if (this.state !== Circuit.HalfOpen) { throw new Error(); }
    this.inner = { value: Circuit.Closed };
  }
  get state(): Circuit { return this.inner.value; }
}
"""


def test_the_member_that_tells_the_objects_apart_is_the_state() -> None:
    found = declare({"net/breaker.ts": BREAKER})
    assert (
        "entity Breaker {\n    inner: Circuit\n\n    transitions inner {\n        closed -> open\n"
        "        open -> half_open\n        half_open -> closed\n        half_open -> open" in found
    )
    assert "requires: breaker.inner = half_open\n    ensures: breaker.inner = closed" in found


def test_the_objects_may_be_written_at_the_field_and_be_told_apart_by_texts() -> None:
    found = declare(
        {
            "work/queue.ts": """
export class Queue {
  private state: { kind: 'idle'; size: 0 } | { kind: 'busy'; job: Job } = { kind: 'idle', size: 0 };
  work(job: Job) {
    if (this.state.kind === 'busy') throw new Error('busy');
    this.state = { kind: 'busy', job };
  }
  done() { this.state = { kind: 'idle', size: 0 }; }
}
"""
        }
    )
    assert "state: idle | busy" in found
    assert "idle -> busy\n        busy -> idle" in found


@pytest.mark.parametrize(
    "kind",
    [
        "{ value: Circuit.Closed } | { since: number }",
        "{ value: Circuit.Closed } | { value: Circuit.Closed; since: number }",
        "{ value: Circuit.Closed } | { value: 'open' }",
        "{ value: Circuit.Closed } | string",
    ],
)
def test_objects_that_no_member_tells_apart_are_no_states(kind: str) -> None:
    start, end = BREAKER.index("type Inner"), BREAKER.index("export class")
    text = f"{BREAKER[:start]}type Inner = {kind};\n{BREAKER[end:]}"
    assert "->" not in declare({"net/breaker.ts": text})


def test_an_object_from_elsewhere_leads_to_no_state_that_is_known() -> None:
    text = BREAKER.replace("this.inner = half;", "this.inner = this.next();")
    assert "open -> half_open" not in declare({"net/breaker.ts": text})


SOCKET = """
export enum Status { Opening, Open, Paused, Waiting, Closed }
interface Base { url: string; }
export interface OpeningState extends Base { status: Status.Opening; }
export interface OpenState extends Base { status: Status.Open; socket: Socket; }
interface StillState { status: Status.Paused | Status.Waiting; }
type ClosedByUs = { status: Status.Closed; reason: 'us' };
type ClosedByThem = StillBase & { status: Status.Closed };
type ClosedState = ClosedByUs | ClosedByThem;
export type SocketState = OpeningState | OpenState | StillState | ClosedState;
export class Connection {
  private _state: SocketState;
  constructor(url: string) { this._state = { status: Status.Opening, url }; }
  get state() { return this._state; }
  private set state(next: SocketState) {
    const previous = this._state;
    if (previous.status !== next.status) { this.emit('change', next); }
    this._state = next;
  }
  onOpen(socket: Socket) {
    if (this.state.status !== Status.Opening) { return; }
    this.state = { ...this.state, status: Status.Open, socket };
  }
  pause() {
    if (this.state.status !== Status.Open) { return false; }
    this.state = { status: Status.Paused };
    return true;
  }
  wait() {
    const { state } = this;
    if (state.status === Status.Paused) { this.state = { ...state, status: Status.Waiting }; }
  }
  close() {
    if (this.state.status === Status.Closed) { throw new Error('closed'); }
    this.state = { ...this.state, status: Status.Closed };
  }
}
"""


def test_the_objects_may_have_names_and_be_set_behind_an_accessor() -> None:
    found = declare({"net/socket.ts": SOCKET})
    assert (
        "transitions state {\n        opening -> open\n        opening -> closed\n"
        "        open -> paused\n        open -> closed\n        paused -> waiting\n"
        "        paused -> closed\n        waiting -> closed" in found
    )
    assert "requires: connection.state = opening\n    ensures: connection.state = open" in found


@pytest.mark.parametrize(("spread", "is_kept"), [("...this.state", True), ("...before", False)])
def test_what_has_all_of_the_object_before_keeps_the_state(spread: str, is_kept: bool) -> None:
    given = "this.state = { status: Status.Paused };"
    asked = f"if (this.state.status === Status.Open) {{ {given} }}"
    text = SOCKET.replace(given, f"this.state = {{ {spread}, since: 1 }}; {asked}")
    paused = "requires: connection.state = open\n    ensures: connection.state = paused"
    assert (paused in declare({"net/socket.ts": text})) == is_kept


def test_what_another_object_may_have_instead_is_not_known() -> None:
    text = SOCKET.replace(
        "{ ...this.state, status: Status.Open, socket }", "{ status: Status.Open, ...given }"
    )
    assert "opening -> open" not in declare({"net/socket.ts": text})
    assert "opening -> open" not in declare(
        {"net/socket.ts": SOCKET.replace("StillState |", "Elsewhere |")}
    )


@pytest.mark.parametrize("mark", ["private ", "readonly ", ""])
def test_a_constructor_may_be_given_the_object(mark: str) -> None:
    source = f"""
    type State = {{ tag: 'draft' }} | {{ tag: 'signed'; at: Date }} | {{ tag: 'over' }};
    export class Contract {{
      constructor({mark}state: State) {{}}
      sign(at: Date) {{
        if (this.state.tag !== 'draft') {{ throw new Error('signed'); }}
        this.state = {{ tag: 'signed', at }};
      }}
      end() {{
        if (this.state.tag !== 'signed') {{ throw new Error('not signed'); }}
        this.state = {{ tag: 'over' }};
      }}
    }}
    """
    found = declare({"law/contract.ts": source})
    assert ("draft -> signed\n        signed -> over\n        terminal: over" in found) is bool(
        mark
    )
