"""Operations that change their object only by others of its operations."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import ORDER, declare, declare_python

# An order that is new, paid or shipped; ``_pay`` demands that it is new.
STEPS = ORDER.replace("def pay", "def _pay")
SETTLE = """
    def settle(self):
        print("settling")
        self._pay(3)
"""


def read_rule_text(found: str, name: str) -> str:
    """The lines of one rule."""
    return found.partition(f"rule {name} {{\n")[2].partition("}")[0]


def test_what_runs_another_operation_leads_to_its_rule() -> None:
    found = declare_python(STEPS + SETTLE)
    assert read_rule_text(found, "OrderSettle") == (
        "    when: SettleOrder(order)\n    ensures: PayOrder(order: order, amount: 3)\n"
    )


def test_what_demands_a_state_and_runs_another_operation_leads_to_it() -> None:
    guard = "        if self.status != Status.NEW:\n            raise ValueError\n"
    found = declare_python(STEPS + SETTLE.replace("(self):\n", f"(self):\n{guard}"))
    assert read_rule_text(found, "OrderSettle") == (
        "    when: SettleOrder(order)\n    requires: order.status = new\n"
        "    ensures: PayOrder(order: order, amount: 3)\n"
    )


@pytest.mark.parametrize(
    ("head", "run", "said"),
    [
        # What only may run it is no effect.
        ("def settle", "if work(): self._pay(3)", ""),
        # A step is a part of what runs it, and says what it demands.
        ("def _settle", "self._pay(3)", ""),
        # What it does itself is enough.
        ("def settle", "self.total = 9\n        self._pay(3)", "    ensures: order.total = 9\n"),
    ],
)
def test_what_demands_a_state_says_no_more_than_is_sure(head: str, run: str, said: str) -> None:
    guard = "        if self.status != Status.NEW:\n            raise ValueError\n"
    code = SETTLE.replace("(self):\n", f"(self):\n{guard}").replace("def settle", head)
    found = declare_python(STEPS + code.replace("self._pay(3)", run))
    assert read_rule_text(found, "OrderSettle") == (
        f"    when: SettleOrder(order)\n    requires: order.status = new\n{said}"
    )


def test_a_step_beside_an_operation_of_its_name_has_another_one() -> None:
    found = declare_python(STEPS + SETTLE.replace("def settle", "def pay"))
    assert read_rule_text(found, "OrderPay") == (
        "    when: PayOrder(order)\n    ensures: DoPayOrder(order: order, amount: 3)\n"
    )
    assert "when: DoPayOrder(order, amount)" in read_rule_text(found, "OrderDoPay")


def test_what_only_may_run_it_says_so_in_prose() -> None:
    found = declare_python(STEPS + SETTLE.replace("self._pay(3)", "if work(): self._pay(3)"))
    assert read_rule_text(found, "OrderSettle") == (
        "    when: SettleOrder(order)\n    @guidance\n        -- May lead to PayOrder.\n"
    )


def test_a_step_that_runs_another_one_is_none() -> None:
    again = """
    def _settle_soon(self):
        self._pay(3)

    def begin(self):
        self._settle_soon()
"""
    found = declare_python(STEPS + again)
    assert "SettleSoon" not in found
    # It may be given anything there, and it may not come to it.
    said = "    when: BeginOrder(order)\n    @guidance\n        -- May lead to PayOrder.\n"
    assert read_rule_text(found, "OrderBegin") == said


def test_steps_that_run_each_other_come_to_an_end() -> None:
    again = """
    def _settle(self):
        self._wait()

    def _wait(self):
        self._settle()
        self._pay(3)

    def begin(self):
        self._settle()
"""
    assert "May lead to PayOrder." in read_rule_text(declare_python(STEPS + again), "OrderBegin")


def test_what_is_special_is_no_step() -> None:
    found = declare_python(STEPS + SETTLE.replace("def settle(self)", "def __exit__(self, *error)"))
    assert "ensures: PayOrder(order: order, amount: 3)" in read_rule_text(found, "OrderExit")


def test_what_the_other_one_is_given_is_said_where_the_language_can() -> None:
    taking = """
    def _take(self, note: str):
        if self.status != Status.NEW:
            raise ValueError
        self.note = note
        self.status = Status.PAID

    def take_some(self):
        self._take("some")

    def take_any(self):
        self._take(read_note())
"""
    head = STEPS.replace("    def _pay", '    note: str = ""\n\n    def _pay', 1)
    found = declare_python(head + taking)
    assert 'ensures: TakeOrder(order: order, note: "some")' in read_rule_text(
        found, "OrderTakeSome"
    )
    assert "May lead to TakeOrder." in read_rule_text(found, "OrderTakeAny")


@pytest.mark.parametrize(
    "code",
    [
        # What is named for a question is none.
        SETTLE.replace("def settle", "def is_settled"),
        # Another object's.
        SETTLE.replace("self._pay(3)", "other._pay(3)"),
        # What only prepares it.
        SETTLE.replace("self._pay(3)", "return self._pay"),
        # A public operation says it itself.
        SETTLE.replace("self._pay(3)", "self.ship()"),
        # It changes nothing.
        SETTLE.replace("self._pay(3)", "self.print()") + "\n    def print(self):\n        pass\n",
    ],
)
def test_nothing_else_is_a_rule(code: str) -> None:
    assert "ettle" not in declare_python(STEPS + code)


def test_a_coroutine_is_run_where_it_is_awaited() -> None:
    order = STEPS.replace("def _pay", "async def _pay")
    assert order != STEPS
    assert "ettle" not in declare_python(order + SETTLE)
    awaited = SETTLE.replace("def settle", "async def settle").replace(
        "self._pay", "await self._pay"
    )
    assert "ensures: PayOrder(order: order, amount: 3)" in declare_python(order + awaited)


@pytest.mark.skipif(not is_available(), reason="no grammar of TypeScript")
def test_it_is_the_same_in_typescript() -> None:
    found = declare({
        "door.ts": """
            enum State { Open = "open", Shut = "shut" }
            export class Door {
                state: State = State.Shut;
                _open() {
                    if (this.state !== State.Shut) throw new Error();
                    this.state = State.Open;
                }
                _shut() { this.state = State.Shut; }
                air() {
                    this._open();
                    this._shut();
                }
            }
        """
    })  # fmt: skip
    assert read_rule_text(found, "DoorAir") == (
        "    when: AirDoor(door)\n"
        "    ensures: OpenDoor(door: door)\n"
        "    ensures: ShutDoor(door: door)\n"
    )


def test_a_step_that_a_block_is_in_is_led_to() -> None:
    source = """
from contextlib import contextmanager

class Pump:
    IDLE = "idle"
    BUSY = "busy"

    def __init__(self):
        self.state = self.IDLE

    @contextmanager
    def _hold(self, speed):
        if self.state != self.IDLE:
            raise ValueError
        self.state = self.BUSY
        yield
        self.state = self.IDLE

    def work(self):
        with self._hold(self.speed):
            self.run()
"""
    assert "May lead to HoldPump." in declare_python(source).partition("rule PumpWork {")[2]


def test_what_gives_something_is_one_where_a_step_refuses_it() -> None:
    asked = SETTLE.replace("settle", "get_total")
    told = read_rule_text(declare_python(STEPS + asked), "OrderGetTotal")
    assert "ensures: PayOrder(order: order, amount: 3)\n" in told
    assert "IsSettled" not in declare_python(STEPS + SETTLE.replace("settle", "is_settled"))


def test_what_goes_through_the_steps_of_another_one_leads_to_its_rule() -> None:
    code = (
        STEPS
        + """
    def settle(self):
        for each in self._pay(3):
            print(each)
"""
    )
    assert read_rule_text(declare_python(code), "OrderSettle") == (
        "    when: SettleOrder(order)\n    ensures: PayOrder(order: order, amount: 3)\n"
    )


HANDLER = """
export enum Phase { Calling, Sent, Ready }
export class Socket {
  private phase = Phase.Calling;
  constructor(stream: Stream) {
    stream.on('connect', this._onConnect.bind(this));
  }
  private _onConnect() {
    if (this.isCaller) this._call();
  }
  private _call() { this.write(); this.phase = Phase.Sent; }
  end() { if (this.phase === Phase.Sent) this.phase = Phase.Ready; }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_private_method_that_events_run_is_an_operation() -> None:
    found = declare({"net/socket.ts": HANDLER})
    assert "May lead to CallSocket." in read_rule_text(found, "SocketOnConnect")


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_the_class_runs_itself_too_is_a_step() -> None:
    called = HANDLER.replace("end() {", "open() { this._onConnect(); }\n  end() {")
    assert "rule SocketOnConnect" not in declare({"net/socket.ts": called})
    handed = HANDLER.replace("this._onConnect.bind(this)", "() => this.open()")
    handed = handed.replace("end() {", "open() { this._onConnect(); }\n  end() {")
    assert "rule SocketOnConnect" not in declare({"net/socket.ts": handed})


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_only_picks_events_leaves_it_to_its_step() -> None:
    picking = HANDLER.replace("this.isCaller", "event.isOpen")
    picking = picking.replace("_onConnect()", "_onConnect(event)")
    assert "rule SocketOnConnect" not in declare({"net/socket.ts": picking})


HANDED = (
    STEPS
    + """
    def wait(self):
        self._timer = start_timer(3, self._give_up)

    def _give_up(self):
        self._timer = None
        if self.status != Status.NEW:
            return
        self._pay(0)
"""
)


def test_what_a_timer_is_given_leads_to_the_step_that_it_runs() -> None:
    assert "PayOrder" in read_rule_text(declare_python(HANDED), "OrderGiveUp")


def test_what_is_called_as_well_as_handed_on_is_a_step() -> None:
    called = HANDED + "\n    def stop(self):\n        self._give_up()\n"
    assert "rule OrderGiveUp" not in declare_python(called)
