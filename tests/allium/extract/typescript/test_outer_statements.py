"""What is at the top of a file, also inside blocks that run at once."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
  const State = { OPEN: 'open', SHUT: 'shut' };
  class Door {
    constructor() { this.state = State.SHUT; }
    open() {
      if (this.state !== State.SHUT) { throw new Error('open'); }
      this.state = State.OPEN;
    }
  }
"""


@pytest.mark.parametrize(
    "block",
    [
        "{DOOR}",
        "'use strict';\n{ {DOOR} }\nrun();",
        "(function () {DOOR})();",
        "(() => {DOOR})();",
        "!function () {DOOR}();",
        "(async function () {DOOR}).call(this);",
    ],
)
def test_a_class_inside_a_block_is_one_of_the_file(block: str) -> None:
    found = declare({"house/door.js": block.replace("{DOOR}", f"{{{DOOR}}}")})
    assert "        shut -> open\n" in found


@pytest.mark.parametrize("block", ["function make() {DOOR}", "run(() => {DOOR});", "if (x) {DOOR}"])
def test_a_class_that_may_never_be_is_none(block: str) -> None:
    assert "Door" not in declare({"house/door.js": block.replace("{DOOR}", f"{{{DOOR}}}")})
