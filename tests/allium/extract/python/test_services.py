"""Which functions of Python work on an entity of another file."""

import pytest

from tests.allium.extract.declared import declare
from tests.allium.extract.test_service_rules import PAY, declare_files, declare_service


@pytest.mark.parametrize(
    "code",
    [
        """\
        def pay(order: Order):
            if order.status != Order.Status.NEW:
                raise ValueError
            order.status = Order.Status.PAID
        """,
        """\
        def pay(order):
            if order.status != "new":
                raise ValueError
            order.status = "paid"
        """,
        """\
        class Till:
            def pay(self, number):
                one = Order.objects.select_for_update().get(pk=number)
                if one.status != Order.Status.NEW:
                    raise ValueError
                one.status = Order.Status.PAID
                one.save()
        """,
        """\
        class Till:
            def pay(self):
                if self.order.status != Order.Status.NEW:
                    raise ValueError
                self.order.status = Order.Status.PAID
        """,
        """\
        async def pay(number):
            one = await get_object_or_404(Order, pk=number)
            if one.status != Order.Status.NEW:
                raise ValueError
            one.status = Order.Status.PAID
        """,
        """\
        from shop import models

        def pay(number):
            one = models.Order.objects.select_for_update().get(pk=number)
            if one.status != models.Order.Status.NEW:
                raise ValueError
            one.status = models.Order.Status.PAID
        """,
        """\
        from shop import models

        def pay(number):
            models.Order.objects.filter(pk=number, status="new").update(status="paid")
        """,
    ],
    ids=["typed", "by-name", "found", "of-another", "looked-up", "of-module", "rows-of-module"],
)
def test_what_a_function_demands_and_does_is_a_rule(code: str) -> None:
    assert PAY in declare_service(code)


@pytest.mark.parametrize(
    "code",
    [
        # A new one has no state before.
        "def pay():\n    order = Order()\n    order.status = Order.Status.PAID\n",
        "def pay():\n    order = make_order()\n    order.status = Order.Status.PAID\n",
        # Another class with a name like it.
        "class Bill:\n    pass\n\ndef pay(bill: Bill):\n    bill.status = Order.Status.PAID\n",
        # It asks, and refuses nothing.
        "def ask(order: Order):\n    if order.status != Order.Status.NEW:\n        log(order)\n",
        # It refuses input that is no entity.
        "@dataclass\nclass Form:\n    status: Order.Status\n\n"
        "def read(form: Form):\n    if form.status != Order.Status.NEW:\n        raise Error\n",
        # Fields without states.
        "def pay(order: Order):\n    order.total = 3\n",
        # What a name has no value for.
        "def pay(order):\n    order.status = Order.Status.LOST\n",
    ],
    ids=["made", "made-elsewhere", "another", "asks", "input", "no-state", "no-value"],
)
def test_what_moves_no_state_is_none(code: str) -> None:
    assert "rule" not in declare_service(code)


def test_a_method_that_sets_is_an_operation_of_its_own() -> None:
    """It may refuse: what it does, it says itself."""
    code = "def pay(order: Order):\n    order.set_status(Order.Status.PAID)\n"
    assert "rule" not in declare_service(code)


@pytest.mark.parametrize(
    ("test", "edges"),
    [
        ("order.status in (Order.Status.NEW, Order.Status.PAID)", ["new -> shipped", "paid ->"]),
        # Those that call it may have refused more.
        ("order.status != Order.Status.SHIPPED", []),
        ("number", []),
    ],
    ids=["asked", "refused", "open"],
)
def test_a_step_moves_from_the_states_that_it_asks_for(test: str, edges: list[str]) -> None:
    code = f"""\
        def _ship(number):
            order = Order.objects.get(pk=number)
            if {test}:
                order.status = Order.Status.SHIPPED

        def pay(order: Order):
            order.status = Order.Status.PAID
        """
    found = declare_service(code)
    assert all(each in found for each in edges)
    assert bool(edges) == ("-> shipped" in found)


def test_what_refuses_an_entity_in_some_states_is_a_rule() -> None:
    code = """\
        def print_invoice(order: Order):
            if order.status != Order.Status.PAID:
                raise ValueError
            return render(order)
        """
    assert (
        "rule OrderPrintInvoice {\n    when: PrintInvoiceOrder(order)\n"
        "    requires: order.status = paid\n}"
    ) in declare_service(code)


def test_the_only_class_that_ends_like_a_variable_is_meant() -> None:
    models = """
        from django.db import models

        class WebInvoice(models.Model):
            class Status(models.TextChoices):
                NEW = "new"
                PAID = "paid"
            status = models.CharField(choices=Status.choices)
    """
    code = (
        "from .kinds import Kinds\nfrom .models import WebInvoice\n\n"
        "async def pay(store, number):\n    invoice = await store.get(number)\n"
        "    if invoice.status != WebInvoice.Status.NEW:\n        raise ValueError\n"
        "    invoice.status = Kinds.Status.PAID\n"
    )
    found = declare_files({"shop/models.py": models, "shop/pay.py": code})
    assert "requires: web_invoice.status = new\n    ensures: web_invoice.status = paid" in found
    other = "from .other import PaperInvoice\n" + code
    assert "rule" not in declare_files({"shop/models.py": models, "shop/pay.py": other})


BESIDE = """
    from django.db import models

    class RequestState(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    class MoveRequest(models.Model):
        state = models.CharField(choices=RequestState.choices)

    class Archive(models.Model):
        name = models.CharField()
"""


def test_what_gets_a_state_of_one_class_alone_is_an_object_of_it() -> None:
    code = (
        "from .models import RequestState\n\ndef update({name}, accept):\n"
        "    {name}.state = RequestState.REJECTED\n"
        "    if accept:\n        {name}.state = RequestState.ACCEPTED\n"
    )
    files = {"shop/models.py": BESIDE, "shop/work.py": code.format(name="waiting")}
    found = declare_files(files)
    assert "rule MoveRequestUpdate {" in found
    assert "ensures: move_request.state in {accepted, rejected}" in found
    both = files["shop/work.py"].replace("import RequestState", "import RequestState, Zone")
    both += "    waiting.zone = Zone.LATE\n"
    assert "rule" not in declare_files({**files, "shop/work.py": both})
    # What is sent or filled in may have the same states, as may another class.
    sent = {**files, "shop/work.py": code.format(name="payload")}
    assert "rule" not in declare_files(sent)
    two = BESIDE.replace(
        "name = models.CharField()", "state = models.CharField(choices=RequestState.choices)"
    )
    assert "rule" not in declare_files({**files, "shop/models.py": two})


def test_what_gets_a_state_of_the_enum_in_a_class_is_an_object_of_that() -> None:
    models = """
    from django.db import models

    class MoveRequest(models.Model):
        class Status(models.TextChoices):
            PENDING = "pending"
            ACCEPTED = "accepted"
        state = models.CharField(choices=Status.choices)
    """
    code = (
        "from .models import MoveRequest\n\ndef accept(waiting):\n"
        "    waiting.state = MoveRequest.Status.ACCEPTED\n"
    )
    found = declare_files({"shop/models.py": models, "shop/work.py": code})
    assert "ensures: move_request.state = accepted" in found


@pytest.mark.parametrize(
    "refusal",
    ["if self.state != 'open':\n            return",
     "if not packet or self.state != 'open':\n            return",
     "assert self.state == 'open'"],
)  # fmt: skip
def test_a_class_refuses_by_a_state_that_its_base_class_begins(refusal: str) -> None:
    base = """
    class Base:
        def __init__(self):
            self.state = "closed"
    """
    client = f"""
    from .base import Base

    class Client(Base):
        def connect(self):
            self.state = "open"

        def send(self, packet):
            {refusal.replace(chr(10), chr(10) + "    ")}
            self.queue.put(packet)
    """
    found = declare_files({"net/base.py": base, "net/client.py": client})
    assert (
        "rule ClientSend {\n    when: SendClient(client)\n    requires: client.state = open\n"
        in found
    )


def test_lists_and_tables_of_a_class_are_known_where_another_file_has_its_states() -> None:
    order = """
from app.status import Status

class Order:
    EARLY = (Status.NEW, Status.PAID)
    NEXT = {Status.NEW: {Status.PAID}, Status.PAID: {Status.SENT}}

    def __init__(self):
        self.status = Status.NEW

    @property
    def can_drop(self):
        return self.status in self.EARLY

    def pay(self):
        self._go(Status.PAID)

    def send(self):
        self._go(Status.SENT)

    def drop(self):
        if not self.can_drop:
            raise ValueError
        self.status = Status.LOST

    def _go(self, new):
        if new not in self.NEXT.get(self.status, set()):
            raise ValueError
        self.status = new
"""
    status = (
        "from enum import Enum\n\nclass Status(Enum):\n    NEW = 1\n    PAID = 2\n    SENT = 3\n"
    )
    found = declare({"app/order.py": order, "app/status.py": f"{status}    LOST = 4\n"})
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found
    assert "    requires: order.status in {new, paid}\n    ensures: order.status = lost\n" in found
