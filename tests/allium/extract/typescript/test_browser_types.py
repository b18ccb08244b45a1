"""States that every browser has."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

PLAYER = """
BEFORE
export class Player {
  state: AnimationPlayState = 'idle';
  play() { if (this.state !== 'idle') { throw new Error(); } this.state = 'running'; }
  end() { if (this.state === 'running') { this.state = 'finished'; } }
}
"""


def test_a_type_of_the_browser_has_its_states() -> None:
    found = declare({"web/player.ts": PLAYER.replace("BEFORE", "")})
    assert "state: idle | running | paused | finished" in found
    assert "        idle -> running\n        running -> finished\n" in found


@pytest.mark.parametrize(
    "before",
    [
        "import { AnimationPlayState } from 'animations';",
        "type AnimationPlayState = string;",
        "export type AnimationPlayState = 'idle' | 'running';",
        "enum AnimationPlayState { Idle, Running }",
        "interface AnimationPlayState { name: string }",
    ],
)
def test_a_file_may_mean_another_by_the_name(before: str) -> None:
    assert "paused" not in declare({"web/player.ts": PLAYER.replace("BEFORE", before)})


SOCKET = """
BEFORE
export class Line {
  constructor() { this.state = WebSocket.CLOSED; }
  open() { if (this.state !== WebSocket.CLOSED) return; this.state = WebSocket.OPEN; }
  close() { this.state = WebSocket.CLOSED; }
}
"""


@pytest.mark.parametrize("before", ["", "import WebSocket from 'ws';"])
def test_constants_of_a_class_of_the_browser_are_states(before: str) -> None:
    found = declare({"web/line.js": SOCKET.replace("BEFORE", before)})
    assert "state: closed | open" in found
    assert "        closed -> open\n        open -> closed\n" in found


@pytest.mark.parametrize(
    "before",
    [
        "import WebSocket from './socket';",
        "class WebSocket { send() {} }",
    ],
)
def test_a_file_may_have_other_constants_of_that_name(before: str) -> None:
    """Of these it is not known which comes first."""
    order = "state > WebSocket.CLOSED || this.state === WebSocket.OPEN"
    asked = SOCKET.replace("state !== WebSocket.CLOSED", order)
    assert "closed -> open" in declare({"web/line.js": asked.replace("BEFORE", "")})
    assert "closed -> open" not in declare({"web/line.js": asked.replace("BEFORE", before)})
