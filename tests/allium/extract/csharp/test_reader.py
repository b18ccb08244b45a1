"""C# by its grammar."""

import pytest

from git_retcon.allium.extract.csharp.types import GRAMMAR
from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(GRAMMAR), reason="the extra 'csharp' is missing")

ORDER = """
using System;
using Shop.People;
namespace Shop.Orders;
public enum OrderStatus { New, InWork = 3, Open, Done }
public class Order : Entity<Guid>, IAggregate
{
    private readonly List<Line> _lines = new();
    private readonly IStore _store;
    public Guid Id { get; private set; }
    public string? Note { get; set; }
    public decimal Total { get; private set; }
    public DateTime? PaidAt { get; private set; }
    public OrderStatus Status { get; private set; } = OrderStatus.New;
    public IReadOnlyCollection<Line> Lines => _lines.AsReadOnly();
    public bool IsNew => Status == OrderStatus.New;
    public static int X { get; }
    public Order(Guid id) { Id = id; }
    public void Pay(decimal amount)
    {
        if (!IsNew) throw new InvalidOperationException("late");
        if (amount < Total) { throw new X(); }
        Status = OrderStatus.InWork;
        PaidAt = DateTime.UtcNow;
    }
    public void Open()
    {
        if (this.Status is not (OrderStatus.New or OrderStatus.InWork)) throw new X();
        Status = OrderStatus.Open;
    }
    public void Step()
    {
        switch (Status)
        {
            case OrderStatus.New: case OrderStatus.Open: Status = OrderStatus.InWork; break;
            default: throw new X();
        }
    }
    public void Flip() => Status = Status switch
    {
        OrderStatus.InWork => OrderStatus.Open, OrderStatus.Open => OrderStatus.Done,
        _ => throw new X()
    };
}
public record Money(decimal Amount, string Currency);
public class Line { public int Id { get; set; } public Order Order { get; set; } }
public class Service { private readonly IStore _store; public void Run() { _store.Close(); } }
public interface IStore
{ Task<Order> Find(Guid id, CancellationToken t); void Close(); string Name { get; } }
"""


def test_a_class_with_its_fields_relations_enums_and_guarded_methods() -> None:
    assert (
        declare({"Orders/Order.cs": ORDER})
        == """\
enum OrderStatus { new | in_work | open | done }

entity Order {
    id: String
    note: String?
    total: Decimal
    paid_at: Timestamp?
    status: OrderStatus
    lines: List<Line>

    transitions status {
        new -> in_work
        new -> open
        in_work -> open
        open -> in_work
        open -> done
        terminal: done
    }
}

value Money {
    amount: Decimal
    currency: String
}

entity Line {
    id: Integer
    order: Order
}

contract IStore {
    find: (id: String) -> Order
    close: () -> Void
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = in_work
    ensures: order.paid_at = now
}

rule OrderOpen {
    when: OpenOrder(order)
    requires: order.status in {new, in_work}
    ensures: order.status = open
}

rule OrderStep {
    when: StepOrder(order)
    requires: order.status in {new, open}
    ensures: order.status = in_work
}

rule OrderFlip {
    when: FlipOrder(order)
    requires: order.status in {in_work, open}
    ensures:
        if order.status = in_work: order.status = open
        else if order.status = open: order.status = done
}"""
    )
