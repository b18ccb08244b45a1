"""States of a base class that its heirs in other files move."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

BASE = """
const Status = { Gone: 0, Dialing: 1, Open: 2, Ready: 3 };
class Link extends EventEmitter {
  #status = Status.Gone;
  get status() { return this.#status; }
  set status(value) {
    this.emit('status', value);
    this.#status = value;
  }
  send(data) {
    if (this.status === Status.Gone) return;
    this.socket.write(data);
  }
}
module.exports = { Status, Link };
"""
CLIENT = """
const { Status, Link } = require('./link');
class Client extends Link {
  dial() {
    if (this.status !== Status.Gone) throw new Error();
    this.status = Status.Dialing;
  }
  close() { this.status = Status.Gone; }
}
module.exports = { Client };
"""
FILES = {"src/link.js": BASE, "src/client.js": CLIENT}


def test_heirs_move_what_the_setter_of_a_base_class_gives() -> None:
    told = declare(FILES)
    assert "entity Link {\n    status: gone | dialing | open | ready\n" in told
    assert "rule LinkSend {\n    when: SendLink(link)\n    requires: link.status != gone\n" in told
    assert "requires: client.status = gone\n    ensures: client.status = dialing\n" in told


def test_an_heir_leaves_the_states_that_its_files_name() -> None:
    more = "if (this.status === Status.Open) this.status = Status.Ready;"
    told = declare(FILES | {"src/client.js": CLIENT.replace("close() {", f"close() {{ {more}")})
    for left in ("gone -> dialing", "open -> ready", "dialing -> gone", "ready -> gone"):
        assert f"        {left}\n" in told
    # Another heir may give it the last two.
    told = declare(FILES)
    assert "no operation here leads to or from open, ready. What does?" in told
    assert "open -> gone" not in told
