"""Objects that move where their class gives a copy with another state."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

TICKET = """
export enum TicketStatus { Open = 'open', Solved = 'solved', Closed = 'closed' }
export class Ticket {
  constructor(
    readonly id: string, readonly status: TicketStatus, private readonly _title: string,
  ) {}
  get title(): string { return this._title; }
  solve(): Ticket {
    if (this.status !== TicketStatus.Open) { throw new Error('not open'); }
    return new Ticket(this.id, TicketStatus.Solved, this.title);
  }
  close(): Ticket {
    if (this.status !== TicketStatus.Solved) { throw new Error('not solved'); }
    return new Ticket(this.id, TicketStatus.Closed, this._title);
  }
  static from(data: TicketData): Ticket { return new Ticket(data); }
  static start(data: TicketData): Ticket { return new Ticket({ ...data, id: makeId() }); }
  with(changes: Partial<Ticket>): Ticket { return new Ticket({ ...this, ...changes }); }
}
"""
MOVES = """    transitions status {
        open -> solved
        solved -> closed
        terminal: closed
    }
"""
SOLVED = "new Ticket(this.id, TicketStatus.Solved, this.title)"


@pytest.mark.parametrize(
    "copy",
    [
        SOLVED,
        "new Ticket({ ...this, status: TicketStatus.Solved })",
        "new Ticket({ id: this.id, status: TicketStatus.Solved, title: this.title })",
        "ok(new Ticket({ ...this, status: TicketStatus.Solved }))",
        "Result.ok(new Ticket({ ...this, status: TicketStatus.Solved }))",
        "this.with({ status: TicketStatus.Solved })",
        "Ticket.from({ ...this, status: TicketStatus.Solved })",
    ],
)
def test_a_copy_is_the_object_from_now_on(copy: str) -> None:
    found = declare({"desk/ticket.ts": TICKET.replace(SOLVED, copy)})
    assert MOVES in found
    assert "requires: ticket.status = open\n    ensures: ticket.status = solved\n" in found


def test_an_object_of_props_may_be_copied() -> None:
    source = """
    export interface JobProps { id: string; status: 'queued' | 'running' | 'done' }
    export class Job {
      private constructor(private readonly props: JobProps) {}
      start(): Job {
        if (this.props.status !== 'queued') { throw new Error('started'); }
        return new Job({ ...this.props, status: 'running' });
      }
      finish(): Job {
        if (this.props.status !== 'running') { throw new Error('not running'); }
        return new Job({ ...this.props, status: 'done' });
      }
    }
    """
    found = declare({"desk/job.ts": source})
    for given in ("this.id", "this._id.value"):
        kept = source.replace("' });", f"' }}, {given});")
        assert declare({"desk/job.ts": kept}) == found
    other = source.replace("running' });", "running' }, makeId());")
    assert "queued -> running" not in declare({"desk/job.ts": other})
    assert "queued -> running\n        running -> done\n        terminal: done" in found


@pytest.mark.parametrize(
    "other",
    [
        "new Ticket(makeId(), TicketStatus.Solved, this.title)",
        "new Ticket({ ...this, id: makeId(), status: TicketStatus.Solved })",
        "new Ticket({ ...this, ...others, status: TicketStatus.Solved })",
        "new Answer(this.id, TicketStatus.Solved, this.title)",
        "this.send({ status: TicketStatus.Solved })",
        "Ticket.start({ ...this, status: TicketStatus.Solved })",
    ],
)
def test_another_object_is_no_copy(other: str) -> None:
    found = declare({"desk/ticket.ts": TICKET.replace(SOLVED, other)})
    assert "ensures: ticket.status = solved" not in found
    assert "open -> solved" not in found


def test_what_makes_the_first_one_moves_nothing() -> None:
    source = TICKET.replace("solve(): Ticket", "static solve(this: Ticket): Ticket")
    assert "open -> solved" not in declare({"desk/ticket.ts": source})
