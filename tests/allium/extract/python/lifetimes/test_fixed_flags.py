"""A flag of the constructor that decides on the first state keeps two kinds of objects apart."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

PHASE = "export enum Phase { Calling, Listening, Sent, Answered, Ready }\n"
SOCKET = """
export class Socket {
  public initiator: boolean;
  private phase: Phase;
  constructor(stream: Stream, key?: Buffer) {
    this.initiator = key !== undefined;
    this.phase = this.initiator ? Phase.Calling : Phase.Listening;
    stream.on('connect', this._onConnect.bind(this));
    stream.on('data', this._onData.bind(this));
  }
  _onConnect() {
    if (this.initiator) this._call();
  }
  _onData() {
    switch (this.phase) {
      case Phase.Calling: throw new Error('too early');
      case Phase.Listening: this._answer(); break;
      case Phase.Sent: this._finish(); break;
      case Phase.Answered: this._finish(); break;
    }
  }
  _call() { this.phase = Phase.Sent; }
  _answer() { this.phase = Phase.Answered; }
  _finish() { this.phase = Phase.Ready; }
}
"""
EDGES = ["calling -> sent", "listening -> answered", "sent -> ready", "answered -> ready",
         "ready -> sent"]  # fmt: skip
MIXED = ["listening -> sent", "answered -> sent"]


def list_edges(files: dict[str, str]) -> list[str]:
    return [line.strip() for line in declare(files).split("\n") if "->" in line]


@pytest.mark.parametrize("is_near", [True, False])
def test_what_asks_for_the_flag_begins_in_the_states_of_its_objects(is_near: bool) -> None:
    if is_near:
        found = list_edges({"net/socket.ts": PHASE + SOCKET})
    else:
        source = f"import {{ Phase }} from './phase';\n{SOCKET}"
        found = list_edges({"net/socket.ts": source, "net/phase.ts": PHASE})
    assert sorted(found) == sorted(EDGES)


def test_a_parameter_is_what_the_flag_is() -> None:
    source = SOCKET.replace("key?: Buffer", "calls: boolean").replace("key !== undefined", "calls")
    source = source.replace("this.initiator ?", "calls ?")
    assert sorted(list_edges({"net/socket.ts": PHASE + source})) == sorted(EDGES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_call() {", "turn() { this.initiator = !this.initiator; }\n  _call() {"),
        ("this.initiator ? Phase.Calling", "stream.isOpen ? Phase.Calling"),
    ],
)
def test_a_flag_that_changes_or_decides_nothing_keeps_none_apart(old: str, new: str) -> None:
    found = list_edges({"net/socket.ts": PHASE + SOCKET.replace(old, new)})
    assert {*MIXED} <= {*found}
