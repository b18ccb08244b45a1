"""Django's models."""

import pytest

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


MODEL_UTILS = """
from django.db import models
from model_utils import Choices

class Order(models.Model):
    STATUS = Choices("draft", ("sent", "Sent"), ("gone", "gone", "Gone away"))
    status = models.CharField(choices=STATUS, default=STATUS.draft, max_length=9)
    draft = models.CharField(max_length=9)

    def send(self):
        if self.status != self.STATUS.draft:
            raise ValueError
        self.status = self.STATUS.sent

    def lose(self):
        if self.status == "gone":
            raise ValueError
        self.status = Order.STATUS.gone
        self.save()
"""


def test_choices_of_django_model_utils_are_states() -> None:
    found = declare_python(MODEL_UTILS)
    assert "    status: draft | sent | gone\n" in found
    assert "        draft -> sent\n        draft -> gone\n        sent -> gone\n" in found


def test_a_field_of_the_name_of_a_choice_is_none_of_them() -> None:
    found = declare_python(MODEL_UTILS.replace("self.STATUS.sent", "self.draft"))
    assert "-> sent" not in found and "ensures: order.status = draft" not in found


@pytest.mark.parametrize(
    "choices",
    [
        'Choices((ONE, "one", "One"), (TWO, "two", "Two"))',
        'Others("draft", "sent")',
        "Choices(*all)",
    ],
)
def test_what_such_choices_are_stored_as_may_not_be_known(choices: str) -> None:
    source = MODEL_UTILS.partition("    def send")[0]
    listed = source.partition("STATUS = ")[2].partition("\n")[0]
    assert "    status: String\n" in declare_python(source.replace(listed, choices))


def test_members_of_such_choices_may_have_names_of_their_own() -> None:
    triples = 'Choices((1, "draft", "Draft"), (2, "sent", "Sent"), (3, "gone", "Gone"))'
    source = MODEL_UTILS.replace(
        'Choices("draft", ("sent", "Sent"), ("gone", "gone", "Gone away"))', triples
    )
    found = declare_python(source.replace("CharField(choices", "IntegerField(choices"))
    assert "    status: draft | sent | gone\n" in found
    assert "        draft -> sent\n" in found


@pytest.mark.parametrize("field", ["StatusField()", 'StatusField(choices_name="STATUS")'])
def test_a_field_of_django_model_utils_has_the_choices_of_its_class(field: str) -> None:
    column = "models.CharField(choices=STATUS, default=STATUS.draft, max_length=9)"
    assert declare_python(MODEL_UTILS.replace(column, field)) == declare_python(MODEL_UTILS)


def test_such_a_field_without_choices_is_a_text() -> None:
    source = MODEL_UTILS.partition("    STATUS = ")[0] + "    status = StatusField()\n"
    assert "    status: String\n" in declare_python(source + "    x = models.CharField()\n")


LISTED = """
from collections import OrderedDict
from django.db import models

class Task(models.Model):
    FIRST = [("new", "New")]
    STATUSES = FIRST + [("done", "Done")]
    MORE = OrderedDict(STATUSES + FIRST + [("gone", "Gone")]).items()

class Job(models.Model):
    STATUS_CHOICES = Task.STATUSES
    status = models.CharField(max_length=9, choices=STATUS_CHOICES)
    before = models.CharField(max_length=9, choices=Task.MORE)
    other = models.CharField(max_length=9, choices=Task.NONE)
"""


def test_choices_may_be_those_of_another_class_and_made_of_lists() -> None:
    told = declare_python(LISTED)
    assert "    status: new | done\n" in told
    assert "    before: new | done | gone\n" in told


def test_a_class_that_has_a_list_of_choices_is_no_type_of_a_field() -> None:
    assert "    other: String\n" in declare_python(LISTED)


ORDER_STATUS = """
from django.db import models
from shop.fields import ChoiceField, EnumField

class OrderStatus(models.TextChoices):
    DRAFT = "d"
    PAID = "p"

class Order(models.Model):
    number = models.IntegerField()
    status = {field}

    def pay(self):
        self.status = OrderStatus.PAID
"""


@pytest.mark.parametrize(
    "field",
    [
        "ChoiceField(enum=OrderStatus, db_index=True)",
        "ChoiceField(enum_class=OrderStatus)",
        "EnumField(OrderStatus)",
        "models.CharField(choices=list_choices(OrderStatus), default=OrderStatus.DRAFT)",
        "models.CharField(max_length=1, default=OrderStatus.DRAFT.value)",
    ],
)
def test_a_project_s_own_way_to_give_a_field_an_enum_is_read(field: str) -> None:
    told = declare_python(ORDER_STATUS.format(field=field))
    assert "    status: OrderStatus\n" in told
    assert "        draft -> paid\n" in told


def test_what_a_field_begins_with_names_its_enum() -> None:
    model = ORDER_STATUS[: ORDER_STATUS.index("    def pay")]
    for default in ("OrderStatus.DRAFT", "OrderStatus.DRAFT.value"):
        told = declare_python(model.format(field=f"models.CharField(default={default})"))
        assert "    status: OrderStatus\n" in told


def test_the_annotation_of_a_field_of_an_unknown_kind_is_its_type() -> None:
    told = declare_python(
        ORDER_STATUS.replace("    status =", "    status: OrderStatus =").format(
            field="ChoiceField()"
        )
    )
    assert "    status: OrderStatus\n" in told


@pytest.mark.parametrize(
    "field", ["ChoiceField(OrderStatus)", "ChoiceField(label=OrderStatus)", "ChoiceField()"]
)
def test_nothing_else_tells_the_type_of_such_a_field(field: str) -> None:
    told = declare_python(ORDER_STATUS.format(field=field))
    assert "    status: Any -- ChoiceField\n" in told


def test_an_enum_of_a_package_may_list_its_choices_itself() -> None:
    source = """
from django.db import models
from schemas import LiveState

class Project(models.Model):
    live_state = models.IntegerField(choices=LiveState.to_choices(), default=LiveState.LIVE)

    def archive(self):
        if self.live_state == LiveState.ARCHIVED:
            raise ValueError
        self.live_state = LiveState.ARCHIVED

    def restore(self):
        if self.live_state != LiveState.ARCHIVED:
            raise ValueError
        self.live_state = LiveState.LIVE
"""
    found = declare_python(source)
    assert "    live_state: live | archived\n" in found
    assert "what lets an operation leave live cannot be read" in found
    assert "    requires: project.live_state != archived\n" in found
    other = source.replace("default=LiveState.LIVE", "default=1")
    assert "->" not in declare_python(other)


@pytest.mark.parametrize(
    "constants",
    [
        "STATUS_NEW, STATUS_OLD, STATUS_GONE = range(3)",
        "STATUS_NEW = 0\nSTATUS_OLD = 1\nSTATUS_GONE = 2",
    ],
)
def test_numbers_of_a_file_have_the_names_of_their_constants_without_what_all_share(
    constants: str,
) -> None:
    found = declare_python(f"""
from django.db import models
{constants}
STATUS_CHOICES = ((STATUS_NEW, "Neu"), (STATUS_OLD, "Alt"), (STATUS_GONE, "Weg"))
class Deal(models.Model):
    status = models.IntegerField(choices=STATUS_CHOICES, default=STATUS_NEW)
    def age(self):
        if self.status != STATUS_NEW:
            raise ValueError
        self.status = STATUS_OLD
    def leave(self):
        if self.status == STATUS_OLD:
            self.status = STATUS_GONE
""")
    assert "    status: new | old | gone\n" in found
    assert "        new -> old\n        old -> gone\n" in found


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("from mongoengine import Document, StringField", "Document"),
        ("import mongoengine\nfrom mongoengine import StringField", "mongoengine.Document"),
    ],
)
def test_documents_of_mongoengine_list_their_choices(head: str, base: str) -> None:
    found = declare_python(f"""
{head}

class Job({base}):
    state = StringField(choices=("open", "busy", "done"), default="open")

    def start(self):
        if self.state != "open":
            raise ValueError
        self.state = "busy"
        self.save()

    def end(self):
        if self.state != "busy":
            raise ValueError
        self.state = "done"
""")
    assert "    state: open | busy | done\n" in found
    assert "        open -> busy\n        busy -> done\n        terminal: done\n" in found
