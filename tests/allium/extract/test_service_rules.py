"""Functions, and methods of services, that move the states of entities in other files."""

import textwrap

import pytest

from git_retcon.allium.extract.service_rules import ServiceRules
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import ORDER, Sources, declare

MODELS = """\
    from django.db import models

    class Order(models.Model):
        class Status(models.TextChoices):
            NEW = "new"
            PAID = "paid"
            SHIPPED = "shipped"
        status = models.CharField(max_length=9, choices=Status.choices, default=Status.NEW)
        is_open = models.BooleanField(default=True)
        total = models.IntegerField()
    """
PAY = """\
rule OrderPay {
    when: PayOrder(order)
    requires: order.status = new
    ensures: order.status = paid
}"""


def declare_files(files: dict[str, str]) -> str:
    return declare({path: textwrap.dedent(text) for path, text in files.items()})


def declare_machine(models: str, code: str) -> str:
    head = "from .models import Order\n\n"
    return declare_files(
        {"shop/models.py": models, "shop/services.py": head + textwrap.dedent(code)}
    )


def declare_service(code: str) -> str:
    return declare_machine(MODELS, code)


def test_a_flag_that_is_stored() -> None:
    found = declare_service("def close(order: Order):\n    order.is_open = False\n")
    assert (
        "rule OrderClose {\n    when: CloseOrder(order)\n    ensures: order.is_open = false\n}"
        in found
    )


def test_a_flag_or_what_is_missing_may_refuse() -> None:
    models = MODELS.rstrip(" ") + "        paid_at = models.DateTimeField(null=True)\n"
    found = declare_machine(
        models,
        """
        def send(order: Order):
            if not order.is_open:
                raise ValueError
            if order.paid_at is None:
                raise ValueError
            mail(order)

        def limit(order: Order):
            if order.total > 3:
                raise ValueError
            mail(order)
        """,
    )
    assert "requires: order.is_open\n    requires: order.paid_at != null" in found
    assert "Limit" not in found


SERVER = """
from .base import Base

class Server(Base):
    async def send(self, data):
        if self._is_closed:
            raise ConnectionError
        await self._write(data)

    def close(self):
        self._is_closed = True
"""


def test_a_class_switches_the_flag_that_it_has_from_a_base_class_in_another_file() -> None:
    base = """
        class Base:
            def __init__(self):
                self._is_closed = False

            def run(self):
                while not self._is_closed:
                    self.turn()

            def open(self):
                self._is_closed = False
        """
    found = declare_files({"net/base.py": base, "net/server.py": SERVER})
    assert "requires: not server.is_closed" in found
    assert "ensures: server.is_closed = true" in found
    # A flag by which nothing goes on may be a setting.
    found = declare_files({"net/base.py": base.replace("while", "if"), "net/server.py": SERVER})
    assert "ensures: server.is_closed" not in found


BASE = """
class Base:
    def __init__(self, url):
        self.url = url
        self._state = "closed"
"""
CLIENT = """
from .base import Base

class Client(Base):
    def open(self):
        if self._state != "closed":
            raise ConnectionError
        self._state = "open"

    def close(self):
        if self._state == "open":
            self._state = "closed"
"""


def test_a_class_moves_the_state_that_a_base_class_in_another_file_begins() -> None:
    found = declare_files({"net/base.py": BASE, "net/client.py": CLIENT})
    assert "    state: closed | open\n" in found
    assert "        closed -> open\n        open -> closed\n" in found
    assert "    requires: client.state = closed\n    ensures: client.state = open\n" in found
    assert found == declare_files({"net/client.py": CLIENT, "net/base.py": BASE})
    # The same in one file.
    assert "closed -> open" in declare_files({"net/all.py": BASE + CLIENT.replace("from", "#")})


@pytest.mark.parametrize(
    ("base", "client"),
    [
        (BASE + "\n    def turn(self, state):\n        self._state = state\n", CLIENT),
        (BASE.replace('"closed"', "url"), CLIENT),
        (BASE, CLIENT + "\n    def turn(self, state):\n        self._state = state\n"),
        # What is asked for comes from elsewhere.
        (BASE, CLIENT.replace('!= "closed"', '== "lost"')),
        (BASE.replace("class Base", "class Other"), CLIENT),
    ],
    ids=["set", "begun", "set-here", "asked", "no-base"],
)
def test_a_state_that_a_base_class_may_set_to_anything_is_none(base: str, client: str) -> None:
    assert "->" not in declare_files({"net/base.py": base, "net/client.py": client})


def test_a_class_that_functions_import_for_themselves_is_known_to_others() -> None:
    code = """
        def find(number):
            from .models import Order
            return Order.objects.get(pk=number)

        def pay(order):
            if order.status == "new":
                order.status = "paid"
        """
    files = {"shop/models.py": MODELS, "shop/services.py": code}
    assert "if order.status = new: order.status = paid" in declare_files(files)


def test_a_class_that_a_file_has_itself_hides_what_a_function_imports() -> None:
    code = """
        class Order:
            pass

        def find(number):
            from .models import Order
            return Order.objects.get(pk=number)

        def pay(order: Order):
            order.status = "paid"
        """
    assert "Pay" not in declare_files({"shop/models.py": MODELS, "shop/services.py": code})


def test_what_has_one_value_by_all_operations_is_no_state() -> None:
    found = declare_machine(MODELS, SHIP)
    assert "rule OrderShip" in found
    assert "transitions" not in found and "open question" not in found


MACHINE = (
    MODELS
    + """
        def pay(self):
            if self.status != self.Status.NEW:
                raise ValueError
            self.status = self.Status.PAID
"""
)
SHIP = """\
    def ship(order: Order):
        if order.status != Order.Status.PAID:
            raise ValueError
        order.status = Order.Status.SHIPPED
    """


def test_the_entity_has_the_transitions_that_services_make_beside_its_own() -> None:
    found = declare_machine(MACHINE, SHIP)
    assert "        new -> paid\n        paid -> shipped\n        terminal: shipped\n" in found


def test_states_that_nothing_enters_are_a_question() -> None:
    """Operations of other classes may be anywhere."""
    lose = SHIP.replace("ship(", "lose(").replace("= Order.Status.SHIPPED", "= Order.Status.LOST")
    found = declare_machine(MODELS.replace("SHIPPED =", 'LOST = "lost"\n            SHIPPED ='),
                            textwrap.dedent(SHIP) + textwrap.dedent(lose))  # fmt: skip
    assert "transitions" not in found
    assert "no operation here leads to or from new, paid. What does?" in found


def test_what_a_table_of_transitions_does_not_have_is_no_rule() -> None:
    table = """
        ALLOWED = {
            Status.NEW: {Status.PAID},
            Status.PAID: {Status.SHIPPED},
            Status.SHIPPED: set(),
        }

        def may_become(self, new):
            return new in self.ALLOWED[self.status]
    """
    code = """\
        def take_back(order: Order):
            if order.status != Order.Status.SHIPPED:
                raise ValueError
            order.status = Order.Status.NEW

        def ship(order: Order):
            if order.status != Order.Status.PAID:
                raise ValueError
            order.status = Order.Status.SHIPPED
        """
    found = declare_machine(MODELS + table, code)
    assert "paid -> shipped" in found and "OrderShip" in found and "TakeBack" not in found


BASE_JOB = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    NEW = 1
    RUNNING = 2
    DONE = 3

@dataclass
class Job:
    id: int
    status: Status = Status.NEW
    is_paused: bool = False
"""
BACKUP = """
from shop.base import Job, Status

class Backup(Job):
    def start(self):
        if self.status != Status.NEW:
            raise ValueError
        self.status = Status.RUNNING

    def finish(me):
        if me.status == Status.RUNNING:
            me.status = Status.DONE

    def pause(self):
        self.is_paused = True

    @classmethod
    def reset(cls):
        cls.status = Status.NEW
"""


def test_a_class_moves_the_state_that_it_has_from_a_base_class_in_another_file() -> None:
    told = declare({"shop/base.py": BASE_JOB, "shop/backup.py": BACKUP})
    assert "new -> running\n        running -> done\n        terminal: done\n" in told
    assert (
        "rule BackupStart {\n    when: StartBackup(backup)\n    requires: backup.status = new\n"
        "    ensures: backup.status = running\n}" in told
    )
    assert "rule BackupFinish {\n    when: FinishBackup(backup)\n" in told
    assert "BackupReset" not in told
    assert "BackupPause" not in told


def test_the_values_may_be_written_at_the_field_of_the_base_class() -> None:
    base = "class Job:\n    id: int\n    status: Literal['new', 'running', 'done'] = 'new'\n"
    heir = BACKUP.replace(", Status", "")
    for name in ("NEW", "RUNNING", "DONE"):
        heir = heir.replace(f"Status.{name}", f"'{name.lower()}'")
    files = {"shop/base.py": f"from typing import Literal\n{base}", "shop/backup.py": heir}
    assert "new -> running\n        running -> done\n" in declare(files)


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_class_of_typescript_moves_the_state_of_its_base_class_too() -> None:
    base = """
export enum Status { NEW = 'new', RUNNING = 'running', DONE = 'done' }
export class Job {
  id: number;
  protected status: Status = Status.NEW;
  cancel() { this.status = Status.DONE; }
}
"""
    heir = """
import { Job, Status } from './base';
export class Backup extends Job {
  constructor() {
    super();
    this.status = Status.DONE;
  }
  start() {
    if (this.status !== Status.NEW) { throw new Error('late'); }
    this.status = Status.RUNNING;
  }
  finish() {
    if (this.status === Status.RUNNING) { this.status = Status.DONE; }
  }
}
"""
    told = declare({"shop/base.ts": base, "shop/backup.ts": heir})
    assert "BackupConstructor" not in told
    assert (
        "entity Backup {\n    id: Decimal\n    status: Status\n\n    transitions status {\n" in told
    )
    assert (
        "rule BackupStart {\n    when: StartBackup(backup)\n    requires: backup.status = new\n"
        "    ensures: backup.status = running\n}" in told
    )


STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"
"""
ORDER_OF_STATUS = """
from dataclasses import dataclass
from shop.status import Status

@dataclass
class Order:
    id: int
    status: Status = Status.NEW

    def pay(self):
        if self.status in (Status.PAID, Status.SHIPPED):
            raise ValueError
        self.status = Status.PAID

    def ship(self):
        if self.status != Status.PAID:
            return
        self.status = Status.SHIPPED

    def _reset(self):
        if self.status == Status.SHIPPED:
            raise ValueError
        self.status = Status.NEW
"""
ORDER_IN_TYPESCRIPT = """
import { Status } from './status';
export class Order {
  id: string;
  status: Status;
  pay() {
    if (this.status === Status.PAID || this.status == Status.SHIPPED) throw new Error();
    this.status = Status.PAID;
  }
  isPaid() {
    return this.status === Status.PAID;
  }
  ship() {
    if (this.status !== Status.PAID) return;
    this.status = Status.SHIPPED;
  }
  private reset() {
    if (this.status === Status.SHIPPED) throw new Error();
    this.status = Status.NEW;
  }
}
"""
GRAPH = """
    transitions status {
        new -> paid
        paid -> new
        paid -> shipped
        terminal: shipped
    }
"""
SHIPS = """
rule OrderShip {
    when: ShipOrder(order)
    requires: order.status = paid
    ensures: order.status = shipped
}
"""


def test_a_class_moves_between_the_states_of_an_enum_in_another_file() -> None:
    found = declare({"shop/status.py": STATUS, "shop/order.py": ORDER_OF_STATUS})
    assert GRAPH in found
    assert SHIPS in found
    assert found.count("rule OrderShip") == 1


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_class_of_typescript_does_so_too() -> None:
    status = "export enum Status { NEW = 'new', PAID = 'paid', SHIPPED = 'shipped' }"
    found = declare({"src/status.ts": status, "src/order.ts": ORDER_IN_TYPESCRIPT})
    assert GRAPH in found
    assert SHIPS in found
    assert found.count("rule OrderShip") == 1
    guard = "(this.status !== Status.PAID) return"
    by_method = ORDER_IN_TYPESCRIPT.replace(guard, "(!this.isPaid()) return")
    assert by_method != ORDER_IN_TYPESCRIPT
    assert GRAPH in declare({"src/status.ts": status, "src/order.ts": by_method})


CLIENT_IN_TYPESCRIPT = """
import { State } from './state';
export class Client extends EventEmitter {
  private state: State = State.Idle;
  open() {
    if (!this._move(State.Open)) { throw new Error('no'); }
  }
  async close() {
    const moved = await this._move(State.Closed);
    return moved;
  }
  private _move(next: State): boolean {
    const refuse = () => { throw new Error(`no ${next}`); };
    switch (this.state) {
      case State.Idle:
        if (next !== State.Open) { refuse(); }
        break;
      case State.Open:
        if (next !== State.Closed) { refuse(); }
        break;
      default:
        refuse();
    }
    this.state = next;
    return true;
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_class_of_typescript_moves_by_its_own_method_that_checks_and_sets() -> None:
    state = "export enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }"
    found = declare({"net/state.ts": state, "net/client.ts": CLIENT_IN_TYPESCRIPT})
    assert "idle -> open\n        open -> closed\n        terminal: closed" in found
    assert (
        "rule ClientClose {\n    when: CloseClient(client)\n    requires: client.state = open\n"
        "    ensures: client.state = closed\n}" in found
    )


CHANNEL_IN_TYPESCRIPT = """
import { State } from './state';
export abstract class Channel extends EventEmitter {
  protected _state: State = 'off';
  protected setState(next: State): void {
    if (this._state !== next) { this._state = next; }
  }
}
"""
HEIR_IN_TYPESCRIPT = """
import { Channel } from './channel';
export class Memory extends Channel {
  connect() { this.setState('on'); }
  publish(text: string) {
    if (this._state !== 'on') { throw new Error('off'); }
    this.tell(text);
  }
  disconnect() { this.socket.once('end', () => { this.setState('off'); }); }
}
export class Other extends Channel { publish(text: string) { this.tell(text); } }
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_class_of_typescript_moves_by_a_setter_of_its_base_class() -> None:
    """That it is an entity, only the states in another file tell."""
    files = {
        "net/state.ts": "export type State = 'off' | 'on';",
        "net/channel.ts": CHANNEL_IN_TYPESCRIPT,
        "net/memory.ts": HEIR_IN_TYPESCRIPT,
    }
    found = declare(files)
    assert (
        "entity Memory {\n    state: State\n\n    transitions state {\n        off -> on\n"
        "        on -> off\n    }\n}" in found
    )
    assert "requires: memory.state = on" in found
    assert "Channel" not in found
    assert "Other" not in found


def test_a_private_method_of_a_class_is_an_operation_of_its_own() -> None:
    """Of other classes it is a step, and from which states it comes, they say."""
    lost = ORDER_OF_STATUS + "\n    def _lose(self):\n        self.status = Status.LOST\n"
    sources = Sources({"shop/status.py": STATUS + '    LOST = "lost"\n', "shop/order.py": lost})
    facts = sources.read(b"shop/order.py")
    assert facts is not None
    listed = ServiceRules(sources).list_rules(facts, lambda _: True)
    edges = {each.rule.evidence[0].symbol: each.rule.edges for each in listed}
    assert [each.source for each in edges["Order._lose"]] == ["new", "paid", "shipped"]


def test_a_class_whose_enum_nobody_finds_is_told_by_its_own_file() -> None:
    found = declare({"shop/order.py": ORDER_OF_STATUS})
    assert "rule OrderShip" in found
    assert "transitions" not in found


def test_what_a_class_says_of_states_of_its_own_file_is_surest() -> None:
    """All its methods are known there, such as which flag comes with a state."""
    source = """\
        from django.db import models
        from .kinds import Kind

        class Job(models.Model):
            kind = models.CharField(choices=Kind.choices)
            status = models.CharField(choices=[("new", "New"), ("busy", "Busy"), ("done", "Done")])
            over = models.BooleanField(default=False)

            def finish(self):
                if not self.over:
                    self.status = "busy"
                    self.over = True
                    self.status = "done"
        """
    found = declare_files({"shop/jobs.py": source, "shop/kinds.py": KINDS})
    assert "        new -> busy\n        busy -> done\n        terminal: done\n" in found


KINDS = """\
    from django.db import models

    class Kind(models.TextChoices):
        FAST = "fast"
        SLOW = "slow"
    """


def test_of_two_objects_the_second_is_not_moved_by_a_rule_of_the_first() -> None:
    source = """\
        from django.db import models
        from .kinds import Kind
        from .models import Order

        class Bill(models.Model):
            kind = models.CharField(choices=Kind.choices)
            order = models.ForeignKey(Order, on_delete=models.CASCADE)
            status = models.CharField(choices=[("open", "Open"), ("paid", "Paid")])

            def pay(self):
                if self.status != "open":
                    raise ValueError
                self.status = "paid"
                self.order.status = Order.Status.PAID

        def ship(order: Order):
            order.status = Order.Status.SHIPPED
        """
    found = declare_files(
        {"shop/models.py": MODELS, "shop/bills.py": source, "shop/kinds.py": KINDS}
    )
    assert "        open -> paid\n" in found and "shipped -> paid" not in found


PROCESS = """
from .states import ProcessState

class Process:
    def __init__(self):
        self.state = ProcessState.STOPPED

    def _expect(self, *states):
        if self.state not in states:
            raise RuntimeError

    def _change(self, new):
        old = self.state
        if new is old:
            return
        self.state = new
        self.say(old)

    def start(self):
        self._expect(ProcessState.STOPPED, ProcessState.FATAL)
        self._change(ProcessState.RUNNING)

    def fail(self):
        self._change(ProcessState.FATAL)

    def stop(self):
        self._expect(ProcessState.RUNNING)
        self._change(ProcessState.STOPPED)
"""
STATES = """
class ProcessState:
    STOPPED = 0
    RUNNING = 10
    FATAL = 20
"""


def test_own_methods_check_and_set_states_that_another_file_declares() -> None:
    found = declare_files({"run/states.py": STATES, "run/process.py": PROCESS})
    assert (
        "requires: process.state in {stopped, fatal}\n    ensures: process.state = running" in found
    )
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == [
        "stopped -> running",
        "stopped -> fatal",
        "running -> stopped",
        "running -> fatal",
        "fatal -> running",
    ]


def test_states_of_another_file_count_wherever_an_operation_asks_for_them() -> None:
    states = """\
        class States:
            STOPPED = 0
            STARTING = 10
            RUNNING = 20
            BACKOFF = 30
            STOPPING = 40
        """
    process = """\
        from states import States

        class Process:
            def __init__(self):
                self.state = States.STOPPED
                self.pid = 0

            def change_state(self, state):
                self.state = state

            def _assert_in(self, *states):
                if self.state not in states:
                    raise AssertionError("not now")

            def spawn(self):
                self._assert_in(States.STOPPED, States.BACKOFF)
                self.change_state(States.STARTING)

            def run(self):
                self._assert_in(States.STARTING)
                self.change_state(States.RUNNING)

            def kill(self):
                if self.state == States.BACKOFF:
                    self.change_state(States.STOPPED)
                    return
                if not self.pid:
                    return
                self._assert_in(States.RUNNING, States.STARTING)
                self.change_state(States.STOPPING)
        """
    declared = declare_files({"states.py": states, "process.py": process})
    for edge in ("backoff -> stopped", "starting -> stopping", "running -> stopping"):
        assert f"        {edge}\n" in declared


ASKED = """
rule OrderNotify {
    when: NotifyOrder(order)
    requires: order.status = paid
}"""


@pytest.mark.parametrize("test", ["not order.is_paid()", "order.status != Order.Status.PAID"])
def test_an_object_of_which_something_is_asked_before_all_may_refuse(test: str) -> None:
    method = "        def is_paid(self):\n            return self.status == self.Status.PAID\n"
    asked = f"""
        def notify(order: Order, text):
            if {test}:
                logger.info("not now")
                return
            mail(order, text)
        """
    assert ASKED in declare_machine(f"{MODELS.rstrip(' ')}{method}", asked)


def test_the_enum_that_its_state_is_compared_with_names_an_object() -> None:
    asked = """
        def notify(sender, instance, created=False):
            if created:
                return
            if instance.status != Order.Status.PAID:
                return
            mail(instance)
        """
    assert ASKED in declare_service(asked)
    assert "Notify" not in declare_service(asked.replace("instance.status", "event.status"))
    assert "Notify" not in declare_service(asked.replace("Order.Status.PAID", "sender.status"))


def test_a_question_that_is_not_known_lets_nobody_say_from_which_states_a_method_moves() -> None:
    states = """
        from enum import Enum

        class Power(Enum):
            OFF = 1
            ON = 2

            def may_start(self):
                return ask(self)
        """
    machine = """
        from .states import Power

        class Machine:
            def __init__(self):
                self._power: Power = Power.OFF

            @property
            def power(self):
                return self._power

            def start(self):
                if not self.power.may_start():
                    raise ValueError
                self._power = Power.ON

            def stop(self):
                self._power = Power.OFF
        """
    told = declare_files({"a/states.py": states, "a/machine.py": machine})
    assert "what lets an operation leave off cannot be read. Does any?" in told
    assert "off -> on" not in told
    asked = machine.replace("self.power.may_start()", "self.tool.may_start()")
    assert "off -> on" in declare_files({"a/states.py": states, "a/machine.py": asked})


DOOR = """
from .phase import Phase

class Door:
    def __init__(self):
        self.phase: Phase = Phase.SHUT

    def open(self):
        if self.phase == Phase.OPEN:
            raise ValueError
        self.phase = Phase.OPEN

    def close(self):
        if self.phase != Phase.OPEN:
            raise ValueError
        self.phase = Phase.SHUT
"""


def test_a_class_has_its_own_transitions_by_an_enum_of_another_file() -> None:
    """What nothing enters is only left, as where the enum is beside the class."""
    phase = (
        "from enum import Enum\n\nclass Phase(Enum):\n    SHUT = 1\n    OPEN = 2\n    STUCK = 3\n"
    )
    found = declare({"house/phase.py": phase, "house/door.py": DOOR})
    edges = "        shut -> open\n        open -> shut\n        stuck -> open\n"
    assert edges in found
    beside = declare({"house/door.py": phase + DOOR.replace("from .phase import Phase\n", "")})
    assert edges in beside


STAGE = "export enum Stage { Idle = 'idle', Busy = 'busy', Lost = 'lost', Done = 'done' }\n"
API = """
import { Stage } from './stage';
export class Api {
  stage: Stage;
  constructor() { this.stage = Stage.Idle; }
  start() {
    if (this.stage === Stage.Busy) { throw new Error('busy'); }
    this.stage = Stage.Busy;
  }
  finish() {
    if (this.stage !== Stage.Busy) { throw new Error('idle'); }
    this.stage = Stage.Done;
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_a_class_alone_moves_is_known_wherever_its_states_are() -> None:
    found = declare({"net/stage.ts": STAGE, "net/api.ts": API})
    edges = [line.strip() for line in found.split("\n") if " -> " in line]
    assert edges == ["idle -> busy", "busy -> done", "lost -> busy", "done -> busy"]


SCHEDULER = """
from enum import Enum
from net.api import Api

class State(Enum):
    PENDING = 0
    STARTING = 1
    FAILED = 2

class Scheduler:
    def __init__(self, api: Api):
        self._api = api
        self._state: State = State.PENDING

    @property
    def state(self) -> State:
        log.debug(f"the state is {self._state}")
        return self._state

    @property
    def is_alive(self) -> bool:
        return self.state not in [State.FAILED]

    def start(self) -> None:
        if not self.is_alive:
            return
        self._state = State.STARTING

    def fail(self) -> None:
        self._state = State.FAILED
"""


def test_what_a_class_leaves_open_of_states_beside_it_no_other_reading_tells() -> None:
    found = declare({"net/scheduler.py": SCHEDULER})
    assert "what lets an operation leave failed cannot be read. Does any?" in found
    assert "        failed -> starting\n" not in found
    plain = SCHEDULER.replace('        log.debug(f"the state is {self._state}")\n', "")
    assert "        pending -> starting\n" in declare({"net/scheduler.py": plain})


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize(
    "written", ["parts[at] = 1;", "this.$session.open();", "from.open();", "this.renew$();"]
)
def test_an_operation_is_read_with_what_python_cannot_say(written: str) -> None:
    loader = """
        export const Status = { Idle: 0, Busy: 1 };
        export class Loader {
          constructor() {
            this.status = Status.Idle;
          }
          renew() {
            this.status = Status.Idle;
          }
        }
        """
    heir = """
        import { Loader, Status } from './loader.js';
        export class RangeLoader extends Loader {
          open(from, parts) {
            if (this.status !== Status.Idle) throw new Error();
            this.status = Status.Busy;
            {written}
          }
          renew$() {
          }
        }
        """
    told = declare({"io/loader.js": loader, "io/range.js": heir.replace("{written}", written)})
    assert "idle -> busy" in told


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_name_with_a_dollar_is_none_of_the_others() -> None:
    states = "export const State = { NEW: 0, BUSY: 1, DONE: 2 };"
    job = """
        import { State } from './states.js';
        export class Job {
          constructor() { this._state = State.NEW; this.$state = null; }
          go() {
            if (this._state !== State.NEW) throw new Error();
            this._state = State.BUSY;
            this.$state = State.DONE;
          }
          end() { this._state = State.DONE; }
        }
        """
    told = declare({"io/states.js": states, "io/job.js": job})
    assert "requires: job.state = new\n    ensures: job.state = busy\n" in told


def test_who_may_move_an_object_says_nothing_of_its_states() -> None:
    service = """
from shop.models import Order, Status
from shop.rights import can_ship

def ship(user, order: Order):
    if not {asked}:
        raise ValueError
    order.status = Status.SHIPPED
"""
    files = {"shop/models.py": ORDER.partition("    def ship")[0]}
    told = declare(
        {**files, "shop/service.py": service.replace("{asked}", "can_ship(user, order)")}
    )
    assert "        new -> shipped\n" in told
    open_ = declare({**files, "shop/service.py": service.replace("{asked}", "can_ship(order)")})
    assert "        new -> shipped\n" not in open_
