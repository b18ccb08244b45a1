"""Enums inside namespaces of TypeScript."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
class Order {
  private _state: Order.State = Order.State.New;
  pay() {
    if (this._state !== Order.State.New) throw new Error('late');
    this._state = Order.State.InWork;
  }
  finish() { this._state = Order.State.Done; }
}
namespace Order {
  export enum State { New = 'new', InWork = 'in-work', Done = 'done' }
  export type Kind = 'small' | 'large';
}
export default Order;
"""


def test_a_class_goes_through_the_states_of_its_namespace() -> None:
    found = declare({"shop/order.ts": ORDER})
    assert "enum OrderState { new | in_work | done }" in found
    assert "new -> in_work" in found
    assert "requires: order.state = new\n    ensures: order.state = in_work" in found


def test_a_file_that_imports_the_class_has_its_enum_too() -> None:
    bill = (
        "import Bought from '../shop/order';\nexport class Bill { id: string; of: Bought.State; }"
    )
    found = declare({"shop/order.ts": ORDER, "bills/bill.ts": bill})
    assert "of: shop/OrderState" in found


def test_a_union_of_texts_and_a_namespace_in_another_are_read() -> None:
    text = "export namespace A { namespace B { export type Kind = 'one' | 'two'; } }"
    assert "enum ABKind { one | two }" in declare({"shop/a.ts": text})


def test_a_module_of_another_package_is_none_of_the_file() -> None:
    text = "declare module 'express' { export enum State { New, Done } }"
    assert "enum" not in declare({"shop/a.ts": text})


LOCK = """
export class Lock {
  private state = State.Free;
  take(): void {
    if (this.state >= State.Waiting) throw new Error('taken');
    this.state = State.Waiting;
  }
  hold(): void { this.state = State.Held; }
  drop(): void {
    if (this.state < State.Held) return;
    this.state = State.Free;
  }
}
"""
NUMBERS = ["Free, Waiting, Held", "Free = 1, Waiting, Held", "Free = 0, Waiting = 10, Held = 20"]


@pytest.mark.parametrize("members", NUMBERS)
def test_members_that_are_numbers_have_their_order(members: str) -> None:
    for head in ("enum", "const enum"):
        found = declare({"net/lock.ts": f"{head} State {{ {members} }}\n{LOCK}"})
        assert "        free -> waiting\n" in found
        assert "        held -> free\n" in found
        assert "        waiting -> free\n" not in found


def test_they_have_it_in_other_files_as_well() -> None:
    parts = {
        "net/state.ts": f"export enum State {{ {NUMBERS[0]} }}",
        "net/lock.ts": f"import {{ State }} from './state';\n{LOCK}",
    }
    found = declare(parts)
    assert "        free -> waiting\n" in found
    assert "        waiting -> free\n" not in found


@pytest.mark.parametrize(
    "members",
    [
        "Free = 'a', Waiting = 'b', Held = 'c'",
        "Free = 1 << 0, Waiting = 1 << 1, Held = 1 << 2",
        "Free = -1, Waiting = 0, Held = 1",
        "Free = 1, Waiting = 1, Held = 2",
    ],
)
def test_others_have_none(members: str) -> None:
    found = declare({"net/lock.ts": f"enum State {{ {members} }}\n{LOCK}"})
    assert "        free -> waiting\n" not in found


PLAYER = """
namespace app.music {
  export type Playing = 'play' | 'stop' | 'loop';
  enum Level { Idle, Asked, Loud }
  export class Player {
    private level = Level.Idle;
    protected _state: Playing = 'stop';
    stop() { if (this._state === 'stop') { return; } this._state = 'stop'; }
    start() { if (this._state !== 'stop') { return; } this._state = 'play'; }
    again() { if (this._state === 'play') { this._state = 'loop'; } }
    ask() { if (this.level !== Level.Idle) { throw new Error(); } this.level = Level.Asked; }
    shout() { if (this.level === Level.Asked) { this.level = Level.Loud; } }
  }
}
"""


def test_a_class_in_a_namespace_has_the_types_beside_it() -> None:
    found = declare({"sim/player.ts": PLAYER})
    assert "entity Player {" in found
    assert "idle -> asked\n        asked -> loud\n        terminal: loud" in found
    assert "play -> stop\n        play -> loop\n        stop -> play\n" in found
    assert "requires: player.level = idle\n    ensures: player.level = asked" in found


def test_what_is_only_said_to_exist_or_is_there_twice_is_left_out() -> None:
    said = PLAYER.replace("namespace", "declare namespace")
    assert "entity" not in declare({"sim/player.ts": said})
    twice = PLAYER + PLAYER.replace("app.music", "app.film")
    assert "entity" not in declare({"sim/player.ts": twice})


def test_a_class_that_asks_for_single_bits_has_no_transitions() -> None:
    asked = PLAYER.replace("this.level !== Level.Idle", "!(this.level & Level.Idle)")
    found = declare({"sim/player.ts": asked})
    assert "asked -> loud" not in found
    assert "play -> loop" in found
