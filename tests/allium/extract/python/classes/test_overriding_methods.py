"""Methods in place of those of base classes, and what they leave of these."""

import ast

import pytest

from git_retcon.allium.extract.python.classes.overriding_methods import list_overriding
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare


@pytest.mark.parametrize(
    ("body", "is_other"),
    [
        ("super().close()", False),
        ("'''Closes it.'''\n  log('x')\n  await super().close()", False),
        ("return super().close()", False),
        ("Base.close(self)\n  self.stop()", False),
        ("super.close()", False),
        ("self.stop()", True),
        ("self.stop()\n  super().close()", True),
        ("self.job = None\n  super().close()", True),
        ("if self.job: return\n  super().close()", True),
        ("super().open()", True),
    ],
)
def test_what_begins_as_its_base_class_does_is_no_other_method(body: str, is_other: bool) -> None:
    method = ast.parse(f"async def close(self):\n  {body}").body[0]
    assert isinstance(method, ast.AsyncFunctionDef)
    assert [*list_overriding([("close", method)])] == ["close"] * is_other


LOADER = """
export const Status = { Idle: 0, Busy: 1, Complete: 2 };

export class Loader {
  constructor() {
    this.status = Status.Idle;
  }
  destroy() {
    this.status = Status.Idle;
  }
}
"""
HEIR = """
import { Loader, Status } from './loader.js';

export class RangeLoader extends Loader {
  destroy() {
    {destroy}
    super.destroy();
  }
  open() {
    if (this.status !== Status.Idle) throw new Error();
    this.status = Status.Busy;
  }
  abort() {
    this.status = Status.Complete;
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="needs the grammar")
@pytest.mark.parametrize(
    ("destroy", "is_known"),
    [("if (this.status === Status.Busy) this.abort();", False), ("log();", True)],
)
def test_what_an_heir_overrides_begins_where_the_heir_lets_it(destroy: str, is_known: bool) -> None:
    heir = HEIR.replace("{destroy}", destroy)
    told = declare({"io/loader.js": LOADER, "io/range.js": heir}).partition("entity RangeLoader")[2]
    assert ("busy -> idle\n" in told) is is_known
    question = "what lets an operation leave complete cannot be read. Does any?"
    assert (question in told) is not is_known


JOBS = """
from enum import Enum

class State(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3

class Job:
    def __init__(self):
        self.state = State.NEW

    def begin(self):
        if self.state is not State.NEW:
            raise ValueError
        self.state = State.BUSY

    def end(self):
        if self.state is not State.BUSY:
            raise ValueError
        self.state = State.DONE

class Quiet(Job):
    def end(self):
        pass
"""
MACHINE = """
from django.db import models
from django_fsm import FSMField, transition

class Job(models.Model):
    state = FSMField(default="new")

    @transition(field=state, source="new", target="busy")
    def begin(self):
        pass

    @transition(field=state, source="busy", target="done")
    def end(self):
        pass

class Quiet(Job):
    def end(self):
        self.log("end")
        super().end()
"""


def test_another_class_with_such_a_method_does_not_give_an_heir_its_transitions() -> None:
    other = JOBS.partition("class Quiet")[0].partition("class Job:")[2]
    for source in (JOBS, JOBS + "class Other:" + other):
        heir = declare({"a.py": source}).partition("entity Quiet")[2].partition("entity")[0]
        assert "busy -> done" not in heir.partition("rule")[0]


def test_what_a_machine_lists_is_so_of_heirs() -> None:
    heir = declare({"a.py": MACHINE}).partition("entity Quiet")[2].partition("rule")[0]
    assert "busy -> done\n        terminal: done\n" in heir
