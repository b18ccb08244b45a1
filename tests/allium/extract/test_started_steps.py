"""Steps of an object whose states another file declares begin where they are handed on."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATUS = "export const Status = { Idle: 0, Connecting: 1, Open: 2, Done: 3, Failed: 4 };\n"
BASE = """
import { Status } from './status.js';
export class Base {
  constructor() { this._status = Status.Idle; }
}
"""
LOADER = """
import { Base } from './base.js';
import { Status } from './status.js';
export class Loader extends Base {
  open(url) {
    const socket = new WebSocket(url);
    socket.onopen = this._onOpen.bind(this);
    listen(socket, this._onError.bind(this));
    this._status = Status.Connecting;
  }
  finish() { if (this._status === Status.Open) this._status = Status.Done; }
  _onOpen() { this._status = Status.Open; }
  _onError() { this._status = Status.Failed; }
}
"""


def list_edges(loader: str, target: str) -> list[str]:
    files = {"io/status.js": STATUS, "io/base.js": BASE, "io/loader.js": loader}
    lines = [line.strip() for line in declare(files).split("value Loader")[1].split("\n")]
    return [line for line in lines if line.endswith(f" -> {target}")]


def test_a_step_begins_behind_what_hands_it_on() -> None:
    failed = ["connecting -> failed", "open -> failed", "done -> failed"]
    assert list_edges(LOADER, "failed") == failed
    opened = ["connecting -> open", "failed -> open"]
    assert list_edges(LOADER, "open") == opened


def test_a_step_that_hands_it_on_is_begun_itself() -> None:
    inner = LOADER.replace(
        "  finish()", "  _listen(socket) { listen(socket, this._onError); }\n  finish()"
    )
    inner = inner.replace("    listen(socket, this._onError.bind(this));\n", "")
    inner = inner.replace("Status.Connecting;\n", "Status.Connecting;\n    this._listen(socket);\n")
    assert "idle -> failed" not in list_edges(inner, "failed")
    assert "connecting -> failed" in list_edges(inner, "failed")


@pytest.mark.parametrize(
    "other", ["Loader.prototype._onError.call(one);", "function fail(one) { one._onError(); }"]
)
def test_what_others_run_begins_anywhere(other: str) -> None:
    assert "idle -> failed" in list_edges(LOADER + other, "failed")
