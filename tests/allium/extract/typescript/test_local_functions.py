"""Functions inside a function of TypeScript."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CLIENT = """
export enum State { Idle = 'idle', Opening = 'opening', Open = 'open', Closed = 'closed' }
export class Client {
  private state: State = State.Idle;
  run() {
    BODY
  }
}
"""


_OTHERS = (("Idle", "Closed"), ("Closed", "Idle"), ("Open", "Closed"), ("Opening", "Closed"))
GUARD = "if (this.state !== State.Idle) throw new Error(); this.state = State.Opening;"
OPEN = "() => { this.state = State.Open; }"


def declare_run(body: str) -> str:
    return declare({"net/client.ts": CLIENT.replace("BODY", body)})


def test_what_a_local_function_raises_its_call_raises() -> None:
    found = declare_run(
        """
        const fail = (): void => { throw new Error('no'); };
        if (this.state !== State.Idle) { fail(); }
        this.state = State.Opening;
        """
    )
    assert "requires: client.state = idle\n    ensures: client.state = opening" in found


def test_a_local_function_moves_the_state_where_it_is_called() -> None:
    found = declare_run(
        """
        function open() { client.log(); }
        const move = () => { this.state = State.Open; };
        if (this.state !== State.Idle) return;
        move();
        """
    )
    assert "requires: client.state = idle\n    ensures: client.state = open" in found


@pytest.mark.parametrize(
    "handing",
    [
        f"this.socket.on('open', {OPEN}); this.log();",
        f"this.socket.onopen = {OPEN}; this.log();",
        f"setTimeout({OPEN}, 10); this.log();",
        f"this.client.onNotification('ready', {OPEN}); this.log();",
        f"workspace.onDidOpen({OPEN}); this.log();",
        f"this.channel.join().receive('ok', {OPEN}).receive('late', () => {{}}); this.log();",
        f"this.timer = new OneOffTimer({OPEN}, 10); this.log();",
        f"this.core.request({{ onAccept: {OPEN} }}); this.log();",
        f"const open = {OPEN}; this.socket.on('open', open); this.log();",
        f"this.waiting.push({OPEN}); this.log();",
        f"this.connect().then({OPEN}).catch(() => {{}}); this.log();",
        f"return this.connect().then({OPEN});",
        f"this.retry({OPEN});",
    ],
)
def test_a_function_that_others_are_given_runs_when_the_operation_is_over(handing: str) -> None:
    edges = declare_transitions(f"{GUARD} {handing}")
    assert edges == {"idle -> opening", "opening -> open"}


@pytest.mark.parametrize(
    "handing",
    [
        # Nobody knows when it runs, and what follows may have moved the state before.
        f"this.retry({OPEN}); this.log();",
        # What is "this" in it is something else.
        "this.socket.on('open', function () { this.state = State.Open; });",
        # It is never called.
        f"const open = {OPEN}; this.log();",
    ],
)
def test_what_may_never_run_moves_nothing(handing: str) -> None:
    assert declare_transitions(f"{GUARD} {handing}") == {"idle -> opening"}


def test_what_the_function_itself_asks_counts() -> None:
    body = """
    this.socket.on('close', () => {
      if (this.state !== State.Open) { return; }
      this.state = State.Closed;
    });
    """
    assert declare_transitions(body) == {"open -> closed"}


def test_on_a_way_that_ends_before_nothing_waits() -> None:
    body = f"""
    if (this.state === State.Closed) {{ return; }}
    if (this.lazy) {{ this.state = State.Opening; this.socket.on('open', {OPEN}); return; }}
    this.log();
    """
    assert declare_transitions(body) == {
        "idle -> opening", "open -> opening", "opening -> open",
    }  # fmt: skip


def declare_transitions(body: str) -> set[str]:
    """What the operation proves; another one leads to what is left."""
    text = CLIENT.replace("BODY", body)
    others = "".join(
        f"\n  to{each}() {{ if (this.state !== State.{other}) throw new Error(); "
        f"this.state = State.{each}; }}"
        for each, other in _OTHERS
    )
    found = declare({"net/client.ts": text.rstrip()[:-1] + others + "\n}\n"})
    lines = {line.strip() for line in found.split("\n") if "->" in line}
    return lines - {"closed -> idle", "idle -> closed", "closed -> open", "closed -> opening"}


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ("this.socket.on('open', OPEN)", "this.socket.on('close', CLOSE)"),
        ("this.socket.onopen = OPEN", "this.socket.onclose = CLOSE"),
        ("this.core.run({ onOpen: OPEN })", "this.core.watch({ onClose: CLOSE })"),
        (
            "const open = OPEN; this.socket.on('open', open)",
            "const close = CLOSE; this.socket.addEventListener('close', close)",
        ),
        # Whichever is handed on first.
        ("this.socket.on('close', CLOSE)", "this.socket.on('open', OPEN)"),
    ],
)
def test_what_tells_of_an_end_comes_after_other_events(opened: str, closed: str) -> None:
    body = f"{GUARD} {opened}; {closed}; this.log();"
    told = declare_run(
        body.replace("OPEN", OPEN).replace("CLOSE", OPEN.replace("State.Open", "State.Closed"))
    )
    assert (
        "        idle -> opening\n        opening -> open\n        opening -> closed\n"
        "        open -> closed\n        terminal: closed\n"
    ) in told


LEAVING = (
    "const open = () => { if (this.state === State.Closed) return; this.state = State.Open; };"
)
STOPPING = CLIENT.replace(
    "  run()",
    "  begin() { this.state = State.Opening; }\n  end() { this.state = State.Closed; }\n  run()",
)


def declare_stopping(body: str) -> str:
    return declare({"net/client.ts": STOPPING.replace("BODY", f"{LEAVING} {body}")})


@pytest.mark.parametrize("call", ["open();", "if (this.isOn) { this.log(); } else { open(); }"])
def test_what_leaves_the_last_function_leaves_the_operation(call: str) -> None:
    told = declare_stopping(call)
    assert "        idle -> open\n" in told
    assert "        closed -> open\n" not in told


def test_what_leaves_another_function_goes_on_behind_it() -> None:
    told = declare_stopping("open(); this.log();")
    assert "        idle -> open\n" in told
    assert "        closed -> open\n" not in told


def test_what_is_run_behind_a_wait_and_may_leave_early_is_not_known() -> None:
    assert "idle -> open\n" not in declare_stopping("this.wait().then(() => { open(); });")


def test_what_leaves_a_function_in_a_loop_is_not_known() -> None:
    leaving = (
        "const open = () => { for (const x of xs) { if (x) return; } this.state = State.Open; };"
    )
    assert "idle -> open\n" not in declare_stopping(f"{leaving} open(); this.log();")


def test_a_function_that_is_made_and_run_may_leave_early() -> None:
    body = (
        "this.job = (async () => { try { if (this.state === State.Closed) return;"
        " this.state = State.Open; } finally { this.job = null; } })(); this.log();"
    )
    told = declare_stopping(body)
    assert "        idle -> open\n" in told
    assert "        closed -> open\n" not in told


APPLIED = """
export class Client {
  private state: 'idle' | 'opening' | 'open' = 'idle';
  run() {
    if (this.state !== 'idle') throw new Error();
    this.state = 'opening';
    this._openCALL;
  }
  _open(at) { this.state = 'open'; }
}
"""


@pytest.mark.parametrize("call", [".call(this, 1)", ".apply(this, more)", "(1)"])
def test_a_method_that_is_applied_to_its_own_object_is_called(call: str) -> None:
    found = declare({"net/client.ts": APPLIED.replace("CALL", call)})
    assert "idle -> opening\n        opening -> open\n        terminal: open" in found


@pytest.mark.parametrize("call", [".call(other, 1)", ".apply(that)"])
def test_what_others_may_run_begins_in_any_state(call: str) -> None:
    found = declare({"net/client.ts": APPLIED.replace("CALL", call)})
    assert "idle -> opening\n        idle -> open\n" in found


def test_a_function_that_is_handed_on_with_this_object_runs_for_it() -> None:
    body = f"{GUARD} this.socket.on('open', function () {{ this.state = State.Open; }}, GIVEN);"
    assert "opening -> open" in declare_run(body.replace("GIVEN", "this"))
    assert "opening -> open" not in declare_run(body.replace("GIVEN", "that"))
    assert "opening -> open" not in declare_run(
        body.replace("GIVEN", "this").replace("this.socket.on('open', ", "setTimeout(")
    )


SOCKET = """
class Feed {
  constructor() { this.state = 'open'; }

  close() {
    if (this.state !== 'open') return;
    this.state = 'closing';
    this.socket.on('close', this._tell.bind(this, BOUND));
  }

  _tell(kind, isClean = true) {
    if (kind === 'end') this.state = isClean ? 'shut' : 'failed';
    else if (kind === 'fault') this.state = 'failed';
  }

  retry() { if (this.state === 'failed') this.state = 'open'; }
}
"""


def test_a_step_that_is_bound_to_an_argument_is_given_it() -> None:
    told = declare({"net/feed.js": SOCKET.replace("BOUND", "'fault'")})
    assert "        closing -> failed\n" in told
    assert "closing -> shut" not in told


@pytest.mark.parametrize("bound", ["'end'", "kind"])
def test_what_others_give_a_bound_step_is_open(bound: str) -> None:
    told = declare({"net/feed.js": SOCKET.replace("BOUND", bound)})
    assert "        closing -> shut\n        closing -> failed\n" in told


def test_what_a_step_is_handed_to_run_leaves_the_state_of_its_guard() -> None:
    source = """
    enum State { Shut = 'shut', Open = 'open', Gone = 'gone' }
    export class Door {
      state: State = State.Shut;
      open() { this.when(State.Shut, () => { this.state = State.Open; }); }
      remove() {
        if (this.state !== State.Open) { throw new Error('shut'); }
        this.state = State.Gone;
      }
      private when(state: State, run: () => void) {
        if (this.state !== state) { throw new Error('not now'); }
        run();
      }
    }
    """
    found = declare({"house/door.ts": source})
    assert "shut -> open\n        open -> gone\n        terminal: gone" in found
    assert "requires: door.state = shut" in found
    assert "ensures: door.state = shut" not in found
