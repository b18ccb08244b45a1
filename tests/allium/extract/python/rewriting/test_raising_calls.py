"""Calls that are named for the error that they raise."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

DEAL = """
class Deal:
    def __init__(self, base):
        self.base = base
        self.state = "new"

    def start(self):
        if self.state != "new":
            RAISE
        self.state = "open"

    def close(self):
        self.state = "closed"
"""
REFUSED = ["new -> open", "new -> closed", "open -> closed"]


def list_edges(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if " -> " in line]


@pytest.mark.parametrize(
    "call",
    [
        "self.base.raise_client_error(1)",
        "raise_error('no')",
        "errors._raise_exception(self)",
        "errors.raise_state_error(self)",
        "frappe.throw(_('no'))",
        "throw(_('no'), frappe.ValidationError)",
    ],
)
def test_they_refuse(call: str) -> None:
    told = declare_python(DEAL.replace("RAISE", call))
    assert list_edges(told) == REFUSED
    assert "    requires: deal.state = new\n" in told


@pytest.mark.parametrize(
    "call",
    [
        "self.base.raise_for_error()",
        "self.base.raise_if_any_error()",
        "self.base.raise_event()",
        "self.base.raise_()",
        "x = self.base.raise_error",
        "self.ball.throw(1)",
        "frappe.msgprint('no')",
    ],
)
def test_what_may_raise_or_raises_something_else_does_not(call: str) -> None:
    assert "closed -> open" in list_edges(declare_python(DEAL.replace("RAISE", call)))


def test_a_step_of_the_object_is_known_by_what_it_does() -> None:
    step = "\n    def raise_error(self):\n        print(1)\n"
    found = list_edges(declare_python(DEAL.replace("RAISE", "self.raise_error()") + step))
    assert "closed -> open" in found


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize(
    "refusal",
    [
        "if (this.state !== 'new') Errors.throwStateError(this)",
        "if (this.state !== 'new') throwError('no')",
        "Contract.assertTrue(this.state === 'new', 'no')",
    ],
)
def test_so_they_do_in_typescript(refusal: str) -> None:
    source = """
type State = 'new' | 'open' | 'closed'
export class Deal {
  private state: State = 'new'
  start() { REFUSAL; this.state = 'open' }
  close() { this.state = 'closed' }
}
"""
    told = declare({"src/deal.ts": source.replace("REFUSAL", refusal)})
    assert list_edges(told) == REFUSED
    assert "    requires: deal.state = new\n" in told
