"""Attributes that ``__init__`` sets, and whose presence a method asks for."""

import pytest

from tests.allium.extract.declared import declare_python

IMAGE = """
class Image:
    NEXT = {"queued": ("saving",), "saving": ("active", "queued"), "active": ()}

    def __init__(self, status, size):
        self._size = size
        self.status = status

    @property
    def status(self):
        return self._status

    @status.setter
    def status(self, status):
        ASKED
        self._status = status

    def resize(self, size):
        if hasattr(self, "_size") and self._status != "queued":
            raise RuntimeError("too late")
        self._size = size
"""
REFUSED = "if status not in self.NEXT[self._status]:"
PLAIN = f"""{REFUSED}
            raise ValueError(status)"""
NAMED = f"""is_set = hasattr(self, "_status")
        if is_set:
            {REFUSED}
                raise ValueError(status)"""
TURNED = f"""if not hasattr(self, "_status"):
            self.begin()
        else:
            {REFUSED}
                raise ValueError(status)"""
MOVES = ["queued -> saving", "saving -> queued", "saving -> active"]


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


@pytest.mark.parametrize("asked", [PLAIN, NAMED, TURNED])
def test_a_setter_goes_by_what_it_asks_of_an_object_that_is_made(asked: str) -> None:
    assert list_edges(IMAGE.replace("ASKED", asked)) == MOVES


def test_a_refusal_is_one_by_the_state_alone() -> None:
    told = declare_python(IMAGE.replace("ASKED", PLAIN))
    assert "requires: image.status = queued" in told


@pytest.mark.parametrize(
    "taken", ["del self._status", 'delattr(self, "_status")', 'self.__dict__.pop("_status")']
)
def test_what_a_method_takes_away_may_be_missing(taken: str) -> None:
    source = f"{IMAGE}\n    def forget(self):\n        {taken}\n"
    assert list_edges(source.replace("ASKED", NAMED)) == []


def test_what_init_does_not_set_may_be_missing() -> None:
    source = IMAGE.replace("        self._size = size\n        self.status", "        self.status")
    assert "requires: image.status = queued" not in declare_python(source.replace("ASKED", PLAIN))


def test_what_init_may_leave_out_may_be_missing() -> None:
    source = IMAGE.replace(
        "        self._size = size\n",
        "        if not size:\n            return\n        self._size = size\n",
        1,
    )
    assert "requires: image.status = queued" not in declare_python(source.replace("ASKED", PLAIN))
