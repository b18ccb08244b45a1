"""Rust by its grammar."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from git_retcon.allium.extract.rust.types import GRAMMAR
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(GRAMMAR), reason="the extra 'rust' is missing")

ORDER = """
use crate::people::{User, Role as R};

#[derive(Debug, PartialEq, Serialize)]
pub enum Status { New, InWork, Open, Done { at: u32 } }

#[derive(Debug)]
pub enum OrderError { Late }

#[derive(Debug, Serialize)]
pub struct Order<'a> {
    pub id: Uuid,
    note: Option<&'a str>,
    lines: Vec<Line>,
    tags: HashSet<String>,
    sizes: HashMap<String, u8>,
    paid_at: Option<chrono::DateTime<Utc>>,
    status: Status,
    role: R,
    total: u64,
}
pub struct Line { pub sku: Arc<String>, pub amount: u32 }
struct Worker { queue: Vec<u8> }
pub trait Store: Send { fn find(&self, id: Uuid) -> Result<Order, Error>; fn close(&mut self); }
impl Order<'_> {
    pub fn is_new(&self) -> bool { self.status == Status::New }
    pub fn total(&self) -> u64 { self.total }
    pub fn begin(&mut self, amount: u64) -> Result<(), OrderError> {
        if !self.is_new() { return Err(OrderError::Late); }
        if amount < self.total { bail!("few") }
        self.status = Status::InWork;
        self.paid_at = Some(Utc::now());
        Ok(())
    }
    pub fn finish(&mut self) -> Result<(), OrderError> {
        if !matches!(self.status, Status::InWork | Status::Open) { return Err(OrderError::Late); }
        ensure!(self.paid_at.is_some(), "unpaid");
        self.status = Status::Done { at: 1 };
        Ok(())
    }
    pub fn wait(&mut self) -> Result<(), OrderError> {
        match self.status {
            Status::InWork => { self.status = Status::Open; Ok(()) }
            _ => Err(OrderError::Late),
        }
    }
    pub fn flip(&mut self) {
        self.status = match self.status {
            Status::InWork => Status::Open,
            Status::Open => Status::InWork,
            _ => return,
        };
    }
}
#[cfg(test)]
struct Fixture { pub id: u32 }
"""


def test_a_struct_that_is_sent_with_results_matches_and_macros() -> None:
    files = {
        "src/shop/order.rs": ORDER,
        "src/people/mod.rs": "pub use self::role::Role;",
        "src/people/role.rs": "pub enum Role { Buyer, Seller }",
    }
    found = declare(files)
    assert (
        found[found.index("enum Status") :]
        == """\
enum Status { new | in_work | open | done }

entity Order {
    id: String
    note: String?
    lines: List<Line>
    tags: Set<String>
    sizes: Any -- HashMap
    paid_at: Timestamp?
    status: Status
    role: people/Role
    total: Integer

    transitions status {
        new -> in_work
        in_work -> open
        in_work -> done
        open -> in_work
        open -> done
        terminal: done
    }
}

value Line {
    sku: String
    amount: Integer
}

contract Store {
    find: (id: String) -> Order
    close: () -> Void
}

rule OrderBegin {
    when: BeginOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = in_work
    ensures: order.paid_at = now
}

rule OrderFinish {
    when: FinishOrder(order)
    requires: order.status in {in_work, open}
    requires: order.paid_at != null
    ensures: order.status = done
}

rule OrderWait {
    when: WaitOrder(order)
    requires: order.status = in_work
    ensures: order.status = open
}

rule OrderFlip {
    when: FlipOrder(order)
    ensures:
        if order.status = in_work: order.status = open
        else if order.status = open: order.status = in_work
}"""
    )


def test_what_an_arm_with_a_guard_does_proves_nothing() -> None:
    source = """
pub enum State { Open, Shut, Locked }
#[derive(Serialize)]
pub struct Door { state: State, n: u8 }
impl Door {
    fn go(&mut self) {
        self.state = match self.state {
            State::Open if self.n > 3 => State::Locked,
            _ => State::Shut,
        };
    }
}
"""
    assert "rule" not in declare({"src/door.rs": source})


def test_a_method_that_changes_its_own_copy_changes_nothing() -> None:
    door = """
#[derive(Clone, Copy)]
pub enum State { Open, Shut }
#[derive(Serialize, Clone, Copy)]
pub struct Door { state: State }
impl Door {
    fn shut(mut self)%s { self.state = State::Shut;%s }
}
"""
    assert "rule" not in declare({"src/door.rs": door % ("", "")})
    # Who gets the copy back has the new state.
    returned = declare({"src/door.rs": door % (" -> Result<Self, Error>", " Ok(self)")})
    assert "ensures: door.state = shut" in returned
