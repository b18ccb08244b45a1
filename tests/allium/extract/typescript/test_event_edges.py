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
