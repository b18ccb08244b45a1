"""Django's models."""

from tests.allium.extract.declared import declare_python


def test_django() -> None:
    source = """
from django.db import models

class Stamped(models.Model):
    made = models.DateTimeField(auto_now_add=True)
    class Meta:
        abstract = True

class Order(Stamped):
    class Kind(models.TextChoices):
        HOME = "H", "Home"
        SHOP = "S", "Shop"
    OPEN, DONE = "o", "d"
    kind = models.CharField(max_length=1, choices=Kind.choices)
    state = models.CharField(max_length=1, choices=[(OPEN, "Open"), (DONE, "Done")], default=OPEN)
    customer = models.ForeignKey("people.Customer", null=True, on_delete=models.CASCADE)
    parent = models.ForeignKey("self", on_delete=models.CASCADE)
    tags = models.ManyToManyField("Tag")
    count = models.PositiveIntegerField()
    timeout = models.DurationField(null=True)
    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(count__lte=9), name="few")]

class Tag(models.Model):
    name = models.SlugField()
"""
    assert (
        declare_python(source)
        == """\
external entity Customer {}

enum OrderKind { home | shop }

entity Order {
    made: Timestamp
    kind: OrderKind
    state: open | done
    customer: Customer?
    parent: Order
    tags: Set<Tag>
    count: Integer
    timeout_: Duration?

    invariant Few {
        count <= 9
    }

    invariant CountInRange {
        count >= 0
    }
}

entity Tag {
    name: String
}"""
    )


def test_a_field_that_a_model_takes_away_is_not_its_own() -> None:
    told = declare_python("""
from django.db import models
class Base(models.Model):
    name = models.CharField(max_length=9)
    size = models.IntegerField()
    class Meta:
        abstract = True
class Shop(Base):
    name = None
    city = models.CharField(max_length=9)
""")
    assert "size: Integer" in told
    assert "name:" not in told


def test_choices_that_a_call_makes_are_no_list_elsewhere() -> None:
    found = declare_python("""
from django.db import models
from model_utils import Choices

class Order(models.Model):
    STATES = Choices("new", "paid")
    state = models.CharField(max_length=9, choices=STATES)
""")
    assert "    state: String\n" in found
