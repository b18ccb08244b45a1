"""Texts and numbers that a TypeScript file gives names."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

POD = """
const Phase = Object.freeze({ New: 'new', Live: 'live' });
export class Pod {
  private phase = Phase.New;
  start() {
    if (this.phase !== Phase.New) { throw new Error('started'); }
    this.phase = Phase.Live;
  }
}
"""


@pytest.mark.parametrize("made", ["{ New: 'new', Live: 'live' }", "{ New: 1, Live: 2 } as const"])
def test_members_of_an_object_are_states(made: str) -> None:
    assert "new -> live" in declare({"pod.ts": POD})
    text = POD.replace("Object.freeze({ New: 'new', Live: 'live' })", made)
    assert "new -> live" in declare({"pod.ts": text})


def test_members_with_one_value_or_none_are_no_states() -> None:
    assert "phase: new" not in declare({"pod.ts": POD.replace("'live'", "'new'")})
    assert "phase: new" not in declare({"pod.ts": POD.replace("'live'", "make()")})


def test_texts_of_an_object_that_is_written_small_are_states() -> None:
    text = POD.replace("Phase", "phases").replace(".New", ".new").replace(".Live", ".live")
    text = text.replace(
        "Object.freeze({ New: 'new', Live: 'live' })", "{ new: 'new', live: 'live' }"
    )
    assert "new -> live" in declare({"pod.ts": text})
    numbers = text.replace("'new'", "10").replace("'live'", "20")
    assert "phase: new" not in declare({"pod.ts": numbers})
