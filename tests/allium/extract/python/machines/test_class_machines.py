"""The machines that a class has, of all kinds."""

from tests.allium.extract.declared import ORDER, declare_python


def test_a_field_that_decorators_move_takes_no_table() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMField, transition

class Post(models.Model):
    TABLE = {"new": ["live"], "live": ["new"]}
    state = FSMField(default="new", choices=[("new", "New"), ("live", "Live")])

    @transition(field=state, source="new", target="live")
    def publish(self): ...
""")
    assert [line.strip() for line in told.split("\n") if "->" in line] == ["new -> live"]


def test_a_table_of_the_class_says_its_transitions_where_its_operations_ask_it() -> None:
    table = "    NEXT = {Status.NEW: [Status.PAID], Status.PAID: [Status.SHIPPED]}\n"
    move = """
    def move(self, new):
        if new not in self.NEXT[self.status]:
            raise ValueError
        self.status = new
"""
    told = declare_python(ORDER.partition("    def pay")[0] + table + move)
    assert "        new -> paid\n        paid -> shipped\n" in told
