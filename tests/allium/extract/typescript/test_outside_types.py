"""Types of TypeScript that no file of the tree has."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CLIENT = """
import { ConnectionState, Options } from 'engine';
export class Client {
  private state: ConnectionState = ConnectionState.Idle;
  open() {
    if (this.state !== ConnectionState.Idle) { throw new Error('busy'); }
    this.state = ConnectionState.InUse;
  }
  close() {
    if (this.state === ConnectionState.Closed) { return; }
    this.state = ConnectionState.Closed;
  }
}
"""
GRAPH = "idle -> in_use\n        idle -> closed\n        in_use -> closed\n"


def test_members_that_a_file_names_are_the_states_of_an_enum_from_outside() -> None:
    found = declare({"lib/client.ts": CLIENT})
    assert "state: idle | in_use | closed" in found
    assert GRAPH in found
    # What is called, or only told of, is none.
    text = CLIENT.replace("busy'", "busy', ConnectionState.format(this.state)")
    assert GRAPH in declare({"lib/client.ts": text + "// ConnectionState.Other"})


def test_an_enum_that_the_tree_has_says_itself_what_it_is() -> None:
    text = CLIENT.replace("'engine'", "'./engine'")
    enum = "export enum ConnectionState { Idle, InUse, Lost, Closed }"
    found = declare({"lib/client.ts": text, "lib/engine.ts": enum})
    assert "enum ConnectionState { idle | in_use | lost | closed }" in found
    assert "state: engine/ConnectionState" in found
    assert "->" not in declare({"lib/client.ts": text, "lib/engine.ts": "export const a = 1;"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ConnectionState", "Connection"),
        ("ConnectionState,", "* as ConnectionState,"),
        ("{ ConnectionState, Options }", "ConnectionState"),
    ],
)
def test_what_is_not_called_after_states_or_is_a_file_is_none(old: str, new: str) -> None:
    text = CLIENT.replace(old, new, -1 if new == "Connection" else 1)
    assert "->" not in declare({"lib/client.ts": text})


LINK = """
import type { Status } from '../..';
export class Link {
  public status: Status = 'not-connected';
  connect() {
    if (this.status === 'disabled') { return; }
    this.status = 'connected';
  }
  disable(hard = false) { this.status = hard ? 'disabled' : 'not-connected'; }
}
"""


def test_texts_that_a_class_gives_a_field_are_the_states_of_its_type() -> None:
    found = declare({"lib/net/link.ts": LINK})
    assert "status: not_connected | connected | disabled" in found
    assert "not_connected -> connected\n        not_connected -> disabled\n" in found
    assert "disabled -> connected" not in found
    told = "export type Status = 'not-connected' | 'connected' | 'lost' | 'disabled';"
    assert "lost -> connected" in declare({"lib/net/link.ts": LINK, "index.ts": told})


@pytest.mark.parametrize(
    ("old", "new"),
    [("hard ? 'disabled' : 'not-connected'", "read(hard)"), ("status", "label")],
)
def test_of_what_is_open_or_no_state_nothing_is_said(old: str, new: str) -> None:
    assert "->" not in declare({"lib/net/link.ts": LINK.replace(old, new)})
