"""States that a class has by their places in a tuple."""

import pytest

from tests.allium.extract.declared import declare_python

PARCEL = """
class Parcel:
    STEPS = ("new", "packed", "sent")
    LOST = ("lost",)
    OVER = ("received",)

    def __init__(self):
        self.status = self.STEPS[0]

    def go_on(self):
        if self.status in self.LOST:
            return
        for at, step in enumerate(self.STEPS):
            if step == self.status:
                if at < len(self.STEPS) - 1:
                    self.status = self.STEPS[at + 1]
                else:
                    self.status = self.OVER[0]
                return
        raise ValueError(self.status)

    def lose(self):
        if self.status not in self.STEPS:
            raise ValueError("gone")
        self.status = "lost"
"""
LOOP = PARCEL[PARCEL.index("        for at") : PARCEL.index("    def lose")]
MOVES = ["new -> packed", "new -> lost", "packed -> sent", "packed -> lost"]


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_loop() -> None:
    assert {*list_edges(PARCEL)} == {*MOVES, "sent -> lost", "sent -> received"}


@pytest.mark.parametrize("owner", ["self", "Parcel"])
def test_index(owner: str) -> None:
    step = f"{owner}.STEPS[{owner}.STEPS.index(self.status) + 1]"
    assert {*list_edges(PARCEL.replace(LOOP, f"        self.status = {step}\n\n"))} == {
        *MOVES,
        "sent -> lost",
    }


def test_next_one_in_a_ring() -> None:
    step = "self.STEPS[(self.STEPS.index(self.status) + 1) % len(self.STEPS)]"
    text = declare_python(PARCEL.replace(LOOP, f"        self.status = {step}\n\n"))
    assert "new -> packed" in text
    assert "sent -> new" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [('("new", "packed", "sent")', "load_steps()"), ("self.STEPS[at + 1]", "self.find(at)")],
)
def test_unknown_places(old: str, new: str) -> None:
    assert "new -> packed" not in declare_python(PARCEL.replace(old, new))
