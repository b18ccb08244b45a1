"""Operations that do what their events do."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

AUCTION = """
import { AggregateRoot } from '@nestjs/cqrs';
export enum State { Planned = 'planned', Open = 'open', Over = 'over' }
export class Auction extends AggregateRoot {
  private state: State;
  static plan(): Auction {
    const auction = new Auction();
    auction.apply(new AuctionPlanned());
    return auction;
  }
  open(): void {
    if (this.state !== State.Planned) { throw new Error('open already'); }
    this.apply(new AuctionOpened(this.id));
  }
  end(): void {
    if (this.state !== State.Open) { throw new Error('not open'); }
    const event = new AuctionEnded(this.id);
    this.apply(event);
  }
  onAuctionPlanned(event: AuctionPlanned): void { this.state = State.Planned; }
  onAuctionOpened(event: AuctionOpened): void { this.state = State.Open; }
  onAuctionEnded(event: AuctionEnded): void { this.state = State.Over; }
}
"""
HANDLERS = AUCTION[AUCTION.index("  onAuctionPlanned") : -2]
DISPATCHERS = [
    """
    protected when(event: DomainEvent): void {
      if (event instanceof AuctionPlanned) { this.state = State.Planned; }
      else if (event instanceof AuctionOpened) { this.state = State.Open; }
      else if (event instanceof AuctionEnded) { this.state = State.Over; }
    }
    """,
    """
    protected mutate(event: DomainEvent): void {
      switch (event.constructor) {
        case AuctionPlanned: this.state = State.Planned; break;
        case AuctionOpened: { this.state = State.Open; return; }
        case AuctionEnded: this.finish(event as AuctionEnded); break;
        default: throw new Error('unknown');
      }
    }
    private finish(event: AuctionEnded) { this.state = State.Over; }
    """,
    """
    private handle(event: DomainEvent): void {
      switch (event.type) {
        case 'AuctionPlanned': this.state = State.Planned; break;
        case AuctionOpened.name: this.state = State.Open; break;
        case 'AuctionEnded': this.state = State.Over; break;
      }
    }
    """,
    """
    private evolve(event: DomainEvent): void {
      switch (true) {
        case event instanceof AuctionPlanned: this.state = State.Planned; break;
        case event instanceof AuctionOpened: this.state = State.Open; break;
        case event instanceof AuctionEnded: this.state = State.Over; break;
      }
    }
    """,
]
MOVES = """    transitions state {
        planned -> open
        open -> over
        terminal: over
    }
"""


def test_an_operation_does_what_is_there_for_its_event() -> None:
    found = declare({"sales/auction.ts": AUCTION})
    assert MOVES in found
    assert "requires: auction.state = open\n    ensures: auction.state = over" in found


def test_what_is_there_for_an_event_may_have_decorators() -> None:
    source = AUCTION.replace("  onAuctionEnded", "  @EventHandler(AuctionEnded)\n  onAuctionEnded")
    assert declare({"sales/auction.ts": source}) == declare({"sales/auction.ts": AUCTION})


def test_what_is_there_for_an_event_is_no_operation() -> None:
    assert "onAuction" not in declare({"sales/auction.ts": AUCTION}).replace(
        "OnAuction", "onAuction"
    )


@pytest.mark.parametrize("dispatcher", DISPATCHERS)
def test_one_method_may_be_there_for_all_events(dispatcher: str) -> None:
    found = declare({"sales/auction.ts": AUCTION.replace(HANDLERS, dispatcher)})
    assert MOVES in found
    assert "May change" not in found


@pytest.mark.parametrize(
    ("apply", "named"),
    [
        ("applyChange", "applyAuction"),
        ("raiseEvent", "whenAuction"),
        ("record", "handleAuction"),
    ],
)
def test_it_is_called_in_several_ways(apply: str, named: str) -> None:
    source = AUCTION.replace("this.apply(", f"this.{apply}(").replace("onAuction", named)
    assert MOVES in declare({"sales/auction.ts": source})


def test_an_event_may_be_an_object_that_an_own_method_hands_on() -> None:
    source = AUCTION.replace(HANDLERS, DISPATCHERS[2]).replace("extends AggregateRoot ", "")
    source = source.replace("new AuctionOpened(this.id)", "{ type: 'AuctionOpened', id: this.id }")
    source = source.replace(
        "AuctionOpened.name:", "'AuctionOpened':"
    ).replace(
        "    private handle", "    private apply(event: DomainEvent) {\n"
        "      this.handle(event);\n      this.changes.push(event);\n    }\n    private handle",
    )  # fmt: skip
    assert MOVES in declare({"sales/auction.ts": source})


def test_an_event_that_nothing_is_there_for_moves_nothing() -> None:
    source = AUCTION.replace("new AuctionOpened(this.id)", "new AuctionSeen(this.id)")
    found = declare({"sales/auction.ts": source})
    assert "ensures: auction.state = open" not in found
    assert "planned -> open" not in found


def test_an_event_whose_name_is_not_known_moves_nothing_either_way() -> None:
    source = AUCTION.replace(
        HANDLERS, DISPATCHERS[2].replace("AuctionOpened.name", "'auction.open'")
    )
    found = declare({"sales/auction.ts": source})
    assert "planned -> over" not in found
    assert "over -> " not in found


def test_what_others_send_runs_no_event_of_the_object() -> None:
    source = """
    enum State { Shut, Open }
    export class Line extends Emitter {
      private state: State = State.Shut;
      onMessage(event: Message) {
        switch (event.type) {
          case 'open': this.state = State.Open; break;
          case 'shut': this.state = State.Shut; break;
        }
      }
      send() { this.emit(new Hello()); }
    }
    """
    found = declare({"net/line.ts": source})
    assert "shut -> open\n        open -> shut" in found


def test_an_event_that_is_only_kept_says_nothing() -> None:
    source = """
    enum State { New = 'new', Paid = 'paid' }
    export class Order extends AggregateRoot {
      private state: State = State.New;
      pay() {
        if (this.state !== State.New) { throw new Error('paid'); }
        this.state = State.Paid;
        this.addDomainEvent(new OrderPaid(this.id));
      }
    }
    """
    found = declare({"sales/order.ts": source})
    assert "requires: order.state = new\n    ensures: order.state = paid" in found


SOURCED = """
export enum Status { Open = 'open', Paid = 'paid', Done = 'done' }
export class Order {
  private status: Status = Status.Open;
  pay() { if (this.status !== Status.Open) throw new Error(); this.apply(new OrderPaid()); }
  end() { if (this.status !== Status.Paid) throw new Error(); this.apply(new OrderDone()); }
  OTHER
  apply(event: any) {
    switch (event.constructor) {
      case OrderPaid: this.status = Status.Paid; break;
      case OrderDone: this.status = Status.Done; break;
      case Reopened: this.status = Status.Open; break;
    }
    AGAIN
  }
}
"""


def test_a_part_that_nothing_leaves_goes_on_with_the_next() -> None:
    source = SOURCED.replace("OTHER", "").replace("AGAIN", "")
    assert "open\n    ensures: order.status = paid" in declare({"sales/order.ts": source})
    found = declare({"sales/order.ts": source.replace("Status.Paid; break;", "Status.Paid;")})
    assert "open\n    ensures: order.status = done" in found


@pytest.mark.parametrize(
    ("other", "again"),
    [
        ("reopen() { this.apply(makeEvent(this)); }", ""),
        ("reopen() { const made = makeEvent(this); this.apply(made); }", ""),
        ("", "if (event instanceof OrderDone) { this.status = Status.Open; }"),
        ("", "if (event instanceof OrderDone && this.again) { this.status = Status.Open; }"),
    ],
)
def test_what_an_event_does_that_is_not_told_may_be_anything(other: str, again: str) -> None:
    assert "terminal" in declare(
        {"sales/order.ts": SOURCED.replace("OTHER", "").replace("AGAIN", "")}
    )
    source = SOURCED.replace("OTHER", other).replace("AGAIN", again)
    found = declare({"sales/order.ts": source})
    assert "open\n    ensures: order.status = paid" in found
    assert "terminal" not in found
