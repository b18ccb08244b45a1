"""Fields whose states are objects."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.valued_states import ask_valued
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATUS = """
type Value = 'open' | 'solved' | 'closed';
export class TicketStatus extends ValueObject<{ value: Value }> {
  private static readonly NEXT: Record<Value, Value[]> = {
    open: ['solved', 'closed'], solved: ['closed'], closed: [],
  };
  private constructor(readonly value: Value) {}
  static open(): TicketStatus { return new TicketStatus('open'); }
  static solved(): TicketStatus { return new TicketStatus('solved'); }
  static closed(): TicketStatus { return new TicketStatus('closed'); }
  isOpen(): boolean { return this.value === 'open'; }
  isOver(): boolean { return this.value === 'closed'; }
  canBecome(next: TicketStatus): boolean {
    return TicketStatus.NEXT[this.value].includes(next.value);
  }
}
"""
TICKET = """
import { TicketStatus } from './ticket-status';
export class Ticket {
  private status: TicketStatus = TicketStatus.open();
  solve(): void {
    if (!this.status.isOpen()) { throw new Error('not open'); }
    this.status = TicketStatus.solved();
  }
  close(): void {
    if (this.status.isOver()) { throw new Error('closed'); }
    this.status = TicketStatus.closed();
  }
}
"""
MOVES = """    transitions status {
        open -> solved
        open -> closed
        solved -> closed
        terminal: closed
    }
"""


def ask(statement: str, kind: str = "TicketStatus", name: str = "status") -> str:
    source = f"class Ticket {{ private {name}: {kind}; run(next) {{ {statement} }} }}"
    written = ask_valued(source.encode(), "tree_sitter_typescript", "language_typescript")
    return written.decode().partition("{ run" if "{ run" in source else "run(next) { ")[2][:-4]


@pytest.mark.parametrize(
    ("asked", "open_"),
    [
        ("!this.status.isOpen()", "TicketStatus.open()"),
        ("!this.status.equals(TicketStatus.open())", "TicketStatus.create('open')"),
        ("this.status.value !== 'open'", "new TicketStatus('open')"),
        ("!['open'].includes(this.status.value)", "TicketStatus.from('open')"),
        ("!this.status.canBecome(TicketStatus.solved())", "TicketStatus.open()"),
    ],
)
def test_an_entity_moves_by_the_objects_that_its_states_are(asked: str, open_: str) -> None:
    source = TICKET.replace("!this.status.isOpen()", asked).replace("TicketStatus.open();", open_)
    found = declare({"desk/ticket.ts": source, "desk/ticket-status.ts": STATUS})
    assert MOVES in found
    assert "requires: ticket.status = open\n    ensures: ticket.status = solved" in found


def test_a_step_may_ask_what_may_follow() -> None:
    source = """
    import { TicketStatus } from './ticket-status';
    export interface TicketProps { title: string; status: TicketStatus }
    export class Ticket extends Entity<TicketProps> {
      get status(): TicketStatus { return this.props.status; }
      solve(): void { this.become(TicketStatus.solved()); }
      close(): void { this.become(TicketStatus.closed()); }
      private become(next: TicketStatus): void {
        if (!this.status.canBecome(next)) { throw new Error('not now'); }
        this.props.status = next;
      }
    }
    """
    found = declare({"desk/ticket.ts": source, "desk/ticket-status.ts": STATUS})
    assert MOVES in found


def test_what_its_class_does_not_say_is_not_known() -> None:
    found = declare({"desk/ticket.ts": TICKET})
    assert "transitions" not in found
    assert "requires" not in found
    # A question with the name of a state may mean more than that state.
    other = STATUS.replace("this.value === 'open'", "this.value !== 'closed'")
    found = declare({"desk/ticket.ts": TICKET, "desk/ticket-status.ts": other})
    assert "requires: ticket.status != closed\n    ensures: ticket.status = solved" in found


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("this.status = TicketStatus.create({ value: Value.SOLVED });",
         "this.status = TicketStatus.SOLVED;"),
        ("this.status = TicketStatus.create('solved').value;",
         "this.status = TicketStatus.SOLVED;"),
        ("this.is = TicketStatus.open(); return this.status.getValue() === Value.SOLVED;",
         "this.is = TicketStatus.OPEN; return this.status === TicketStatus.SOLVED;"),
        ("return TicketStatus.solved().equals(this.status);",
         "return (this.status === TicketStatus.SOLVED);"),
        ("return this.status.equals(next);", "return (this.status === next);"),
        ("return this.status.isOver;", "return TicketStatus.isOver(this.status);"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_state(statement: str, written: str) -> None:
    assert ask(statement) == written


@pytest.mark.parametrize(
    ("statement", "kind", "name"),
    [
        ("this.total = Money.zero(); return this.total.isZero();", "Money", "total"),
        ("return this.status.isOpen();", "string", "status"),
        ("return other.status.isOpen();", "TicketStatus", "status"),
        ("this.status = TicketStatus.create(next);", "TicketStatus", "status"),
        ("return this.status.value === 'open';", "TicketStatus", "status"),
        ("this.status = other.solve();", "TicketStatus", "status"),
        ("this.status.solve();", "TicketStatus", "status"),
        ("return this.status.describe();", "TicketStatus", "status"),
    ],
)
def test_what_says_no_state_stays_as_it_is(statement: str, kind: str, name: str) -> None:
    assert ask(statement, kind, name) == statement


def test_a_state_may_give_the_one_behind_it() -> None:
    status = STATUS.replace(
        "  isOver()",
        "  solve(): TicketStatus {\n"
        "    if (!this.isOpen()) { throw new Error('not open'); }\n"
        "    return TicketStatus.solved();\n  }\n"
        "  become(next: TicketStatus): TicketStatus {\n"
        "    if (!this.canBecome(next)) { throw new Error('not now'); }\n"
        "    return next;\n  }\n"
        "  ensureOpen(): void { if (!this.isOpen()) { throw new Error('not open'); } }\n  isOver()",
    )
    check = "if (!this.status.isOpen()) { throw new Error('not open'); }\n    "
    set_it = "this.status = TicketStatus.solved();"
    for solved in (
        "this.status = this.status.solve();",
        "this.status = this.status.become(TicketStatus.solved());",
        f"this.status.ensureOpen(); {set_it}",
    ):
        source = TICKET.replace(check + set_it, solved)
        assert solved in source
        found = declare({"desk/ticket.ts": source, "desk/ticket-status.ts": status})
        assert MOVES in found
        assert "requires: ticket.status = open\n    ensures: ticket.status = solved" in found
        # What the class of the states does is known from its file alone.
        assert "-> solved" not in declare({"desk/ticket.ts": source})
