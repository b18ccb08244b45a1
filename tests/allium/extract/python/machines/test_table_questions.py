"""Which tables of transitions the operations of a class ask."""

import pytest

from tests.allium.extract.python.tabled_order import TABLE, list_graph


def test_a_class_that_asks_no_table_does_not_go_through_it() -> None:
    assert list_graph("") == []
    cancel = """
    def cancel(self):
        if self.status == Status.SENT:
            self.status = Status.NEW

    def go(self):
        if self.status == Status.NEW:
            self.status = Status.SENT
        elif self.status == Status.PAID:
            self.status = Status.SENT
"""
    assert list_graph(cancel) == ["new -> sent", "paid -> sent", "sent -> new"]


MOVE = """
    def move(self, new):
        check(self.status, new)
        self.status = new
"""


def test_an_operation_beside_it_that_asks_nothing_adds_what_it_does() -> None:
    back = """
    def take_back(self):
        if self.status == Status.SENT:
            self.status = Status.NEW
"""
    assert list_graph(MOVE + back) == [*TABLE, "sent -> new"]
    asked = back.replace(
        "            self", "            check(self.status, Status.NEW)\n            self"
    )
    assert list_graph(MOVE + asked) == [*TABLE, "terminal: sent"]


def test_a_setter_beside_it_that_asks_nothing_leaves_the_last_state_open() -> None:
    setter = """
    def set_status(self, status):
        self.status = status
"""
    assert list_graph(MOVE + setter) == []


def test_a_step_asks_for_all_that_run_it() -> None:
    code = """
    def _set(self, new):
        if new not in NEXT[self.status]:
            raise ValueError(new)
        self.status = new

    def move(self, new):
        self._set(new)
"""
    assert list_graph(code) == [*TABLE, "terminal: sent"]
    outside = code.replace(
        "        if new not in NEXT[self.status]:\n            raise ValueError(new)\n", ""
    )
    checked = outside.replace(
        "        self._set(new)", "        check(self.status, new)\n        self._set(new)"
    )
    assert list_graph(outside) == []
    assert list_graph(checked) == [*TABLE, "terminal: sent"]


PAY = """
    def pay(self):
        if self.status == Status.NEW:
            self.status = Status.PAID

    def send(self):
        if self.status == Status.PAID:
            self.status = Status.SENT
"""


@pytest.mark.parametrize(
    "setter",
    [
        "    def set_status(self, status):\n        self.status = status\n",
        "    def load(self, data):\n        self.status = Status(data['status'])\n",
        "    def _set(self, status):\n        self.status = status\n",
        "    def put(self, status):\n        self._set(status)\n"
        "    def _set(self, status):\n        self.status = status\n",
    ],
)
def test_beside_what_sets_any_state_none_is_the_last(setter: str) -> None:
    assert list_graph(PAY) == ["new -> paid", "paid -> sent", "terminal: sent"]
    assert list_graph(PAY + setter) == []
    again = "    def undo(self):\n        if self.status == Status.SENT:\n" \
            "            self.status = Status.NEW\n"  # fmt: skip
    assert list_graph(PAY + again + setter) == ["new -> paid", "paid -> sent", "sent -> new"]


@pytest.mark.parametrize(
    "setter",
    [
        "    def set_status(self, status):\n        if self.status == Status.SENT:\n"
        "            return\n        self.status = status\n",
        "    def set_status(self, status):\n        self.status = status\n"
        "    def again(self):\n        if self.status == Status.NEW:\n"
        "            self.set_status(Status.PAID)\n",
        "    def _set(self, status):\n        self.status = status\n"
        "    def mark(self, ok):\n        if self.status == Status.NEW:\n"
        "            self._set(Status.PAID if ok else Status.NEW)\n",
        "    def forget(self):\n        self.status = None\n",
        "    def __setstate__(self, data):\n        self.status = data['status']\n",
    ],
)
def test_what_does_not_leave_the_last_state_says_nothing_of_it(setter: str) -> None:
    assert "terminal: sent" in list_graph(PAY + setter)
