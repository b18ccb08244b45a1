"""Methods of a class that set its state to what operations of other files give them."""

import ast

import pytest

from git_retcon.allium.extract.state_setters import parse_answer, parse_operation, parse_value
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

MODELS = """
import enum
from sqlalchemy import Column, Enum, Integer, String
from sqlalchemy.orm import declarative_base
Base = declarative_base()
class State(enum.Enum):
    NEW = 1
    BUILT = 2
    DONE = 3
    FAILED = 4
class Build(Base):
    __tablename__ = "b"
    id = Column(Integer, primary_key=True)
    state = Column(Enum(State), default=State.NEW)
    reason = Column(String)
    def transition(self, state, reason):
        if self.state == state:
            return False
        if self.state == State.FAILED:
            return False
        self.state = state
        self.reason = reason
        return True
"""
WORK = """
from app.models import Build, State
def build_it(build: Build):
    if build.state != State.NEW:
        raise ValueError()
    build.transition(State.BUILT, "x")

def finish(session, pk):
    build = session.query(Build).filter(Build.id == pk).one()
    if build.state != State.BUILT:
        return
    build.transition(State.DONE, "ok")

def fail(build: Build):
    build.transition(State.FAILED, "bad")
"""


def list_edges(models: str = MODELS, work: str = WORK) -> list[str]:
    found = declare({"app/models.py": models, "app/work.py": work})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_they_move_the_object_as_they_would_by_themselves() -> None:
    assert list_edges() == [
        "new -> built",
        "new -> failed",
        "built -> done",
        "built -> failed",
        "done -> failed",
    ]
    found = declare({"app/models.py": MODELS, "app/work.py": WORK})
    assert "requires: build.state = built\n    ensures: build.state = done\n" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # What decorates it may do anything.
        ("    def transition", "    @retried\n    def transition"),
        # It sets what it makes of it.
        ("self.state = state\n", "self.state = choose(state)\n"),
        ("self.state = state\n", "self.reason = state\n"),
        ("self.state = state\n", "other.state = state\n"),
    ],
)
def test_any_other_method_moves_nothing(old: str, new: str) -> None:
    assert old in MODELS
    assert list_edges(models=MODELS.replace(old, new)) == []


def test_what_is_no_object_of_the_class_is_not_moved() -> None:
    work = WORK.replace("build: Build", "build: Other").replace("session.query(Build)", "session")
    assert list_edges(work=work.replace("build.", "thing.")) == []


DOOR = """
export enum State { Shut, Open, Locked }
const allowed = {
  [State.Shut]: [State.Open, State.Locked],
  [State.Open]: [State.Shut],
  [State.Locked]: [State.Shut],
};
export class Door {
  state: State = State.Shut;
  move(next: State): void {
    const found = allowed[this.state];
    if (found.includes(next)) {
      this.state = next;
      return;
    }
    throw new Error('not allowed');
  }
}
"""
HOUSE = """
import { Door, State } from './door';
export function lock(door: Door) {
  if (door.state !== State.Locked) {
    door.seen = true;
    door.move(State.Locked);
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_other_files_ask_for_follows_the_table_of_the_class() -> None:
    found = declare({"door.ts": DOOR, "house.ts": HOUSE})
    assert "shut -> locked" in found
    assert "open -> locked" not in found


def test_what_is_parsed_once_is_as_it_was_after_each_reading() -> None:
    code = "def pay(order):\n    if order is None:\n        return\n    order.state = PAID"
    node = parse_operation(code, "order")
    assert node is not None
    assert ast.unparse(node.body[1]) == "order.state = PAID"
    assert parse_operation(code, "order") is node
    other = parse_operation(code, "state")
    assert other is not None
    assert ast.unparse(other) == code
    answer = parse_answer("self.state", "order")
    assert answer is not None
    assert ast.unparse(answer) == "order.state"
    assert ast.unparse(parse_value("self.state")) == "self.state"


def test_what_is_read_of_one_object_says_nothing_of_another() -> None:
    again = [list_edges(), list_edges(work=WORK.replace("build", "made")), list_edges()]
    assert again == [list_edges()] * 3
