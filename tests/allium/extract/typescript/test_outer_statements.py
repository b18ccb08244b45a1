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
        "define(['house'], function (house) {DOOR});",
        "(function (root, make) { make(root); })(this, function (root) {DOOR});",
    ],
)
def test_a_class_inside_a_block_is_one_of_the_file(block: str) -> None:
    found = declare({"house/door.js": block.replace("{DOOR}", f"{{{DOOR}}}")})
    assert "        shut -> open\n" in found


@pytest.mark.parametrize("block", ["function make() {DOOR}", "run(() => {DOOR});", "if (x) {DOOR}"])
def test_a_class_that_may_never_be_is_none(block: str) -> None:
    assert "Door" not in declare({"house/door.js": block.replace("{DOOR}", f"{{{DOOR}}}")})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("const Door = register(class Door", ")"),
        ("exports.Door = class Door", ";"),
        ("export const Kept = class Door", ";"),
        ("export const Made = register({ name: 'door' }, class Door", ", 1)"),
    ],
)
def test_a_class_may_be_handed_on_where_it_gets_its_name(before: str, after: str) -> None:
    source = DOOR.replace("class Door", before).rstrip() + after
    assert "        shut -> open\n" in declare({"house/door.js": source})


def test_one_without_a_name_of_its_own_is_none() -> None:
    source = DOOR.replace("class Door", "const Door = register(class").rstrip() + ")"
    assert "shut -> open" not in declare({"house/door.js": source})
