"""What the calls of a class hand its own methods."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LOADER = """
export class Loader {
  constructor() { this.state = 'EMPTY'; }
  load() {
    if (this.state !== 'EMPTY') { throw new Error('loaded'); }
    const before = this.state;
    this.renew_(1, before);
    this.state = 'BUSY';
    this.ask((error) => {
      if (error) { return this.failed_(error, before); }
      this.state = 'FULL';
    });
  }
  renew_(count, previous) { this.failed_(count, previous); }
  failed_(error, before) { this.error = error; this.state = before; }
}
"""


def test_a_method_may_give_back_the_state_that_its_callers_had() -> None:
    found = declare({"net/loader.js": LOADER})
    assert "state: empty | busy | full" in found
    assert "empty -> busy" in found


def test_an_argument_may_be_left_out_where_it_gives_no_state_then() -> None:
    less = LOADER.replace("failed_(error, before); }", "failed_(error); }")
    assert "->" not in declare({"net/loader.js": less})
    guarded = less.replace("this.state = before;", "if (before) { this.state = before; }")
    assert "empty -> busy" in declare({"net/loader.js": guarded})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("this.failed_(error, before)", "this.failed_(error, read())"),
        ("this.failed_(error, before)", "this.failed_(...error)"),
        ("this.ask((error)", "this.ask(this.failed_, (error)"),
        ("this.renew_(1, before)", "this.renew_(1, read())"),
        ("failed_(error, before) {", "failed_(error, before) { before = read();"),
        ("failed_(error, before) {", "failed_(error, { before }) {"),
        ("failed_(error, before) {", "failed_(error, before: string) {"),
    ],
)
def test_what_it_is_given_may_be_anything(old: str, new: str) -> None:
    assert old in LOADER
    assert "->" not in declare({"net/loader.js": LOADER.replace(old, new)})
