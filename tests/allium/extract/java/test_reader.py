"""Java by its grammar."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from git_retcon.allium.extract.java.types import GRAMMAR
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(GRAMMAR), reason="the extra 'java' is missing")

ORDER = """
package com.x.shop;
import com.x.people.User;
@Entity @Table(name = "orders")
public class Order extends Base<Long> implements Foo {
  public static final int MAX = 3;
  @Id @GeneratedValue private Long id;
  @Column(nullable = true) private String note;
  private OrderStatus status = OrderStatus.NEW;
  @OneToMany(mappedBy = "order") private List<Line> lines = new ArrayList<>();
  @ManyToOne private User buyer;
  private BigDecimal total;
  private Kind kind;
  private LocalDateTime paidAt;
  public enum Kind { A, B("x") { void f() {} }; private int x; }
  public enum OrderStatus { NEW, OPEN, IN_WORK, DONE }
  public Order(Long id) { this.id = id; }
  public boolean isNew() { return status == OrderStatus.NEW; }
  public void pay(final BigDecimal amount) throws X {
    if (!isNew()) { throw new IllegalStateException("late"); }
    if (amount < total) throw new X();
    this.status = OrderStatus.OPEN;
    paidAt = LocalDateTime.now();
  }
  public void work(OrderStatus s) {
    switch (status) {
      case NEW: case OPEN: status = OrderStatus.IN_WORK; break;
      default: throw new X();
    }
  }
  public void done() {
    if (!List.of(OrderStatus.IN_WORK, OrderStatus.OPEN).contains(this.status)) throw new X();
    switch (status) { case NEW, OPEN -> status = OrderStatus.DONE; default -> { throw new X(); } }
  }
  public void local() { OrderStatus status = OrderStatus.NEW; status = OrderStatus.DONE; }
}
record Money(BigDecimal amount, String currency) {}
class Line { private Long id; private Order order; public Order getOrder() { return order; } }
class Service { private Store store; public void run() { store.close(); } }
interface Store { Order find(Long id, String x); void close(); }
"""


def test_a_class_with_its_fields_relations_enums_and_guarded_methods() -> None:
    assert (
        declare({"src/main/java/com/x/shop/Order.java": ORDER})
        == """\
external entity User {}

entity Order {
    id: Integer
    note: String?
    status: OrderOrderStatus
    lines: Line with order = this
    buyer: User
    total: Decimal
    kind: OrderKind
    paid_at: Timestamp

    transitions status {
        new -> open
        new -> in_work
        open -> in_work
        open -> done
        terminal: in_work, done
    }
}

enum OrderKind { a | b }

enum OrderOrderStatus { new | open | in_work | done }

value Money {
    amount: Decimal
    currency: String
}

entity Line {
    id: Integer
    order: Order
}

contract Store {
    find: (id: Integer, x: String) -> Order
    close: () -> Void
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = open
    ensures: order.paid_at = now
}

rule OrderWork {
    when: WorkOrder(order)
    requires: order.status in {new, open}
    ensures: order.status = in_work
}

rule OrderDone {
    when: DoneOrder(order)
    requires: order.status in {in_work, open}
    ensures: order.status = done
}"""
    )


def test_what_does_not_parse_is_not_read() -> None:
    from git_retcon.allium.extract.java.reader import read_file

    assert read_file(b"A.java", b"package a;\n<<<<<<< HEAD\n=======\n>>>>>>> b\n") is None
    assert read_file(b"A.java", b"package a;\n// nothing yet\n") is not None
    # What else is in a file with a mistake still counts.
    found = read_file(b"A.java", b"enum A { X, Y }\n)(\n")
    assert found is not None
    assert len(found.declarations) == 1
