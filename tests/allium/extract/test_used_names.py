"""The names that an operation uses mean what its own file, or another one, says."""

from tests.allium.extract.test_service_rules import MODELS, PAY, declare_files, declare_machine


def test_what_the_entity_says_of_itself_is_a_demand() -> None:
    models = (
        MODELS
        + """
        @property
        def is_new(self):
            return self.status == self.Status.NEW

        def is_done(self):
            return self.status in (self.Status.PAID, self.Status.SHIPPED)
    """
    )
    code = """\
        def pay(order: Order):
            if not order.is_new:
                raise ValueError
            order.status = Order.Status.PAID

        def reopen(order: Order):
            if not order.is_done():
                raise ValueError
            order.status = Order.Status.NEW
        """
    found = declare_machine(models, code)
    assert PAY in found
    assert "        new -> paid\n        paid -> new\n        shipped -> new\n" in found


CONSTANTS = """\
    from types import SimpleNamespace

    STATES = SimpleNamespace(NEW="new", PAID="paid", SHIPPED="shipped", LOST="lost")
    STATE_CHOICES = (
        (STATES.NEW, "New"), (STATES.PAID, "Paid"), (STATES.SHIPPED, "Sent"), (STATES.LOST, "Lost"),
    )
    OPEN_STATES = (STATES.NEW, STATES.PAID)
    """
SCATTERED = """\
    from django.db import models
    from shop.constants import OPEN_STATES, STATE_CHOICES, STATES

    class Order(models.Model):
        status = models.CharField(max_length=9, choices=STATE_CHOICES)

        def pay(self):
            rows = Order.objects.filter(pk=self.pk, status=STATES.NEW).update(status=STATES.PAID)
            if rows == 1:
                self.status = STATES.PAID

        def lose(self):
            if self.status not in OPEN_STATES:
                raise ValueError
            self.status = STATES.LOST

        def ship(self, to=STATES.SHIPPED):
            assert to in [STATES.SHIPPED, STATES.LOST]
            if self.status == STATES.PAID:
                self.status = to

        def __enter__(self):
            self.status = STATES.NEW
    """


def test_choices_that_constants_of_another_file_list() -> None:
    found = declare_files({"shop/constants.py": CONSTANTS, "shop/models.py": SCATTERED})
    assert "    status: new | paid | shipped | lost\n" in found
    assert "        if order.status = new: order.status = paid\n" in found
    assert "    requires: order.status in {new, paid}\n    ensures: order.status = lost\n" in found
    assert "        new -> paid\n        new -> lost\n        paid -> new\n" in found
    assert "        paid -> shipped\n        paid -> lost\n        shipped -> new\n" in found


def test_settings_may_say_which_choices_there_are_and_the_source_what_they_are_else() -> None:
    settings = """
        from django.conf import settings
        NEW = getattr(settings, "SHOP_NEW", 1)
        PAID = getattr(settings, "SHOP_PAID", 2)
        DEFAULT = ((NEW, "New"), (PAID, "Paid"))
        STATUS_CHOICES = getattr(settings, "SHOP_CHOICES", DEFAULT)
        """
    models = """
        from django.db import models
        from . import settings as shop_settings
        class Order(models.Model):
            NEW = shop_settings.NEW
            PAID = shop_settings.PAID
            STATUSES = shop_settings.STATUS_CHOICES
            status = models.IntegerField(choices=STATUSES, default=NEW)
        """
    told = declare_files({
        "shop/settings.py": settings, "shop/models.py": models,
        "shop/services.py": "from .models import Order\n\ndef pay(order):\n"
        "    if order.status == Order.NEW:\n        order.status = Order.PAID\n",
    })  # fmt: skip
    assert "    status: new | paid\n" in told
    assert "    ensures: order.status = paid\n" in told


def test_a_class_may_have_a_name_of_its_own_for_the_list_of_another_file() -> None:
    models = SCATTERED.replace("choices=STATE_CHOICES", "choices=KINDS").replace(
        "        status =", "        KINDS = STATE_CHOICES\n        status ="
    )
    found = declare_files({"shop/constants.py": CONSTANTS, "shop/models.py": models})
    assert "    status: new | paid | shipped | lost\n" in found


def test_a_plain_class_may_list_its_constants_under_any_name() -> None:
    constants = """\
        class ORDER_STATUS:
            NEW = 0
            PAID = 1
            NAMES = ((NEW, "New order"), (PAID, "Paid order"))
        """
    models = """\
        from django.db import models
        from shop.constants import ORDER_STATUS

        class Order(models.Model):
            status = models.SmallIntegerField(choices=ORDER_STATUS.NAMES)

            def pay(self):
                if self.status != ORDER_STATUS.NEW:
                    raise ValueError
                self.status = ORDER_STATUS.PAID
        """
    files = {"shop/constants.py": constants, "shop/models.py": models}
    found = declare_files(files)
    assert "enum ORDER_STATUS { new | paid }" in found
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found
    # What is not named for states has those alone that it lists.
    part = constants.replace(', (PAID, "Paid order")', "")
    files = {"shop/constants.py": part, "shop/models.py": models}
    others = {path: text.replace("ORDER_STATUS", "ORDER_KINDS") for path, text in files.items()}
    assert "ensures" not in declare_files(others)


def test_a_list_of_all_countries_is_the_text_that_is_stored() -> None:
    many = ", ".join(f"('c{number}', 'Country {number}')" for number in range(40))
    models = """\
        from django.db import models
        from .countries import COUNTRIES

        class Address(models.Model):
            country = models.CharField(max_length=2, choices=COUNTRIES)
        """
    found = declare_files({"shop/countries.py": f"COUNTRIES = [{many}]\n", "shop/a.py": models})
    assert "    country: String\n" in found


def test_a_list_of_states_that_nobody_finds_lets_nobody_know_which() -> None:
    """Before, the operation was said to begin in any state."""
    lost = SCATTERED.replace("not in OPEN_STATES", "not in CLOSED_STATES")
    found = declare_files({"shop/constants.py": CONSTANTS, "shop/models.py": lost})
    assert "shipped -> lost" not in found and "new -> lost" not in found
    assert "paid -> lost" in found


def test_choices_that_nobody_finds_are_the_text_that_is_stored() -> None:
    found = declare_files({"shop/models.py": SCATTERED})
    assert "    status: String\n" in found and "transitions" not in found


def test_choices_of_a_plain_class_in_another_file() -> None:
    found = declare_files(
        {
            "shop/__init__.py": """\
                class Status:
                    NEW = "new"
                    PAID = "paid in full"
                    CHOICES = [(NEW, "New"), (PAID, "Paid")]
                """,
            "shop/models.py": """\
                from django.db import models
                from . import Status

                class Order(models.Model):
                    status = models.CharField(max_length=12, choices=Status.CHOICES)
                """,
            "shop/services.py": """\
                from . import Status
                from .models import Order

                def pay(order: Order):
                    if order.status != Status.NEW:
                        raise ValueError
                    order.status = Status.PAID
                """,
        }
    )
    assert "enum Status { new | paid_in_full }" in found
    assert "    status: " in found and "status: String" not in found
    assert PAY.replace("= paid", "= paid_in_full") in found


def test_a_class_may_list_its_states_in_another_file() -> None:
    files = {
        "shop/constants.py": 'MAY_CANCEL = ("new", "paid")\n',
        "shop/models.py": """\
            from django.db import models
            from .constants import MAY_CANCEL

            class Order(models.Model):
                STATUSES = [("new", "New"), ("paid", "Paid"), ("gone", "Gone"), ("sent", "Sent")]
                status = models.CharField(max_length=9, choices=STATUSES)

                @property
                def may_cancel(self):
                    return self.status in MAY_CANCEL

                def cancel(self):
                    if self.may_cancel:
                        self.status = "gone"

                def pay(self):
                    if self.status != "new":
                        raise ValueError
                    self.status = "paid"

                def send(self):
                    if self.status == "paid":
                        self.status = "sent"
            """,
    }
    told = declare_files(files)
    for edge in ("new -> gone", "paid -> gone", "new -> paid", "paid -> sent"):
        assert f"        {edge}\n" in told
    assert "sent -> gone" not in told
    # Where nobody finds the list, nobody knows from where.
    told = declare_files({path: text for path, text in files.items() if "models" in path})
    assert "paid -> gone" not in told
    assert "rule OrderPay" in told
