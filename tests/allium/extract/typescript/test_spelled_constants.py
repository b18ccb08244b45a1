"""Constants that are texts which a union lists."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.spelled_constants import spell_constants
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
const STATUS = { NEW: 'new', PAID: 'paid', SENT: 'sent' } as const;
export class Order {
  status: 'new' | 'paid' | 'sent' = 'new';
  pay() {
    if (this.status !== STATUS.NEW) { throw new Error('paid'); }
    this.status = STATUS.PAID;
  }
  send() {
    if (this.status !== 'paid') { throw new Error('not paid'); }
    this.status = STATUS.SENT;
  }
}
"""


@pytest.mark.parametrize("owner", ["STATUS", "Order.STATUS"])
def test_an_object_of_the_file_or_of_the_class_has_them(owner: str) -> None:
    source = ORDER.replace("STATUS.", f"{owner}.")
    if owner != "STATUS":
        source = source.replace("const STATUS = {", "const OTHER = {").replace(
            "  status:",
            "  static readonly STATUS = { NEW: 'new', PAID: 'paid', SENT: 'sent' };\n  status:",
        )
    found = declare({"sales/order.ts": source})
    assert "new -> paid\n        paid -> sent\n        terminal: sent" in found
    assert "requires: order.status = new\n    ensures: order.status = paid" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NEW: 'new'", "NEW: makeNew()"),
        ("'new' | 'paid' | 'sent' = 'new'", "string = 'new'"),
        ("STATUS.", "other.STATUS."),
        ("const STATUS = {", "enum STATUS2 {} let STATUS = {"),
    ],
)
def test_what_is_no_such_constant_stays_as_it_is(old: str, new: str) -> None:
    source = (
        ORDER.replace(old, new).replace("STATUS.SENT", "'sent'").replace("STATUS.PAID", "'paid'")
    )
    if "let" in new:
        source += "STATUS = { NEW: 'newer' };"
    written = spell_constants(source.encode(), "tree_sitter_typescript", "language_typescript")
    assert written == source.encode()
