"""What expressions of a class name that may be a table."""

import pytest

from tests.allium.extract.python.tabled_order import TABLE, list_graph


@pytest.mark.parametrize(
    "code",
    [
        "    def may(self, new):\n        return new in NEXT[self.status]\n",
        "    def may(self, new):\n        old = self.status\n        return new in NEXT[old]\n",
        "    def may(self, new):\n        return bool(self.status) and new in self._list()\n"
        "    def _list(self):\n        return NEXT[self.status]\n",
    ],
)
def test_a_question_names_a_table_itself_or_by_a_variable_or_a_method(code: str) -> None:
    assert list_graph(code) == [*TABLE, "terminal: sent"]


@pytest.mark.parametrize(
    "code",
    [
        "    def may(self, old, new):\n        return new in NEXT[old]\n",
        "    def list_next(self):\n        return NEXT[self.status]\n",
        "    def has(self, word):\n        word = str(word)\n        return self.status in word\n",
    ],
)
def test_what_asks_nothing_of_its_own_state_names_none(code: str) -> None:
    assert list_graph(code) == []
