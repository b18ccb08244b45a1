"""States that a class lists, as a whole or as a table of what may follow."""

import pytest

from tests.allium.extract.declared import declare_python

JOB = """
class Job:
    STATES = ["Submitted", "Active", "Done", "Failed"]
    FINAL_STATES = ["Done", "Failed"]
    INIT_STATE = "Submitted"

    def __init__(self):
        self.status = Job.INIT_STATE

    def ask(self, told):
        if self.status in self.FINAL_STATES:
            return
        self.status = told.capitalize()

    def give_up(self):
        self.status = "Failed"
"""
GIVEN = ["submitted -> failed", "active -> failed", "done -> failed"]
PARCEL = """
NEXT = {"new": ["sent"], "sent": ["lost", "done"]}

class Parcel:
    def __init__(self, state):
        self.state = state

    def move(self, state):
        if state not in NEXT[self.state]:
            raise ValueError
        self.state = state
"""
FOLLOWING = "state: new | sent | lost | done"


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


@pytest.mark.parametrize("name", ["STATES", "ALL_STATES", "_STATUSES"])
def test_they_are_all_of_a_field_that_gets_some_of_them(name: str) -> None:
    source = JOB.replace(" STATES", f" {name}")
    assert "    status: submitted | active | done | failed\n" in declare_python(source)
    assert list_edges(source) == GIVEN
    assert "INIT_STATE" not in declare_python(source)  # a constant is no field


def test_a_list_may_name_more_than_the_class_sets() -> None:
    source = JOB.replace("told.capitalize()", '"Active"').replace("self.FINAL_STATES", '["Failed"]')
    assert "    status: submitted | active | done | failed\n" in declare_python(source)


@pytest.mark.parametrize(
    "other",
    [
        JOB.replace(" STATES", " OPEN_STATES"),  # some of them, as its name says
        JOB.replace('self.status = "Failed"', 'self.status = "Lost"'),
        JOB.replace("self.status", "self.title"),
    ],
)
def test_lists_of_others_say_nothing(other: str) -> None:
    assert list_edges(other) == []


def test_a_table_of_what_may_follow_has_all_that_are_asked_of_it() -> None:
    told = declare_python(PARCEL)
    assert FOLLOWING in told
    assert list_edges(PARCEL) == ["new -> sent", "sent -> lost", "sent -> done"]


def test_what_a_state_permits_is_no_state() -> None:
    permitted = PARCEL.replace('["sent"], "sent": ["lost", "done"]', '["read"], "sent": ["write"]')
    assert "read" not in declare_python(permitted)


def test_a_table_of_something_else_lists_no_states() -> None:
    other = PARCEL.replace('["lost", "done"]', "print").replace('["sent"]', "print")
    assert FOLLOWING not in declare_python(other)
    assert FOLLOWING not in declare_python(PARCEL.replace("NEXT[self.state]", 'NEXT["new"]'))
