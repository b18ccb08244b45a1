"""What goes on behind a promise is what "try" says around "await"."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare
from tests.allium.extract.typescript.test_local_functions import (
    GUARD,
    declare_run,
    declare_transitions,
)

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

OPEN = "() => { this.state = State.Open; }"
CLOSE = "() => { this.state = State.Closed; }"


@pytest.mark.parametrize(
    "ways",
    [
        f"return this.line.open().then({OPEN}).catch({CLOSE});",
        f"return this.line.open().then({OPEN}, {CLOSE});",
        f"return this.done = this.line.open().then({OPEN}, {CLOSE});",
        f"return (this.done = this.line.open().then({OPEN}, {CLOSE}));",
        f"await this.line.open().then({OPEN}, {CLOSE}); this.log();",
        f"const done = await this.line.open().then({OPEN}).catch({CLOSE}); this.log();",
        f"this.done = await this.line.open().then({OPEN}).catch({CLOSE});",
        f"this.line.open().then({OPEN}).catch({CLOSE}); this.log();",
        f"void this.line.open().then({OPEN}).catch({CLOSE}); this.log();",
        f"this.done = this.line.open().then({OPEN}).catch({CLOSE});",
        f"const done = this.line.open().then({OPEN}, {CLOSE}); return done;",
        f"(this.line.open()).then({OPEN})?.catch({CLOSE});",
        f"this.line.open().then(/* so */ {OPEN}).catch( // why\n {CLOSE});",
        f"new Promise((done) => this.line.open(done)).then({OPEN}, {CLOSE});",
        f"const open = {OPEN}; const close = {CLOSE}; return this.line.open().then(open, close);",
    ],
)
def test_what_is_caught_was_raised_before_the_last_move(ways: str) -> None:
    edges = declare_transitions(f"{GUARD} {ways}")
    assert edges == {"idle -> opening", "opening -> open", "opening -> closed"}


def test_what_may_fail_behind_a_move_was_interrupted() -> None:
    opened = "() => { this.state = State.Open; return this.line.begin(); }"
    edges = declare_transitions(f"{GUARD} return this.line.open().then({opened}).catch({CLOSE});")
    assert "open -> closed" in edges


def test_what_comes_at_last_follows_on_both_ways() -> None:
    ways = f"return this.line.open().then({OPEN}).finally({CLOSE});"
    edges = declare_transitions(f"{GUARD} {ways}")
    assert edges == {"idle -> opening", "opening -> open", "opening -> closed", "open -> closed"}


@pytest.mark.parametrize("head", ["await", "return", "const done = await", "this.done = await"])
def test_a_new_promise_runs_its_function_at_once(head: str) -> None:
    edges = declare_transitions(
        f"{GUARD} {head} new Promise((done) => {{ this.state = State.Open; }});"
    )
    assert edges == {"idle -> opening", "opening -> open"}


@pytest.mark.parametrize("refused", ["reject(new Error()); return;", "return reject(new Error());"])
@pytest.mark.parametrize("head", ["await", "return"])
def test_what_a_new_promise_rejects_is_refused(head: str, refused: str) -> None:
    told = declare_client(
        f"  run() {{ {head} new Promise((resolve, reject) => {{"
        f" if (this.state !== State.Idle) {{ {refused} }} this.state = State.Open; }}); }}"
    )
    assert "    requires: client.state = idle\n    ensures: client.state = open" in told


CLASS = """
export enum State { Idle = 'idle', Opening = 'opening', Open = 'open', Closed = 'closed' }
export class Client {
  private state: State = State.Idle;
BODY
}
"""
RUN = """  start(): void {
    if (this.state !== State.Idle) throw new Error();
    this.state = State.Opening;
    WAYS
  }
  private async run() {
    await this.line.open();
    this.state = State.Open;
  }
  private fail(error: Error) {
    this.state = State.Closed;
    this.log(error);
  }
"""


def declare_client(body: str) -> str:
    return declare({"net/client.ts": CLASS.replace("BODY", body)})


@pytest.mark.parametrize(
    "ways",
    [
        "this.run().catch((error) => this.fail(error));",
        "this.run().catch(this.fail.bind(this));",
        "void this.run().then(undefined, (error) => this.fail(error));",
        "return this.run().catch((error) => { this.fail(error); });",
    ],
)
def test_steps_behind_a_promise_begin_where_it_does(ways: str) -> None:
    told = declare_client(RUN.replace("WAYS", ways))
    edges = {line.strip() for line in told.split("\n") if "->" in line}
    assert edges == {"idle -> opening", "opening -> open", "opening -> closed"}


@pytest.mark.parametrize("ways", ["this.run();", "void this.run();", "this.done = this.run();"])
def test_what_nothing_waits_for_runs_when_the_operation_is_over(ways: str) -> None:
    told = declare_client(RUN.replace("WAYS", ways))
    assert "    requires: client.state = idle\n    ensures: client.state = opening\n" in told
    assert "        opening -> open\n" in told
    told = declare_client(RUN.replace("WAYS", f"await {ways.replace('void ', '')}"))
    assert "client.state = open\n" in told


def test_what_moves_before_it_waits_does_so_at_once() -> None:
    source = RUN.replace("this.state = State.Opening;\n", "").replace("WAYS", "this.run();")
    told = declare_client(source.replace("await this", "this.state = State.Opening; await this"))
    assert "        idle -> opening\n" in told


def test_calls_that_are_waited_for_together_are_steps() -> None:
    told = declare_client(RUN.replace("WAYS", "await Promise.all([this.run(), this.log()]);"))
    assert "        opening -> open\n" in told
    assert "        idle -> open\n" not in told


def test_what_a_loop_waits_for_may_fail() -> None:
    told = declare_client("""  async run() {
    if (this.state !== State.Idle) throw new Error();
    try {
      this.state = State.Opening;
      for await (const each of this.line) { this.last = each; }
      this.state = State.Open;
    } catch (error) {
      this.state = State.Closed;
    }
  }
""")
    edges = {line.strip() for line in told.split("\n") if "->" in line}
    assert edges == {"idle -> opening", "opening -> open", "opening -> closed"}


@pytest.mark.parametrize(
    "refused",
    [
        "return callback(new Error('no'));",
        "callback(new StateError('no')); return;",
        "{ this.log('no'); return cb(new Error('no')); }",
    ],
)
def test_what_a_callback_is_told_as_an_error_is_refused(refused: str) -> None:
    told = declare_client(
        f"  run(callback: Callback) {{ if (this.state !== State.Idle) {{ {refused} }}"
        " this.state = State.Open; }"
    )
    assert "    requires: client.state = idle\n    ensures: client.state = open" in told


def test_what_it_is_told_else_is_none() -> None:
    told = declare_client(
        "  run(callback: Callback) { if (this.state !== State.Idle) return callback(null, 1);"
        " this.state = State.Open; }"
    )
    assert "requires:" not in told


TOLD = """
export class Kernel {
  private status: 'new' | 'dead' | 'restarted' = 'new';
  start(told: any) {
    if (told.again) { void Promise.resolve().then(() => { this.status = 'restarted'; }); }
    AFTER
  }
  end() { this.status = 'dead'; }
}
"""


def test_what_is_put_off_until_the_rest_is_done_begins_in_what_that_leaves() -> None:
    """Nobody knows what the object is told."""
    assert "dead -> restarted" in declare({"kernel.ts": TOLD.replace("AFTER", "")})
    text = TOLD.replace("AFTER", "this.take(told);")
    assert "dead -> restarted" not in declare({"kernel.ts": text})
    kept = text.replace("void Promise", "this.done = Promise")
    assert "dead -> restarted" in declare({"kernel.ts": kept})


def test_an_own_method_may_make_a_promise() -> None:
    found = declare({"net/line.js": """
class Line {
  constructor() { this.state = 'new'; }
  open() { if (this.state !== 'new') { throw new Error(); } this.state = 'open'; }
  shut(done) { this.state = 'shut'; this.socket.end(done); }
  async renew() { await new Promise(this.shut.bind(this)); this.state = 'new'; }
}
"""})  # fmt: skip
    assert "shut -> new" in found
    assert "open -> new" not in found


def test_a_promise_that_a_step_makes_without_a_block_runs_what_it_is_given() -> None:
    found = declare({"sim/flasher.ts": """
enum State { Idle, Asked, Read }
export class Flasher {
  private state = State.Idle;
  ask() {
    return this.connect().then(() => new Promise<void>((resolve, reject) => {
      this.told = resolve;
      this.state = State.Asked;
    })).then(() => { }, (error) => { this.clear(); });
  }
  read() { if (this.state !== State.Asked) { return; } this.state = State.Read; }
}
"""})  # fmt: skip
    assert "        idle -> asked\n        asked -> read\n        read -> asked\n" in found


def test_what_is_not_waited_for_may_fail_before_anything_follows_on_it() -> None:
    found = declare_client("""
  start() {
    if (this.state !== State.Idle) { return this.ready; }
    this.state = State.Opening;
    Promise.race([this.server, this.late])
      .then(() => { this.state = State.Open; })
      .catch(() => { this.state = State.Closed; });
    return this.ready;
  }
""")
    assert "opening -> closed" in found


SETTLED = """
    const opened = new Promise((resolve, reject) => {
      try {
        if (this.state !== State.Idle) { reject(new Error('late')); return; }
        this.state = State.Opening;
        if (!this.line) { return; }
        this.line.open();
      } catch (error) {
        this.state = State.Closed;
        reject(error);
      }
    });
    BEHIND
"""


def test_what_leaves_a_promise_leaves_the_operation_where_no_more_is_done() -> None:
    edges = {"idle -> opening", "opening -> closed"}
    assert declare_transitions(SETTLED.replace("BEHIND", "return wrap(opened);")) == edges
    later = SETTLED.replace("BEHIND", "this.line.note(opened); this.state = State.Open;")
    assert "ensures: client.state = open" in declare_run(later)


def test_what_settles_a_promise_does_not_fail() -> None:
    body = SETTLED.replace("BEHIND", "return wrap(opened);")
    assert "requires: client.state = idle" in declare_run(body)
    left = body.replace("reject(new Error('late')); ", "reject(this.close()); ")
    assert "requires: client.state = idle" not in declare_run(left)
