"""A value that an object gets once says what has begun."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

needs_typescript = pytest.mark.skipif(
    not is_available(), reason="the extra 'typescript' is missing"
)

UPLOAD = """
from enum import Enum

class State(Enum):
    IDLE = 0
    UPLOADING = 1
    COMPLETE = 2
    PROCESSING = 3

class Upload:
    def __init__(self):
        self.total = None
        self.state = State.IDLE

    def receive(self, total):
        if self.total is None:
            self.total = total
            self.state = State.UPLOADING
        self.parts += 1
        if self.parts == total:
            self.state = State.COMPLETE

    def process(self):
        if self.state == State.COMPLETE:
            self.state = State.PROCESSING
"""


def test_what_has_begun_does_not_begin_again() -> None:
    told = declare_python(UPLOAD)
    assert "        idle -> uploading\n" in told
    assert "        processing -> complete\n" in told
    assert "        complete -> uploading\n" not in told
    assert "        processing -> uploading\n" not in told


@pytest.mark.parametrize(
    ("begun", "asked", "given"),
    [
        ("None", "not self.total", "self.count(total)"),
        ("False", "not self.total", "True"),
        ("None", "self.total is None", "await self.count(total)"),
    ],
)
def test_a_flag_or_what_is_there_says_so(begun: str, asked: str, given: str) -> None:
    source = UPLOAD.replace("self.total = None", f"self.total = {begun}")
    source = source.replace("self.total is None", asked).replace(
        "self.total = total", f"self.total = {given}"
    )
    told = declare_python(source.replace("def receive", "async def receive"))
    assert "        idle -> uploading\n" in told
    assert "        complete -> uploading\n" not in told


def test_a_flag_of_an_event_says_so() -> None:
    source = UPLOAD.replace("self.total = None", "self.total = Event()")
    source = source.replace("self.total is None", "not self.total.is_set()")
    source = source.replace("self.total = total", "self.total.set()")
    told = declare_python("from threading import Event\n" + source)
    assert "        idle -> uploading\n" in told
    assert "        complete -> uploading\n" not in told


@pytest.mark.parametrize(
    "more",
    [
        "    def again(self):\n        self.total = None\n",
        "def reset(upload):\n    upload.total = None\n",
        "    def count(self):\n        for self.total in self.parts:\n            break\n",
        "    def count(self, all):\n        self.total = all.get(self)\n",
    ],
)
def test_what_is_taken_away_again_says_nothing(more: str) -> None:
    assert "        complete -> uploading\n" in declare_python(f"{UPLOAD}\n{more}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def receive(self, total)", "def receive(self, total=None)"),
        ("self.total = total", "self.total = re.match('[0-9]+', total)"),
        ("self.total = total", "self.total = self.find(total)"),
        ("self.parts += 1", "self.__dict__.update(kept)"),
        ("self.parts += 1", "setattr(self, name, None)"),
    ],
)
def test_what_may_be_nothing_again_says_nothing(old: str, new: str) -> None:
    assert "        complete -> uploading\n" in declare_python(UPLOAD.replace(old, new))


def test_what_is_taken_away_with_the_state_lets_it_begin_from_there() -> None:
    again = "\n    def again(self):\n        self.total = None\n        self.state = State.{}\n"
    assert "        complete -> uploading\n" not in declare_python(UPLOAD + again.format("IDLE"))
    told = declare_python(UPLOAD + again.format("COMPLETE"))
    assert "        complete -> uploading\n" in told


def test_what_moves_the_state_without_the_value_lets_it_begin_from_there() -> None:
    skip = "\n    def skip(self):\n        self.state = State.COMPLETE\n"
    told = declare_python(UPLOAD + skip)
    assert "        complete -> uploading\n" in told
    assert "        processing -> uploading\n" in told


def test_an_enum_of_another_file_is_known_there() -> None:
    head, _, rest = UPLOAD.partition("class Upload")
    other = f"from shop.states import State\n\nclass Upload{rest}"
    told = declare({"shop/states.py": head, "shop/upload.py": other})
    assert "        idle -> uploading\n" in told
    assert "        complete -> uploading\n" not in told


RUNNER = """
from net.states import State

class Runner:
    def __init__(self):
        self._task = None
        self.state = State.NEW

    async def start(self):
        if self._task is not None:
            raise RuntimeError
        self._task = create_task(self._run())
        self.state = State.RUNNING

    async def _run(self):
        try:
            await self.work()
        finally:
            self.state = State.DONE
            self._task = None
"""


def test_a_step_that_others_run_goes_on_from_what_its_operation_leaves() -> None:
    states = (
        "from enum import Enum\nclass State(Enum):\n    NEW = 0\n    RUNNING = 1\n    DONE = 2\n"
    )
    told = declare({"net/states.py": states, "net/runner.py": RUNNER})
    assert "        running -> done\n" in told


def test_what_runs_the_step_that_sets_it_leaves_no_other_state_without_it() -> None:
    told = declare_python("""
from enum import Enum

class State(Enum):
    OPEN = 1
    READ_CLOSED = 2
    WRITE_CLOSED = 3
    CLOSED = 4

class Stream:
    def __init__(self):
        self.state = State.OPEN
        self.is_read = False
        self.is_written = False

    def close_read(self):
        if self.is_read:
            return
        self.is_read = True
        self.state = State.CLOSED if self.is_written else State.READ_CLOSED

    def close_write(self):
        if self.is_written:
            return
        self.is_written = True
        self.state = State.CLOSED if self.is_read else State.WRITE_CLOSED

    def close(self):
        if self.state is State.CLOSED:
            return
        if not self.is_read:
            self.close_read()
        if not self.is_written:
            self.close_write()
        self.log()
        self.state = State.CLOSED
""")
    found = {line.strip() for line in told.split("\n") if "->" in line}
    assert {"open -> read_closed", "read_closed -> closed", "open -> closed"} <= found
    assert found.isdisjoint({"read_closed -> write_closed", "write_closed -> read_closed"})


LINK = """
from enum import Enum

class State(Enum):
    OFF = 0
    OPENING = 1
    ON = 2

class Link:
    def __init__(self):
        self.leaving = False
        self.state = State.OFF

    async def connect(self):
        if self.state != State.OFF:
            raise RuntimeError
        self.leaving = False
        self.state = State.OPENING
        while True:
            await self._greet()
            if self.leaving:
                break
            self.state = State.OPENING
        self.state = State.OFF

    async def _greet(self):
        self.state = State.ON

    def leave(self):
        self.leaving = True
"""


def test_what_is_taken_away_before_several_states_lets_it_begin_from_each() -> None:
    told = declare_python(LINK)
    assert "        on -> opening\n" in told
    assert "        on -> off\n" in told


CALL = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    LOST = 3

class Call:
    def __init__(self):
        self.state = State.NEW
        self.line = None

    def open(self):
        if self.line is not None:
            return
        self.line = Line()
        self.state = State.OPEN

    def lose(self):
        if self.line is None:
            self.state = State.LOST

    def close(self):
        if self.is_ended:
            self.line = None
            return
        self.state = State.NEW
"""


def test_what_is_taken_away_where_the_state_may_stay_goes_from_there() -> None:
    taken = CALL.replace("            return\n        self.state = State.NEW",
                         "        self.state = State.NEW")  # fmt: skip
    assert "        open -> lost\n" not in declare_python(taken)
    assert "        open -> lost\n" in declare_python(CALL)
    nested = "            if self.is_lost:\n                return\n        self.state = State.NEW"
    left = CALL.replace("            return\n        self.state = State.NEW", nested)
    assert "        open -> lost\n" in declare_python(left)


SOCKET = """
import { Status } from './status';
export class Line {
  private state: Status;
  private opening: Deferred;
  private line: Socket;
  constructor(url) { this.url = url; this.state = Status.None; }
  open() {
    if (this.state === Status.Closed) { throw new Error('closed'); }
    if (this.opening) { return this.opening; }
    this.opening = new Deferred();
    this.state = Status.Connecting;
    this.line.onopen = () => { this.state = Status.Open; };
    this.line.onclose = () => { this.state = Status.Closed; };
    return this.opening;
  }
}
"""
STATUS = "export enum Status { None, Connecting, Open, Closed }\n"


@needs_typescript
@pytest.mark.parametrize("is_near", [True, False])
def test_typescript_says_so_of_what_it_begins_without(is_near: bool) -> None:
    near = SOCKET.replace("import { Status } from './status';\n", STATUS)
    files = {"a/line.ts": near} if is_near else {"a/line.ts": SOCKET, "a/status.ts": STATUS}
    told = declare(files)
    assert "        none -> connecting\n" in told
    assert "        connecting -> open\n" in told
    assert "        open -> connecting\n" not in told
    again = "  again() { this.opening = null; }\n  open() {"
    told = declare({**files, "a/line.ts": files["a/line.ts"].replace("  open() {", again)})
    assert "        open -> connecting\n" in told


@needs_typescript
def test_what_is_made_by_new_is_there_under_any_name() -> None:
    near = SOCKET.replace("import { Status } from './status';\n", STATUS)
    told = declare({"a/line.ts": near.replace("new Deferred()", "new this.kinds.deferred()")})
    assert "        open -> connecting\n" not in told
    told = declare({"a/line.ts": near.replace("new Deferred()", "this.kinds.deferred()")})
    assert "        open -> connecting\n" in told


@needs_typescript
@pytest.mark.parametrize(
    ("place", "other"),
    [
        (
            "  open() {",
            "  swap() { [this.opening, this.old] = [this.old, this.opening]; }\n  open() {",
        ),
        ("  open() {", "  take(o) { ({ opening: this.opening } = o); }\n  open() {"),
        ("private opening", "@Input() opening"),
        ("private opening", "@Input({ required: true })\n  public opening"),
        ("private opening", "declare opening"),
    ],
)
def test_what_may_be_given_some_other_way_lets_it_begin_again(place: str, other: str) -> None:
    near = SOCKET.replace("import { Status } from './status';\n", STATUS)
    told = declare({"a/line.ts": near.replace(place, other)})
    assert "        open -> connecting\n" in told


PARSER = """
export enum Place { Size, Text }
export class Parser {
  private place = Place.Size;
  private isWaiting = true;
  private isBegun = false;
  push(data: Buffer) {
    this.data.push(data);
    if (this.isWaiting) { this.isWaiting = false; this.wait(); }
  }
  private wait() {
    if (this.data.length < 9) { this.isWaiting = true; } else { this.read(); }
  }
  private read() {
    if (this.place === Place.Size) { this.readSize(); } else { this.readText(); }
  }
  private readSize() { this.place = Place.Text; this.wait(); }
  private readText() {
    if (!this.isBegun) { this.isBegun = true; }
    this.place = Place.Size;
    this.wait();
  }
}
"""


@needs_typescript
def test_steps_that_run_each_other_are_followed_once() -> None:
    told = declare({"a/parser.ts": PARSER})
    assert "        size -> text\n        text -> size\n" in told
