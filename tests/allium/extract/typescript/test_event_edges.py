"""Events for which the constructor of a class waits."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

SOCKET = """
enum State { Dialing, Open, Closed }
class Socket {
  private state = State.Dialing;
  constructor() {
    WAITS
  }
  close() {
    if (this.state !== State.Open) return;
    this.state = State.Closed;
  }
}
"""
OPENS = "this.state = State.Open;"
AGAIN = "        closed -> open\n"


def declare_waiting(code: str, more: str = "") -> str:
    source = SOCKET.replace("WAITS", code).replace("  close()", f"{more}\n  close()")
    return declare({"src/socket.ts": source})


@pytest.mark.parametrize(
    "code",
    [
        f"setTimeout(() => {{ {OPENS} }}, 4);",
        f"delay(function () {{ {OPENS} }}, this); this.log();",
    ],
)
def test_a_time_comes_once(code: str) -> None:
    told = declare_waiting(code)
    assert "        dialing -> open\n        open -> closed\n" in told
    assert AGAIN not in told
    # Others lead there before.
    assert AGAIN in declare_waiting(code, "stop() { this.state = State.Closed; }")


@pytest.mark.parametrize(
    "code",
    [
        f"this.peer.on('open', () => {{ {OPENS} }});",
        f"setInterval(() => {{ {OPENS} }}, 4);",
        f"setTimeout(() => {{ {OPENS} setTimeout(() => this.log()); }}, 4);",
    ],
)
def test_an_event_comes_again(code: str) -> None:
    assert AGAIN in declare_waiting(code)


def test_a_step_that_a_time_runs_begins_once() -> None:
    step = f"private _open() {{ {OPENS} }}"
    assert AGAIN not in declare_waiting("setTimeout(() => this._open(), 4);", step)
    assert AGAIN in declare_waiting("this.peer.on('open', () => this._open());", step)


@pytest.mark.parametrize(
    "code",
    [
        f"this.dial().then(() => {{ {OPENS} }});",
        f"this.dial().then((peer) => {{ {OPENS} }}).catch(() => this.log());",
        f"this.ready = new Promise((done) => {{ dial((error) => {{ {OPENS} done(); }}); }});",
        f"dial(this.url, () => {{ {OPENS} }});",
    ],
)
def test_what_goes_on_behind_a_constructor_goes_on_from_where_that_ends(code: str) -> None:
    told = declare_waiting(code)
    assert "        dialing -> open\n        open -> closed\n" in told
    assert AGAIN not in told


def test_a_promise_may_come_after_what_others_do_until_then() -> None:
    code, stops = f"this.dial().then(() => {{ {OPENS} }});", "stop() { this.state = State.Closed; }"
    assert AGAIN in declare_waiting(code, stops)
    # Of what nobody knows when it comes, only the first time is sure.
    assert AGAIN not in declare_waiting(f"dial(() => {{ {OPENS} }});", stops)


def test_a_step_that_a_promise_runs_is_over_before_that_fails() -> None:
    fails = "this._dial().catch(() => { this.state = State.Failed; });"
    step = f"private async _dial() {{ await this.peer; {OPENS} }}"
    source = SOCKET.replace("Closed }", "Closed, Failed }").replace("WAITS", fails)
    told = declare({"src/socket.ts": source.replace("  close()", f"  {step}\n  close()")})
    assert "        dialing -> failed\n        open -> closed\n" in told
    assert "closed -> failed" not in told
    assert "failed -> open" not in told
