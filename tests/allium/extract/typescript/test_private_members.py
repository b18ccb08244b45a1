"""Members of a class that it keeps for itself."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

GATE = """
type Gate = 'shut' | 'open' | 'broken';
export class Barrier {
  gate: Gate = 'shut';
  lift() {
    if (this.gate !== 'shut') { throw new Error('not shut'); }
    this.smash();
  }
  private smash() { this.gate = 'open'; }
}
"""


@pytest.mark.parametrize("name", ["private smash", "#smash", "/** @private */ smash"])
def test_only_its_class_runs_what_is_private(name: str) -> None:
    source = GATE.replace("private smash", name)
    source = source.replace("this.smash", "this.#smash") if name[0] == "#" else source
    found = declare({"door/barrier.ts": source})
    assert "shut -> open" in found
    assert "broken -> open" not in found


def test_others_run_what_is_not() -> None:
    assert "broken -> open" in declare({"door/barrier.ts": GATE.replace("private smash", "smash")})
