"""Functions, and methods of services, that move the states of entities in other files."""

import textwrap

import pytest

from tests.allium.extract.declared import declare

MODELS = """\
    from django.db import models

    class Order(models.Model):
        class Status(models.TextChoices):
            NEW = "new"
            PAID = "paid"
            SHIPPED = "shipped"
        status = models.CharField(max_length=9, choices=Status.choices, default=Status.NEW)
        is_open = models.BooleanField(default=True)
        total = models.IntegerField()
    """
PAY = """\
rule OrderPay {
    when: PayOrder(order)
    requires: order.status = new
    ensures: order.status = paid
}"""


def declare_files(files: dict[str, str]) -> str:
    return declare({path: textwrap.dedent(text) for path, text in files.items()})


def declare_service(code: str) -> str:
    head = "from .models import Order\n\n"
    return declare_files(
        {"shop/models.py": MODELS, "shop/services.py": head + textwrap.dedent(code)}
    )


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
    ],
    ids=["typed", "by-name", "found", "of-another", "looked-up"],
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
        # It asks, and changes nothing.
        "def ask(order: Order):\n    if order.status != Order.Status.NEW:\n        raise Error\n",
        # Fields without states.
        "def pay(order: Order):\n    order.total = 3\n",
        # What a name has no value for.
        "def pay(order):\n    order.status = Order.Status.LOST\n",
    ],
    ids=["made", "made-elsewhere", "another", "asks", "no-state", "no-value"],
)
def test_what_moves_no_state_is_none(code: str) -> None:
    assert "rule" not in declare_service(code)


def test_a_flag_that_is_stored() -> None:
    found = declare_service("def close(order: Order):\n    order.is_open = False\n")
    assert (
        "rule OrderClose {\n    when: CloseOrder(order)\n    ensures: order.is_open = false\n}"
        in found
    )


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


@pytest.mark.parametrize(
    "files",
    [
        {
            "src/order.entity.ts": """\
                export enum OrderStatus { New = 'new', Paid = 'paid' }
                @Entity()
                export class Order { @Column() id: number; @Column() status: OrderStatus; }
                """,
            "src/order.service.ts": """\
                import { Order, OrderStatus } from './order.entity';
                export class Orders {
                  async pay(id: number) {
                    const order = await this.orders.findOneOrFail({ where: { id } });
                    if (order.status !== OrderStatus.New) {
                      throw new Error('not payable');
                    }
                    order.status = OrderStatus.Paid;
                    await this.orders.save(order);
                  }
                }
                """,
        },
        {
            "src/order.ts": """\
                export interface Order { id: string; status: 'new' | 'paid'; }
                """,
            "src/pay.ts": """\
                import { Order } from './order';
                export const pay = (one: Order) => {
                  if (one.status !== 'new') throw new Error('not payable');
                  one.status = 'paid';
                };
                """,
        },
        {
            "shop/Order.java": """\
                package shop;
                @Entity public class Order {
                  private Long id;
                  private Status status;
                  public Status getStatus() { return status; }
                  public void setStatus(Status status) { this.status = status; }
                }
                """,
            "shop/Status.java": "package shop;\npublic enum Status { NEW, PAID }\n",
            "shop/Orders.java": """\
                package shop;
                public class Orders {
                  public void pay(Long id) {
                    Order one = repository.findById(id).orElseThrow();
                    if (one.getStatus() != Status.NEW) {
                      throw new IllegalStateException();
                    }
                    one.setStatus(Status.PAID);
                  }
                }
                """,
        },
        {
            "Shop/Order.cs": """\
                namespace Shop;
                public enum Status { New, Paid }
                public class Order {
                  public int Id { get; set; }
                  public Status Status { get; set; }
                }
                """,
            "Shop/Orders.cs": """\
                namespace Shop;
                public class Orders {
                  public void Pay(Order one) {
                    if (one.Status != Status.New) {
                      throw new InvalidOperationException();
                    }
                    one.Status = Status.Paid;
                  }
                }
                """,
        },
        {
            "shop/order.go": """\
                package shop
                type Status string
                const (
                    StatusNew  Status = "new"
                    StatusPaid Status = "paid"
                )
                type Order struct {
                    ID     int64
                    Status Status
                }
                """,
            "shop/pay.go": """\
                package shop
                func (s *Service) Pay(id int64) error {
                    order, err := s.orders.Get(id)
                    if err != nil {
                        return err
                    }
                    if order.Status != StatusNew {
                        return ErrState
                    }
                    order.Status = StatusPaid
                    return s.orders.Save(order)
                }
                """,
        },
        {
            "src/order.rs": """\
                #[derive(PartialEq)]
                pub enum Status { New, Paid }
                pub struct Order { pub id: u64, pub status: Status }
                """,
            "src/pay.rs": """\
                use crate::order::{Order, Status};
                pub fn pay(one: &mut Order) -> Result<(), String> {
                    if one.status != Status::New {
                        return Err("not payable".into());
                    }
                    one.status = Status::Paid;
                    Ok(())
                }
                """,
        },
    ],
    ids=["typescript", "union", "java", "csharp", "go", "rust"],
)
def test_services_of_every_language(files: dict[str, str]) -> None:
    assert PAY in declare_files(files)


def test_what_the_transitions_of_the_entity_do_not_have_is_left_out() -> None:
    """The entity's own operations say which transitions it has."""
    machine = MODELS + (
        "    def pay(self):\n"
        "            if self.status != self.Status.NEW:\n"
        "                raise ValueError\n"
        "            self.status = self.Status.PAID\n"
        "        def ship(self):\n"
        "            if self.status != self.Status.PAID:\n"
        "                raise ValueError\n"
        "            self.status = self.Status.SHIPPED\n"
    )
    service = (
        "from .models import Order\n\n"
        "def take_back(order: Order):\n"
        "    if order.status != Order.Status.SHIPPED:\n"
        "        raise ValueError\n"
        "    order.status = Order.Status.NEW\n"
    )
    found = declare_files({"shop/models.py": machine, "shop/services.py": service})
    assert "new -> paid" in found and "TakeBack" not in found
