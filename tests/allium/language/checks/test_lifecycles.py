"""States that rules reach and leave, and the transitions that they make.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import diagnose, read

TASK = "entity Task { status: pending | running | completed | waiting }\n"
GRAPH = (
    "entity Order {\n    status: pending | confirmed | shipped\n    transitions status {\n"
    "        pending -> confirmed confirmed -> shipped\n        terminal: shipped\n    }\n}\n"
)


def move(name: str, *lines: str) -> str:
    return f"rule {name} {{\n    when: {name}It(task, order)\n    " + "\n    ".join(lines) + "\n}\n"


CREATE = move("Add", "ensures: Task.created(status: pending)")
START = move("Start", "requires: task.status = pending", "ensures: task.status = running")
FINISH = move("Finish", "requires: task.status = running", "ensures: task.status = completed")
PAUSE = move("Pause", "requires: task.status = running", "ensures: task.status = waiting")
RESUME = move("Resume", "requires: task.status = waiting", "ensures: task.status = running")
CONFIRM = move("Confirm", "requires: order.status = pending", "ensures: order.status = confirmed")
SHIP = move("Ship", "requires: order.status = confirmed", "ensures: order.status = shipped")


def say(text: str) -> list[str]:
    return [line.partition(" ")[2] for line in diagnose(text)]


def test_each_state_is_reached_and_left() -> None:
    """7 and 8, without transitions: ``completed`` is the last by what the word means."""
    assert say(TASK + CREATE + START + FINISH + PAUSE + RESUME) == []
    assert say(TASK + CREATE + START + FINISH) == [
        "warning status.unreachableValue: no rule sets 'Task.status' to 'waiting'",
        "warning status.noExit: no rule leads on from state 'waiting' of 'Task.status'; "
        "if it is the last, say so with 'transitions' and 'terminal:'",
    ]
    assert say(TASK + CREATE + START + FINISH + PAUSE) == [
        "warning status.noExit: no rule leads on from state 'waiting' of 'Task.status'; "
        "if it is the last, say so with 'transitions' and 'terminal:'"
    ]
    # A rule that demands no state leads on from each.
    assert (
        say(TASK + CREATE + START + PAUSE + move("End", "ensures: task.status = completed")) == []
    )


def test_each_edge_is_witnessed_by_a_rule() -> None:
    """7c: by a rule whose ``requires`` and ``ensures`` can produce the transition."""
    assert say(GRAPH + CONFIRM + SHIP) == []
    assert say(GRAPH + CONFIRM) == [
        "warning transitions.unwitnessedEdge: no rule takes 'Order.status' from 'confirmed' to "
        "'shipped'"
    ]
    becomes = "rule Go {\nwhen: o: Order.status becomes confirmed\nensures: o.status = shipped\n}"
    assert say(GRAPH + CONFIRM + becomes) == []
    branch = "if order.ready:\n            order.status = shipped"
    assert say(GRAPH + CONFIRM + move("Try", f"ensures:\n        {branch}")) == []
    chosen = "for each in order.bill.orders:\n            each.bill.status = shipped"
    assert say(GRAPH + CONFIRM + move("Try", f"ensures:\n        {chosen}")) == []


@pytest.mark.parametrize(
    "text",
    [
        TASK + CREATE,  # nothing moves it: the words are kinds, not states
        TASK + START + move("Set", "ensures: task.status = order"),  # any state may be meant
        TASK + START + "default Task first = { status: unknown }",
        TASK.replace("entity", "external entity") + START,
        "-- Source: task.py, Task\n" + TASK + START,
        TASK.replace("waiting", "`on-hold`") + CREATE + START + FINISH
        + move("Hold", "ensures: task.status = `on-hold`") + RESUME.replace("waiting", "`on-hold`"),
    ],
)  # fmt: skip
def test_what_is_not_known_for_certain_is_not_reported(text: str) -> None:
    found = [line for line in say(text) if "status." in line and "undefined" not in line]
    assert found == []


def test_an_entity_that_another_file_names_may_move_there() -> None:
    text = TASK + START
    assert any("unreachableValue" in line for line in diagnose(text))
    user = read(
        'use "./spec.allium" as t\nrule R {\nwhen: x: t/Task.created\nensures: B()\n}', b"u"
    )
    assert check([read(text), user]) == []
