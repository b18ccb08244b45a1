"""Variables that every way of a condition decides."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.decided_variables import decide_variables
from tests.allium.extract.declared import declare, declare_python

DOOR = """
class Door:
    def __init__(self):
        self.state = "open"

    def lock(self):
        if self.state != "closed":
            raise ValueError
        self.state = "locked"

    def close(self):
        CLOSE

    def _finish(self):
        self.state = "closed"
"""


def list_edges(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if " -> " in line]


@pytest.mark.parametrize(
    "close",
    [
        """
        is_last = False
        with self.guard:
            if self.state == "open":
                is_last = True
        if is_last:
            self._finish()
        """,
        """
        if self.state == "open":
            is_last = True
        else:
            is_last = False
        if not is_last:
            return
        self._finish()
        """,
        """
        if self.is_quick:
            is_last = self.state == "open"
        elif self.state != "open":
            return
        else:
            is_last = True
        if is_last:
            self._finish()
        """,
        """
        try:
            self.work()
            is_last = self.state == "open"
        except ValueError:
            is_last = False
        if is_last:
            self._finish()
        """,
        """
        is_done = True
        if self.state == "open":
            if self.is_quick:
                is_done = False
        if is_done:
            return
        self._finish()
        """,
    ],
    ids=["flag", "guard", "compared", "tried", "nested"],
)
def test_a_step_runs_where_its_variable_is_decided(close: str) -> None:
    found = list_edges(declare_python(DOOR.replace("CLOSE", close.strip())))
    assert found == ["open -> closed", "closed -> locked"]


def test_so_it_does_in_typescript() -> None:
    source = """
type State = 'open' | 'closed' | 'locked'
export class Door {
  private state: State = 'open'
  lock() { if (this.state !== 'closed') throw new Error(); this.state = 'locked' }
  close() {
    let isLast = false
    if (this.state === 'open') { this.log(); isLast = true }
    if (!isLast) return
    this.finish()
  }
  private finish() { this.state = 'closed' }
}
"""
    assert list_edges(declare({"src/door.ts": source})) == ["open -> closed", "closed -> locked"]


@pytest.mark.parametrize(
    "body",
    [
        # Nobody knows what it is where the condition does not hold.
        "    if a:\n        last = True\n    if last:\n        self.go()",
        # It is computed by what may be another thing behind it.
        "    if a:\n        last = self.b\n        self.b = 1\n    else:\n        last = False\n"
        "    if last:\n        self.go()",
        "    if a:\n        last = self.ask()\n    else:\n        last = False\n"
        "    if last:\n        self.go()",
        "    last = False\n    for b in a:\n        last = True\n    if last:\n        self.go()",
        "    last = False\n    try:\n        last = True\n    finally:\n        print()\n"
        "    if last:\n        self.go()",
        "    last = False\n    try:\n        last = True\n        self.a()\n    except E:\n"
        "        pass\n    if last:\n        self.go()",
        "    last, b = (False, 1)\n    if a:\n        last = True\n    if last:\n        self.go()",
        # Nothing of the object is at stake.
        "    last = False\n    if a:\n        last = True\n    if last:\n        print()",
    ],
)
def test_what_is_not_decided_everywhere_is_asked_as_before(body: str) -> None:
    source = f"def run(self):\n{body}"
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    decide_variables([node])
    assert ast.unparse(node) == source


def test_a_step_that_no_state_leads_to_begins_where_its_condition_holds() -> None:
    source = """
class Door:
    def __init__(self):
        self.state = "open"

    def restart(self):
        self.state = "restarting"
        if self.state == "closing":
            self._finish()
        self.state = "open"

    def close(self):
        self.state = "closing"

    def _finish(self):
        self.state = "closed"
"""
    found = list_edges(declare_python(source))
    assert "closing -> closed" in found
    assert "restarting -> closed" not in found
    assert "open -> closed" not in found
