"""Conditions of decorated transitions."""

import pytest

from tests.allium.extract.declared import declare_python

POST = """
from django.db import models
from django_fsm import FSMField, transition

class Post(models.Model):
    state = FSMField(default="new", choices=[("new", "New"), ("live", "Live"), ("gone", "Gone")])

    @property
    def is_open(self):
        return self.state != "gone"

    def may_go(self):
        return self.state in ("new", "live")

    @property
    def is_odd(self):
        return check(self.state)

    @transition(field=state, SOURCEtarget="gone", conditions=[CONDITION])
    def drop(self): ...
"""


def list_edges(condition: str, source: str = 'source="*"') -> list[str]:
    told = declare_python(
        POST.replace("SOURCE", source and f"{source}, ").replace("CONDITION", condition)
    )
    return [line.strip() for line in told.split("\n") if "->" in line]


@pytest.mark.parametrize(
    ("condition", "edges"),
    [
        ("lambda post: post.is_open", ["new -> gone", "live -> gone"]),
        ('lambda post: cast("Post", post).is_open and post.title', ["new -> gone", "live -> gone"]),
        ('lambda post: post.state == "live"', ["live -> gone"]),
        ('lambda post: post.state == "live", lambda post: post.is_ready', ["live -> gone"]),
        ("may_go", ["new -> gone", "live -> gone"]),
        ("is_ready", ["new -> gone", "live -> gone"]),
        ("lambda post: post.is_odd", []),
    ],
)
def test_a_transition_begins_where_its_conditions_hold(condition: str, edges: list[str]) -> None:
    assert list_edges(condition) == edges


def test_of_listed_sources_only_those_are_left() -> None:
    source = 'source=["new", "live"]'
    assert list_edges('lambda post: post.state == "new"', source) == ["new -> gone"]
    assert list_edges("lambda post: post.is_open", source) == ["new -> gone", "live -> gone"]


def test_without_a_source_a_condition_has_to_say_where_it_begins() -> None:
    assert list_edges("lambda post: post.is_open", "") == ["new -> gone", "live -> gone"]
    assert list_edges("lambda post: post.is_ready", "") == []


def test_numbers_may_have_to_be_between_two() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMIntegerField, transition

class Step(models.IntegerChoices):
    NEW = 1
    READY = 2
    LIVE = 3
    GONE = 4

class Post(models.Model):
    step = FSMIntegerField(default=Step.NEW, choices=Step.choices)

    @property
    def is_open(self):
        return Step.READY <= self.step < Step.GONE

    @transition(field=step, target=Step.NEW, conditions=[lambda post: post.is_open])
    def reset(self): ...
""")
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["ready -> new", "live -> new"]
    assert "    requires: post.step in {ready, live}\n" in told
