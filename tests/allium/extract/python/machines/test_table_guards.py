"""What a method asks of tables before it sets a state."""

import pytest

from tests.allium.extract.declared import declare_python
from tests.allium.extract.python.tabled_order import HEAD, TABLE, list_graph


@pytest.mark.parametrize(
    "asked",
    [
        "if new not in NEXT[self.status]:\n            raise ValueError",
        "if not (new in NEXT[self.status]):\n            return",
        "if new != self.status and new not in NEXT[self.status]:\n            raise ValueError",
        "allowed = NEXT.get(self.status, ())\n        if new not in allowed:\n            return",
        "old = self.status\n        if new not in NEXT[old]:\n            raise ValueError",
        "check(self.status, new)",
        "self._refuse(new)",
        "if new != self.status:\n            check(self.status, new)",
        "assert new in NEXT[self.status]",
        "if new in NEXT[self.status]:\n            pass\n        else:\n            return",
    ],
)
def test_one_that_asks_before_it_sets_a_state_goes_through_the_whole(asked: str) -> None:
    code = f"""
    def _refuse(self, new):
        if new not in NEXT[self.status]:
            raise ValueError(new)

    def move(self, new):
        {asked}
        self.status = new
"""
    assert list_graph(code) == [*TABLE, "terminal: sent"]


def test_what_is_set_where_the_answer_is_yes_has_asked() -> None:
    code = """
    def move(self, new):
        if new in NEXT[self.status]:
            self.status = new
"""
    assert list_graph(code) == [*TABLE, "terminal: sent"]
    assert list_graph(code.replace("if new in", "if force or new in")) == []


@pytest.mark.parametrize(
    ("sign", "asked"),
    [
        ("force=False", "if not force and new not in NEXT[self.status]:\n            return"),
        ("is_checked=True", "if is_checked:\n            check(self.status, new)"),
        ("force=False", "self._refuse(new, force)"),
    ],
)  # fmt: skip
def test_where_the_question_may_be_left_out_no_state_is_known_to_be_the_last(
    sign: str, asked: str
) -> None:
    code = f"""
    def _refuse(self, new, force=False):
        if force:
            return
        if new not in NEXT[self.status]:
            raise ValueError(new)

    def move(self, new, {sign}):
        {asked}
        self.status = new
"""
    assert list_graph(code) == []
    assert "an operation may set any state, or none. Does it leave sent?" in declare_python(
        HEAD + code
    )
