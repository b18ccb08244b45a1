"""What an operation lets others run when it is over."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.waiting_steps import (
    WaitingSteps,
    awaits_event,
    is_waiting,
    make_behind,
    make_waiting,
    runs_once,
)
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

STEP = make_waiting([ast.Pass()])


def list_states(steps: WaitingSteps) -> list[list[str] | None]:
    return [None if e.states is None else sorted(e.states) for e in steps.run()]


def test_a_body_that_waits_is_known_by_its_statement() -> None:
    assert is_waiting(STEP)
    assert not is_waiting(ast.parse("def later(): pass").body[0])


def test_what_goes_on_behind_a_promise_does_so_once() -> None:
    assert runs_once(make_behind([ast.Pass()]))
    assert not awaits_event(make_behind([ast.Pass()]))
    assert not runs_once(make_behind([make_waiting([ast.Pass()], "close")]))


def test_it_begins_in_each_state_that_the_operation_may_end_in_behind_it() -> None:
    steps = WaitingSteps()
    steps.leave(frozenset({"before"}))
    steps.add(STEP, None, is_doubtful=False)
    steps.leave(frozenset({"one"}))
    steps.leave(frozenset({"two"}))
    assert list_states(steps) == [["one", "two"]]


def test_what_waits_on_one_way_does_not_on_another() -> None:
    steps = WaitingSteps()
    mark = steps.mark()
    steps.add(STEP, None, is_doubtful=False)
    steps.leave(frozenset({"one"}))
    aside = steps.set_aside(mark)
    steps.leave(frozenset({"two"}))
    steps.bring_back(aside, frozenset())
    steps.leave(None)
    assert list_states(steps) == [["one"]]


def test_what_goes_on_ends_later() -> None:
    steps = WaitingSteps()
    steps.add(STEP, None, is_doubtful=True)
    aside = steps.set_aside(0)
    steps.bring_back(aside, None)
    steps.leave(None)
    assert [(each.states, each.is_doubtful) for each in steps.run()] == [(None, True)]


def test_an_operation_that_fails_lets_nothing_wait() -> None:
    steps = WaitingSteps()
    steps.add(STEP, None, is_doubtful=False)
    assert list_states(steps) == []


def test_what_waits_may_let_others_wait_but_not_for_ever() -> None:
    steps = WaitingSteps()
    steps.add(STEP, None, is_doubtful=False)
    steps.leave(frozenset({"a"}))
    seen = 0
    for _ in steps.run():
        seen += 1
        steps.add(STEP, None, is_doubtful=False)
        steps.leave(frozenset({"b"}))
    assert seen == 3


def test_it_begins_in_no_state_that_another_way_ends_in() -> None:
    steps = WaitingSteps()
    steps.add(STEP, frozenset({"paid"}), is_doubtful=False)
    steps.leave(frozenset({"new", "paid"}))
    assert list_states(steps) == [["paid"]]
    steps.add(STEP, frozenset({"paid"}), is_doubtful=False)
    steps.leave(frozenset({"sent"}))
    assert list_states(steps) == [["sent"]]


def test_faults_come_after_other_events_and_the_end_after_faults() -> None:
    steps = WaitingSteps()
    for event in ("close", "onError", "open"):
        steps.add(make_waiting([ast.Pass()], event), None, is_doubtful=False)
    steps.leave(frozenset({"opening"}))
    begun = []
    for each, end in zip(steps.run(), ("open", "failed", "closed"), strict=True):
        begun.append(sorted(each.states or ()))
        each.end = frozenset({end})
    assert begun == [["opening"], ["open", "opening"], ["failed", "open", "opening"]]


SESSION = """
enum State { New = 'new', Asked = 'asked', Up = 'up', Over = 'over' }
export class Session {
  private state: State = State.New;
  answer(request: Request) {
    if (this.state !== State.New) throw new Error();
    this.state = State.Asked;
    if (request.isWrong) { this.state = State.Over; }
    try {
      if (this.state === State.Over) throw new Error('over');
      request.on('reply', () => { this.state = State.Up; });
      request.send();
    } CAUGHT
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize(
    "caught",
    [
        "catch (e) { if (this.state === State.Over) { return; } this.fail(e); }",
        "catch (e) { this.fail(e); } finally { request.end(); }",
    ],
)
def test_what_is_handed_on_in_a_try_does_not_wait_where_that_fails_before(caught: str) -> None:
    told = declare({"net/session.ts": SESSION.replace("CAUGHT", caught)})
    assert "asked -> up" in told
    assert "over -> up" not in told
