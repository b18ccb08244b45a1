"""A field that tells why, or of which kind, goes through no states."""

import pytest

from git_retcon.allium.extract.marked_fields import is_mark
from git_retcon.allium.extract.source_facts import Edge
from tests.allium.extract.declared import declare as declare_files
from tests.allium.extract.declared import declare_python

ORDER = """
from dataclasses import dataclass
from enum import Enum

class Value(Enum):
    LOST = 1
    LATE = 2
    FOUND = 3

@dataclass
class Order:
    id: int
    {field}: Value = Value.LOST
    total: int = 0

    def lose(self):
        self.{field} = Value.LOST

    def find(self):
        self.{field} = Value.FOUND

    def delay(self):
        {guard}
        self.{field} = Value.LATE

    def pay(self):
        if self.total < 1:
            raise ValueError
        self.{field} = Value.LATE
"""


def declare(field: str, guard: str = "pass") -> str:
    return declare_python(ORDER.replace("{field}", field).replace("{guard}", guard))


@pytest.mark.parametrize(
    "field",
    ["reason", "closed_by", "order_type", "orderType", "kind", "direction", "state_reason"],
)
def test_no_transition_is_claimed_where_each_value_comes_from_any(field: str) -> None:
    told = declare(field)
    assert f"    {field}: Value\n" in told
    assert "->" not in told
    # What an operation demands besides is a rule still.
    assert "rule OrderPay {\n    when: PayOrder(order)\n    requires: order.total >= 1\n" in told
    assert "rule OrderLose" not in told


@pytest.mark.parametrize("field", ["status", "state", "lost_by_mail", "state_type", "stateKind"])
def test_any_other_field_has_states(field: str) -> None:
    assert "        lost -> late\n        lost -> found\n        late -> lost\n" in declare(field)


def test_a_version_is_no_state_though_another_one_is_tried() -> None:
    guard = "if self.{field} != Value.LOST:\n            raise ValueError"
    assert "lost -> late" in declare("status", guard.format(field="status"))
    told = declare("protocol", guard.format(field="protocol"))
    assert "    protocol: Value\n" in told
    assert "->" not in told


def test_a_kind_that_an_operation_demands_has_states() -> None:
    source = ORDER.partition("    def pay")[0].replace("{field}", "kind")
    told = declare_python(source.replace("{guard}", "if self.kind != Value.LOST: raise ValueError"))
    assert "        lost -> late\n" in told
    assert (
        "rule OrderDelay {\n    when: DelayOrder(order)\n    requires: order.kind = lost\n" in told
    )


def test_a_value_that_comes_from_some_others_follows_these() -> None:
    values = ("a", "b", "c")
    assert is_mark("kind", [Edge("a", "b"), Edge("c", "b")], values)
    assert is_mark("kind", [Edge("*", "b")], values)
    assert not is_mark("kind", [Edge("a", "b")], values)
    assert not is_mark("kind", [], values)


GAME = """
from enum import Enum

class Stage(Enum):
    LOBBY = 1
    LIVE = 2
    ENDED = 3

class Validity(Enum):
    VALID = 1
    BAD_MAP = 2
    TOO_SHORT = 3

class Game:
    def __init__(self):
        self.stage = Stage.LOBBY
        self.{field} = Validity.VALID

    def launch(self):
        if self.stage is not Stage.LOBBY:
            raise ValueError("launched already")
        self.stage = Stage.LIVE

    def end(self):
        self.stage = Stage.ENDED
        if self.{field} is Validity.VALID:
            self.{field} = Validity.TOO_SHORT

    def rate(self):
        {asked}
        self.{field} = Validity.BAD_MAP
"""


def declare_game(field: str, asked: str = "pass") -> str:
    return declare_python(GAME.replace("{field}", field).replace("{asked}", asked))


def test_what_is_kept_beside_the_state_that_operations_ask_for_has_no_transitions() -> None:
    told = declare_game("validity")
    assert "lobby -> live" in told
    assert "    validity: Validity\n" in told
    assert "valid -> " not in told
    assert "game.validity = bad_map" in told.partition("rule GameRate {")[2]


def test_what_a_library_declares_as_a_machine_has_transitions_beside_any_state() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMField, transition

class Status(models.TextChoices):
    NEW = "new"
    SENT = "sent"

class Parcel(models.Model):
    status = models.CharField(choices=Status.choices, default=Status.NEW)
    progress = FSMField(choices=[("none", "None"), ("packed", "Packed")])

    def send(self):
        if self.status != Status.NEW:
            raise ValueError("sent already")
        self.status = Status.SENT

    @transition(progress, source="*", target="packed")
    def pack(self): ...
""")
    assert "        none -> packed\n" in told


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("validity_state", "pass"),
        ("validity", "if self.validity is Validity.BAD_MAP: raise ValueError"),
    ],
)
def test_a_second_field_is_a_state_by_its_name_or_where_operations_ask_for_it(
    field: str, asked: str
) -> None:
    assert "valid -> bad_map" in declare_game(field, asked)


def test_what_leads_to_an_operation_that_only_names_a_kind_is_no_rule() -> None:
    source = ORDER.partition("    def find")[0].replace("{field}", "kind")
    step = source.replace("def lose", "def _lose") + "\n    def drop(self):\n        self._lose()\n"
    told = declare_python(step)
    assert "rule" not in told


def test_an_operation_says_nothing_of_a_kind_whose_values_another_file_lists() -> None:
    order = """
import { Sort } from './sort'
export class Order {
  private sort: number;
  private kind: Sort;
  update(found: number) {
    switch (found) {
      case 0: this.kind = 'new'; break;
      case 1: this.kind = 'late'; break;
      case 2: this.kind = 'lost'; break;
    }
  }
}
"""
    sort = "export type Sort = 'new' | 'late' | 'lost'\n"
    told = declare_files({"order.ts": order, "sort.ts": sort})
    assert "    kind: sort/Sort\n" in told
    assert "rule" not in told
    status = order.replace("kind", "status")
    assert "rule OrderUpdate" in declare_files({"order.ts": status, "sort.ts": sort})
