"""A method is followed statement by statement, with the states that are possible."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def test_a_method_is_followed_through_branches_errors_and_early_returns() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def run(self):
        if self.status == Status.SHIPPED:
            return
        if self.status == Status.NEW:
            try:
                self.status = Status.PAID
                work()
            except Exception:
                self.status = Status.NEW
                raise
        else:
            self.status = Status.SHIPPED
"""
    )
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> new", "paid -> shipped"]
    assert told.endswith("""
    ensures:
        if order.status = new: order.status = paid
        else if order.status = paid: order.status = shipped
}""")


def test_a_private_field_that_methods_move_is_told_of_an_annotated_class() -> None:
    source = """
import attrs
from enum import Enum

class State(Enum):
    IDLE = 1
    BUSY = 2

@attrs.define
class Worker:
    name: str
    _state: State = attrs.field(init=False, default=State.IDLE)
    _secret: State = State.IDLE

    def start(self):
        if State.IDLE is not self._state:
            raise RuntimeError
        self._state = State.BUSY
"""
    found = declare_python(source)
    assert "    state: State\n\n    transitions state {\n        idle -> busy\n" in found
    assert "secret" not in found


JOB = """
from enum import Enum

class State(Enum):
    IDLE = 1
    BUSY = 2
    DONE = 3

class Job:
    def __init__(self):
        self.state: State = State.IDLE

"""


def list_edges(methods: str) -> list[str]:
    told = declare_python(JOB + methods)
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_a_method_that_sets_what_it_is_given_moves_its_caller() -> None:
    methods = """
    def _set(self, state, why=""):
        self.state = state

    def start(self):
        if self.state is not State.IDLE:
            raise RuntimeError
        self._set(State.BUSY, why="start")

    def finish(self):
        if self.state is not State.BUSY:
            raise RuntimeError
        self._set(state=State.DONE)
"""
    assert list_edges(methods) == ["idle -> busy", "busy -> done"]


def test_a_state_is_followed_through_the_methods_that_are_called_on_the_way() -> None:
    methods = """
    def _reset(self):
        self.state = State.IDLE

    def restart(self):
        if self.state is not State.DONE:
            raise RuntimeError
        self._reset()
        self.state = State.BUSY
"""
    assert "done -> busy" not in list_edges(methods)
    assert "idle -> busy" in list_edges(methods)


def test_methods_that_call_each_other_in_a_circle_come_to_an_end() -> None:
    methods = """
    def start(self):
        self.state = State.BUSY
        self.stop()

    def stop(self):
        self.start()
        self.state = State.DONE
"""
    assert "busy -> done" in list_edges(methods)


def test_the_else_of_a_loop_is_followed_too() -> None:
    methods = """
    def __find(self, items):
        for item in items:
            if item:
                break
        else:
            self.state = State.DONE

    def start(self):
        self.state = State.BUSY
"""
    edges = {"idle -> done", "busy -> done", "idle -> busy", "done -> busy"}
    assert {*list_edges(methods)} == edges


def test_a_match_moves_each_of_the_states_that_it_names() -> None:
    methods = """
    def step(self):
        match self.state:
            case State.IDLE:
                self.state = State.BUSY
            case State.BUSY:
                self.state = State.DONE
            case _:
                raise RuntimeError
"""
    assert list_edges(methods) == ["idle -> busy", "busy -> done"]


def test_a_condition_that_sets_the_state_moves_it() -> None:
    found = declare_python("""
class Lamp:
    OFF = 0
    ON = 1

    def __init__(self):
        self.state = self.OFF

    def _set_state(self, state):
        if self.state == state:
            return False
        self.state = state
        self.changed()
        return True

    def light(self):
        if self.state != self.OFF:
            raise RuntimeError
        if self._set_state(self.ON):
            self.tell()
""")
    assert "        off -> on\n" in found
    assert "on -> off" not in found


def test_a_variable_that_tells_of_the_state_asks_for_it() -> None:
    source = """
class Door:
    def __init__(self):
        self.state = "shut"

    def shut(self, code):
        if self.state == "lost":
            self.state = "open"
            code = 0
        if code == 7:
            self.state = "shut"

    def lose(self, code):
        if self.state == "shut":
            log()
        if code == 7:
            self.state = "lost"
"""
    found = declare_python(source)
    assert "lost -> open" in found
    assert "-> shut" not in found
    assert "open -> lost" in found


def test_what_a_try_sets_last_was_not_interrupted() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def run(self):
        if self.status != Status.NEW:
            return
        try:
            work()
            self.status = Status.PAID{more}
        except Exception:
            self.status = Status.SHIPPED
"""
    )

    def list_edges(more: str) -> list[str]:
        told = declare_python(source.replace("{more}", more))
        return [line.strip() for line in told.split("\n") if "->" in line]

    assert list_edges("") == ["new -> paid", "new -> shipped"]
    assert list_edges("\n            log.info('paid')") == ["new -> paid", "new -> shipped"]
    assert "paid -> shipped" in list_edges("\n            send()")


def test_what_a_condition_asks_a_method_to_do_has_been_done() -> None:
    told = declare_python("""
from enum import Enum

class State(Enum):
    DRAFT = 1
    PLACED = 2
    SHIPPED = 3

class Order:
    def __init__(self):
        self.status = State.DRAFT

    def place(self):
        self._move(State.PLACED)

    def ship(self):
        if self.status is not State.PLACED:
            return
        if not self._move(State.SHIPPED):
            raise ValueError

    def _move(self, target):
        if self.status is target:
            return False
        self.status = target
        return True
""")
    assert "        draft -> placed\n        placed -> shipped\n        shipped -> placed\n" in told
    assert "    requires: order.status = placed\n    ensures: order.status = shipped\n" in told


LOOPING = """
from enum import Enum

class Phase(Enum):
    IDLE = 1
    SEARCHING = 2
    READY = 3
    LOST = 4

class Bridge:
    def __init__(self, device):
        self.device = device
        self.phase = Phase.IDLE

    def run(self):
        while self.phase is not Phase.READY:
            if self.phase is Phase.IDLE:
                self.phase = Phase.SEARCHING
                continue
            if self.phase is Phase.LOST:
                break
            self.phase = Phase.READY
        self.device.tell()
        END

    def lose(self):
        if self.phase is Phase.READY:
            self.phase = Phase.LOST
"""


def list_own_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_a_loop_runs_in_the_states_that_its_condition_asks_for() -> None:
    edges = list_own_edges(LOOPING.replace("END", ""))
    assert edges == ["idle -> searching", "searching -> ready", "ready -> lost"]


def test_behind_a_loop_its_condition_no_longer_holds_unless_a_break_left_it() -> None:
    edges = list_own_edges(LOOPING.replace("END", "self.phase = Phase.IDLE"))
    assert {*edges} - {"idle -> searching", "searching -> ready", "ready -> lost"} == {
        "ready -> idle",
        "lost -> idle",
    }


@pytest.mark.parametrize(
    ("way", "edges"),
    [
        ("while True:\n            self.device.ask()", []),
        ("while True:\n            if self.device.ask():\n                break",
         ["searching -> idle", "ready -> idle", "lost -> idle"]),
        # Others end it.
        ("while self.phase is Phase.IDLE:\n            self.device.ask()",
         ["searching -> idle", "ready -> idle", "lost -> idle"]),
    ],
)  # fmt: skip
def test_what_is_behind_a_loop_runs_where_that_ends(way: str, edges: list[str]) -> None:
    source = (
        LOOPING.partition("    def run")[0]
        + f"""
    def wait(self):
        {way}
        self.phase = Phase.IDLE
"""
    )
    source += """
    def go_on(self):
        self.phase = Phase.SEARCHING if self.phase is Phase.IDLE else Phase.READY

    def lose(self):
        if self.phase is not Phase.LOST:
            self.phase = Phase.LOST
"""
    assert [each for each in list_own_edges(source) if each.endswith("-> idle")] == edges


RECORDER = """
from enum import Enum

class State(Enum):
    IDLE = 1
    BUSY = 2
    FAILED = 3

class Recorder:
    def __init__(self):
        self.state = State.IDLE

    def record(self):
        if self.state is not State.IDLE:
            raise ValueError
        self.state = State.BUSY
        try:
            return self.capture()
        except OSError:
            self.state = State.FAILED
            raise
        finally:
            self.state = State.IDLE
"""


def test_what_runs_in_any_case_follows_a_return_and_an_error_of_a_handler() -> None:
    edges = list_own_edges(RECORDER)
    assert edges == ["idle -> busy", "busy -> idle", "busy -> failed", "failed -> idle"]
    assert declare_python(RECORDER).endswith("ensures: recorder.state = idle\n}")


def test_behind_what_runs_in_any_case_no_error_was_raised() -> None:
    source = RECORDER.replace("return self.capture()", "self.capture()")
    source = source.replace(
        "finally:\n            self.state = State.IDLE",
        """finally:
            self.tell()
        self.state = State.IDLE""",
    )
    assert list_own_edges(source) == ["idle -> busy", "busy -> idle", "busy -> failed"]


WAITING = """
import asyncio
from enum import Enum

class State(Enum):
    IDLE = 1
    ASKED = 2
    GOT = 3
    UP = 4

class Link:
    def __init__(self):
        self.state = State.IDLE
        self.changed = asyncio.Event()

    async def _wait_for(self, state, *others, timeout=None):
        states = (state, *others)
        while True:
            if self.state in states:
                return
            await asyncio.wait_for(self.changed.wait(), timeout)

    async def connect(self):
        if self.state is State.IDLE:
            self.state = State.ASKED
        WAIT
        await self._open()

    def receive(self):
        self.state = State.GOT

    async def _open(self):
        self.state = State.UP
"""


@pytest.mark.parametrize(
    ("wait", "before"),
    [
        ("await self._wait_for(State.GOT)", ["got"]),
        ("await self._wait_for(State.ASKED, State.GOT, timeout=5)", ["asked", "got"]),
        ("while self.state is not State.GOT:\n            await self.changed.wait()", ["got"]),
        # Without "await" nothing waits, and what other objects wait for is not known.
        ("self._wait_for(State.GOT)", ["asked", "got"]),
        ("await self.peer._wait_for(State.GOT)", ["asked", "got"]),
    ],
)
def test_what_waits_for_states_goes_on_in_them_alone(wait: str, before: list[str]) -> None:
    edges = list_own_edges(WAITING.replace("WAIT", wait))
    assert [each for each in edges if each.endswith("-> up")] == [f"{e} -> up" for e in before]


def test_each_round_of_a_loop_begins_where_what_it_asks_for_holds() -> None:
    methods = """
    def start(self):
        if self.state != State.IDLE:
            raise ValueError
        self.state = State.BUSY
        while self.state == State.BUSY:
            if self.queue.empty():
                self.state = State.DONE
            else:
                self.queue.work()
"""
    assert {*list_edges(methods)} == {"idle -> busy", "busy -> done"}
    again = methods.replace("self.queue.work()", "self.state = State.IDLE")
    assert {*list_edges(again)} == {"idle -> busy", "busy -> done", "busy -> idle"}
    asked = again.replace("while self.state == State.BUSY", "while not self.queue.over")
    assert "idle -> done" in {*list_edges(asked)}


def test_a_round_of_a_loop_knows_what_the_one_before_left_in_variables() -> None:
    source = (
        LOOPING.partition("    def run")[0]
        + """
    def turn(self):
        following = Phase.IDLE
        while self.device.is_on():
            self.phase = following
            following = Phase.SEARCHING

    def end(self):
        self.phase = Phase.READY if self.phase is Phase.LOST else Phase.LOST
"""
    )
    assert "idle -> searching" in list_own_edges(source)


def test_a_match_over_a_large_enum_is_read_in_time() -> None:
    members = "".join(f"    STEP{at} = {at}\n" for at in range(400))
    cases = "".join(
        f"            case Step.STEP{at}:\n                self.step = Step.STEP{(at + 1) % 400}\n"
        for at in range(400)
    )
    source = (
        f"from enum import Enum\n\nclass Step(Enum):\n{members}\nclass Job:\n"
        "    def __init__(self):\n        self.step = Step.STEP0\n\n"
        f"    def go_on(self):\n        match self.step:\n{cases}"
    )
    assert "        step7 -> step8\n" in declare_python(source)


def test_an_answer_about_the_state_that_a_variable_keeps_asks_for_it() -> None:
    methods = """
    def turn(self):
        waiting = self.state == State.IDLE
        self.tell(waiting)
        if waiting:
            self.state = State.BUSY
        else:
            self.state = State.DONE

    def tell(self, waiting):
        self.count = 1
        self.log(waiting)
"""
    assert "done -> busy" not in list_edges(methods)
    assert "idle -> done" not in list_edges(methods)


STEPPING = """
class Status(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3

class Job:
    def __init__(self):
        self.status = Status.NEW

    def run(self):
        {run}

    def _begin(self):
        if self.status is Status.NEW:
            self.status = Status.BUSY
            return True
        return False

    def _may_end(self):
        log("asked")
        if self.status is Status.BUSY:
            return True
        return False

    def renew(self):
        self.status = Status.NEW
"""
ALL = ["busy -> new", "done -> new"]


@pytest.mark.parametrize(
    ("run", "edges"),
    [
        (
            "if self._begin():\n            self.status = Status.DONE",
            ["new -> busy", "busy -> done"],
        ),
        (
            "if not self._begin():\n            return\n        self.status = Status.DONE",
            ["new -> busy", "busy -> done"],
        ),
        (
            "if not self._begin():\n            self.status = Status.DONE",
            ["new -> busy", "busy -> done"],
        ),
        ("if self._may_end():\n            self.status = Status.DONE", ["busy -> done"]),
    ],
)
def test_a_step_that_a_condition_runs_tells_the_states_of_each_answer(
    run: str, edges: list[str]
) -> None:
    told = declare_python(STEPPING.replace("{run}", run))
    found = {line.strip() for line in told.split("\n") if "->" in line}
    assert found - {"new -> busy", *ALL} == {*edges} - {"new -> busy"}


def test_what_a_step_does_behind_its_answer_is_done_by_either() -> None:
    begin = (
        STEPPING.partition("    def _begin")[0]
        + """
    def _begin(self):
        try:
            if self.status is Status.NEW:
                return True
            return False
        finally:
            self.status = Status.BUSY

    def renew(self):
        self.status = Status.NEW
"""
    )
    told = declare_python(
        begin.replace("{run}", "if self._begin():\n            self.status = Status.DONE")
    )
    found = {line.strip() for line in told.split("\n") if "->" in line}
    assert found == {"new -> busy", "done -> busy", "busy -> done", *ALL}


def test_a_step_that_may_leave_the_state_as_it_is_lets_those_pass_that_its_answer_lets_pass() -> (
    None
):
    source = """
class Status(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3

class Job:
    def __init__(self):
        self.status = Status.NEW

    def run(self):
        if not self.keep():
            return
        self.status = Status.BUSY

    def keep(self):
        if not self.link:
            try:
                self.end()
            except ValueError as error:
                log(error)
            return False
        return {yes}

    def end(self):
        if self.status != Status.DONE:
            self.status = Status.DONE
"""
    assert "done -> busy" in declare_python(source.format(yes="True"))
    # What else a step may look at is not known.
    assert "done -> busy" not in declare_python(source.format(yes="self.look()"))


@pytest.mark.parametrize(
    ("leave", "is_known"),
    [("return", True), ("raise ValueError", False), ("return self.renew()", False)],
)
def test_what_runs_a_step_that_returns_early_goes_on(leave: str, is_known: bool) -> None:
    tell = f"""
    def _tell(self):
        if not self._may_end() or self._begin().done:
            {leave}
        self.log("done")

    def end(self):
        self.status = Status.DONE
"""
    run = "self._tell()\n        self.status = Status.BUSY"
    told = declare_python(STEPPING.replace("{run}", run) + tell)
    assert ("done -> busy" in told) is is_known


@pytest.mark.parametrize(
    ("leave", "is_known"),
    [("continue", True), ("break", True), ("return", False), ("raise ValueError", False)],
)
def test_what_is_behind_a_loop_runs_however_its_rounds_are_left(leave: str, is_known: bool) -> None:
    end = "\n    def end(self):\n        self.status = Status.DONE\n"
    run = f"""for each in self.parts:
            if not self._may_end() or self._begin().done:
                {leave}
            self.log(each)
        self.status = Status.BUSY"""
    told = declare_python(STEPPING.replace("{run}", run) + end)
    assert ("done -> busy" in told) is is_known


@pytest.mark.parametrize(
    "run",
    [
        "for each in self.parts:\n"
        "            if each.accepts(self.status):\n                break\n"
        "        else:\n            raise ValueError",
        "found = None\n        for each in self.parts:\n"
        "            if each.accepts(self.status):\n                found = each\n"
        "                break\n"
        "        if found is None:\n            raise ValueError",
        "self._check()\n        if self.bad:\n            return",
    ],
    ids=["else", "variable", "attribute"],
)
def test_what_is_set_before_something_is_left_early_tells_of_the_state(run: str) -> None:
    check = """
    def _check(self):
        self.bad = True
        if not self.peer.accepts(self.status):
            return
        self.bad = False

    def end(self):
        self.status = Status.DONE
"""
    run += "\n        self.status = Status.BUSY"
    assert "done -> busy" not in declare_python(STEPPING.replace("{run}", run) + check)


def test_a_loop_that_waits_ends_in_a_state_that_something_sets() -> None:
    waiting = "        while self.state is State.BUSY:\n            self.sleep()\n"
    run = f"    def run(self):\n{waiting}        self.state = State.DONE\n"
    begin = "    def begin(self):\n        self.state = State.BUSY\n"
    reset = "    def reset(self):\n        self.state = State.IDLE\n"
    asked = "        if self.state is not State.BUSY:\n            return\n"
    guarded = run.replace("run(self):\n", f"run(self):\n{asked}")
    assert "idle -> done" not in list_edges(begin + guarded)
    assert "idle -> done" in list_edges(begin + reset + guarded)


DECODER = """
from enum import Enum

class State(Enum):
    FIRST = 1
    OTHER = 2
    LAST = 3
    FAILED = 4

class Decoder:
    def __init__(self):
        self.state = State.FIRST

    def decode(self, data):
        self.state = State.OTHER

    def skip(self):
        before = self.state
        self.state = State.LAST
        if before == State.FIRST:
            self.state = State.FAILED
"""


def test_a_question_about_what_a_variable_holds_is_answered() -> None:
    def list_edges(source: str) -> list[str]:
        found = declare_python(source)
        return sorted(line.strip() for line in found.split("\n") if " -> " in line)

    assert list_edges(DECODER) == [
        "failed -> last",
        "failed -> other",
        "first -> last",
        "first -> other",
        "last -> failed",
        "last -> other",
        "other -> last",
    ]
    # From one that it may not hold, it does not lead on.
    asked = DECODER.replace("before == State.FIRST", "not before != State.FIRST")
    assert list_edges(asked) == list_edges(DECODER)
    never = DECODER.replace(
        "        before = self.state\n",
        "        if self.state == State.FIRST:\n            return\n        before = self.state\n",
    )
    assert "last -> failed" not in list_edges(never)
