"""Go by its grammar."""

import pytest

from git_retcon.allium.extract.go.types import GRAMMAR
from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(GRAMMAR), reason="the extra 'go' is missing")

STATUS = """
package shop
type OrderStatus string
const (
    StatusNew  OrderStatus = "new"
    StatusOpen OrderStatus = "open"
    StatusPaid OrderStatus = "paid"
)
"""

ORDER = """
package shop

import (
    "errors"
    "time"
    "example.com/app/people"
)

type Order struct {
    ID       string       `json:"id"`
    Status   OrderStatus  `json:"status"`
    Total    int64        `json:"total"`
    PaidAt   *time.Time   `json:"paid_at"`
    Buyer    *people.User `json:"buyer"`
    Lines    []Line       `json:"lines"`
    Internal string       `gorm:"-"`
    notes    map[string]string
}

type Line struct { SKU string; Amount int }

func (o *Order) Pay(amount int64) error {
    if o.Status != StatusNew && o.Status != StatusOpen {
        return ErrLate
    }
    if amount < o.Total {
        return errors.New("too little")
    }
    if err := charge(o); err != nil {
        return err
    }
    now := time.Now()
    o.PaidAt, o.notes = &now, nil
    o.Status = StatusPaid
    return nil
}
"""


def test_a_struct_with_tags_is_an_entity_and_its_guarded_methods_are_rules() -> None:
    files = {
        "shop/order.go": STATUS + ORDER.partition("package shop")[2],
        "people/user.go": "package people\ntype User struct { ID int; Name string }",
    }
    assert (
        declare(files).partition("enum")[2]
        == """\
 OrderStatus { new | open | paid }

entity Order {
    id: String
    status: OrderStatus
    total: Integer
    paid_at: Timestamp?
    buyer: people/User?
    lines: List<Line>
    notes: Any

    transitions status {
        new -> paid
        open -> paid
        terminal: paid
    }
}

value Line {
    sku: String
    amount: Integer
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new or order.status = open
    requires: amount >= order.total
    ensures: order.status = paid
    ensures: order.notes = null
}"""
    )


def test_the_files_of_a_folder_see_one_another() -> None:
    # The constants of another file say by their names which type they are of.
    assert (
        declare(
            {
                "a/door.go": """
package a
type Door struct { State DoorState }
func (d *Door) Close() error {
    if d.State != DoorStateOpen { return ErrShut }
    d.State = DoorStateShut
    return nil
}
""",
                "a/state.go": """
package a
type DoorState int
const (
    DoorStateOpen DoorState = iota
    DoorStateShut
)
""",
            }
        )
        == """\
entity Door {
    state: DoorState

    transitions state {
        open -> shut
        terminal: shut
    }
}

rule DoorClose {
    when: CloseDoor(door)
    requires: door.state = open
    ensures: door.state = shut
}

enum DoorState { open | shut }"""
    )


def test_switches_embedded_structs_and_interfaces() -> None:
    source = """
package shop
type Base struct { ID int `db:"id"`; CreatedAt time.Time `db:"created_at"` }
type State int
const (
    Idle State = iota
    Busy
    _
    Done
)
type Job struct { Base; State State `db:"state"` }
func (j *Job) Next() error {
    switch j.State {
    case Idle:
        j.State = Busy
    case Busy:
        j.State = Done
    default:
        return fmt.Errorf("job %d is over", j.ID)
    }
    return nil
}
func (j Job) String() string { return "job" }
type Queue interface {
    Push(ctx context.Context, job *Job) error
    Pop() (Job, error)
    private()
}
type worker struct { running bool; jobs chan Job }
func (w *worker) stop() { w.running = false }
type Server struct { Address string; handler any }
func (s *Server) Serve() error { return nil }
"""
    assert (
        declare({"shop/job.go": source})
        == """\
enum State { idle | busy | done }

entity Base {
    id: Integer
    created_at: Timestamp
}

entity Job {
    id: Integer
    created_at: Timestamp
    state: State

    transitions state {
        idle -> busy
        busy -> done
        terminal: done
    }
}

contract Queue {
    push: (job: Job?) -> Void
    pop: () -> Job
}

rule JobNext {
    when: NextJob(job)
    requires: job.state in {idle, busy}
    ensures:
        if job.state = idle: job.state = busy
        else if job.state = busy: job.state = done
}"""
    )


@pytest.mark.parametrize(
    "refusal",
    [
        "return ErrLate",
        "return shop.ErrLate",
        'return fmt.Errorf("late")',
        'return errors.New("late")',
        "return &LateError{}",
        "return NewLateError(j)",
    ],
)
def test_an_error_that_is_returned_is_a_refusal(refusal: str) -> None:
    source = f"""
package a
type Door struct {{ State string; Locked bool }}
func (j *Door) Open() error {{
    if j.Locked {{ {refusal} }}
    j.State = "open"
    return nil
}}
"""
    found = declare({"a/door.go": source})
    assert "requires: not door.locked" in found


def test_what_a_call_may_set_is_not_known() -> None:
    source = """
package a
type State int
const ( StateOpen State = iota; StateAjar; StateShut )
type Door struct { State State }
func (d *Door) Move() error {
    var err error
    if d.State != StateOpen { return ErrLate }
    d.State, err = ask()
    if err == nil { d.State = StateShut }
    return err
}
"""
    # Only open doors are moved, but what asking makes of them may be anything.
    assert "        ajar -> shut\n" in declare({"a/door.go": source})


def test_what_a_grammar_makes_nothing_of_is_unreadable_and_deep_nesting_is_survived() -> None:
    from git_retcon.allium.extract.go.reader import read_file

    deep = b"package a\nfunc (d D) f() { x = " + b"(" * 5000 + b")" * 5000 + b" }"
    assert read_file(b"a.go", deep) is None or not read_file(b"a.go", deep).declarations  # type: ignore[union-attr]
    assert read_file(b"a.go", b"") is not None


DOOR = """
package a
type State int
const ( StateOpen State = iota; StateAjar; StateShut )
type Door struct { State State; Name string }
"""


def test_a_method_that_changes_its_own_copy_changes_nothing() -> None:
    shut = "func (d Door) Close() { d.State = StateShut }"
    assert "rule" not in declare({"a/door.go": DOOR + shut})
    assert "transitions" not in declare({"a/door.go": DOOR + shut})
    # Who gets the copy back has the new state.
    returned = "func (d Door) Close() (Door, error) { d.State = StateShut; return d, nil }"
    assert "ensures: door.state = shut" in declare({"a/door.go": DOOR + returned})


@pytest.mark.parametrize("word", ["defer", "go"])
def test_what_runs_after_a_method_leaves_open_what_it_does(word: str) -> None:
    source = f"""
func (d *Door) Close() error {{
    if d.State != StateOpen {{ return ErrLate }}
    if d.Name != "" {{
        {word} func() {{ d.State = StateAjar }}()
    }}
    d.State = StateShut
    d.Name = "shut"
    return nil
}}
"""
    found = declare({"a/door.go": DOOR + source})
    assert (
        found[found.index("rule") :]
        == """\
rule DoorClose {
    when: CloseDoor(door)
    requires: door.state = open
    ensures: door.name = "shut"
}"""
    )
    assert "transitions" not in found


RESET = """
func (d *Door) Reset() error {
    if d.State != StateShut { return ErrLate }
    d.State = StateOpen
    return nil
}
func (d *Door) Validate() error {
    if d.Name == "" { return ErrName }
    d.Name = trim(d.Name)
    return nil
}
"""


def test_a_method_with_the_name_of_a_plain_one_is_a_rule_where_it_moves_a_state() -> None:
    found = declare({"a/door.go": DOOR + RESET})
    assert "requires: door.state = shut\n    ensures: door.state = open" in found
    assert "rule DoorValidate" not in found
    generated = "// Code generated by protoc-gen-go. DO NOT EDIT.\n"
    assert "rule" not in declare({"a/door.go": generated + DOOR + RESET})


BREAKER = """
package b
type State int
const (
	StateClosed State = iota
	StateHalfOpen
	StateOpen
)
type Breaker[T any] struct {
	ID string
	state State
}
func (cb *Breaker[T]) currentState(now time.Time) State {
	switch cb.state {
	case StateOpen:
		if cb.expiry.Before(now) {
			cb.setState(StateHalfOpen, now)
		}
	}
	return cb.state
}
func (cb *Breaker[T]) Fail(state State, now time.Time) {
	switch state {
	case StateClosed:
		if cb.readyToTrip(cb.counts) {
			cb.setState(StateOpen, now)
		}
	case StateHalfOpen:
		cb.setState(StateOpen, now)
	}
}
func (cb *Breaker[T]) Close(other State, now time.Time) {
	if other == StateHalfOpen {
		cb.setState(StateClosed, now)
	}
}
func (cb *Breaker[T]) Renew(wanted State, now time.Time) {
	if wanted == StateClosed && cb.state == StateHalfOpen {
		cb.setState(StateClosed, now)
	}
}
func (cb *Breaker[T]) setState(state State, now time.Time) {
	if cb.state == state {
		return
	}
	prev := cb.state
	cb.state = state
	cb.onStateChange(cb.name, prev, state)
}
"""


def test_a_state_is_followed_through_own_methods_of_a_generic_struct() -> None:
    """A parameter that is called as the field holds its state; of another one nobody knows."""
    found = declare({"b/breaker.go": BREAKER})
    assert [line.strip() for line in found.split("\n") if " -> " in line] == [
        "closed -> open",
        "half_open -> closed",
        "half_open -> open",
        "open -> half_open",
    ]
    named = declare({"b/breaker.go": BREAKER.replace("other", "state")})
    assert "half_open -> closed" in named
    assert "open -> closed" not in named.replace("half_open -> closed", "")
    without = BREAKER.replace("&& cb.state == StateHalfOpen", "&& cb.state == StateClosed")
    assert "half_open -> closed" not in declare({"b/breaker.go": without})
