"""A TypeScript file finds what it imports in the files that may be meant."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ENUM = "export enum Status { NEW = 'new', PAID = 'paid' }\n"
ORDER = """
import { Status } from '{source}';
export class Order {
  id: number;
  status: Status = Status.NEW;
  pay() {
    if (this.status !== Status.NEW) { throw new Error('late'); }
    this.status = Status.PAID;
  }
}
"""


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("./status", "apps/shop/src/status.ts"),
        ("./status.js", "apps/shop/src/status.ts"),
        ("../model", "apps/shop/model/index.ts"),
        ("@/model/status", "apps/shop/src/model/status.ts"),
        # A package of the same repository.
        ("@shop/shared", "packages/shared/src/index.ts"),
        ("@shop/shared", "libs/shared/index.ts"),
        ("@shop/shared/status", "packages/shared/src/status.ts"),
        ("@shop/shared/dist/status", "packages/shared/dist/status.ts"),
        ("@shop/shared/src/status", "apps/shared/src/status.ts"),
        ("@shop/shared/src/status", "shared/src/status.ts"),
    ],
)
def test_what_an_import_names(source: str, place: str) -> None:
    told = declare({"apps/shop/src/order.ts": ORDER.replace("{source}", source), place: ENUM})
    assert "        new -> paid\n" in told
    assert "Any -- Status" not in told


@pytest.mark.parametrize("source", ["@shop", "@/shared", "shared", "@shop/other"])
def test_what_is_in_no_such_package(source: str) -> None:
    files = {"apps/shop/src/order.ts": ORDER.replace("{source}", source)}
    told = declare({**files, "packages/shared/src/index.ts": ENUM})
    assert "status: Status" not in told


def test_what_a_package_passes_on() -> None:
    told = declare({
        "apps/shop/src/order.ts": ORDER.replace("{source}", "@shop/shared"),
        "packages/shared/src/index.ts": "export * from './entities';\n",
        "packages/shared/src/entities/index.ts": "export { Status } from './status';\n",
        "packages/shared/src/entities/status.ts": ENUM,
    })  # fmt: skip
    assert "        new -> paid\n" in told


CONNECTION = """
const EventEmitter = require('events');
REQUIRED
module.exports = class Connection extends EventEmitter {
  constructor() {
    super();
    this.status = NAME.IDLE;
  }
  connect() {
    if (this.status !== NAME.IDLE) { throw new Error(); }
    this.status = NAME.OPEN;
    this.socket.once('end', () => { this.status = NAME.CLOSED; });
  }
};
"""
LISTED = "const Status = { IDLE: 'idle', OPEN: 'open', CLOSED: 'closed' };\n"


@pytest.mark.parametrize(
    ("required", "name", "exported"),
    [
        ("const { Status } = require('./status');", "Status", "{ Status }"),
        ("const { Status: State, others } = require('./status');", "State", "{ Status }"),
        ("const State = require('./status').Status;", "State", "{ Status }"),
        ("const State = require('./status');", "State", "Status"),
        ("const codes = require('./status');", "codes.Status", "{ Status }"),
        ("import * as codes from './status';", "codes.Status", "{ Status }"),
    ],
)
def test_what_a_file_requires(required: str, name: str, exported: str) -> None:
    told = declare({
        "net/connection.js": CONNECTION.replace("REQUIRED", required).replace("NAME", name),
        "net/status.js": f"{LISTED}module.exports = {exported};\n",
    })  # fmt: skip
    assert "requires: connection.status = idle\n    ensures: connection.status = open" in told
    assert "idle -> open\n        open -> closed\n" in told
