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
