"""Work side by side ends together: each fault is told, a bug shows, and Ctrl-C ends all of it."""

import threading
import time

import pytest

from git_retcon.errors import Refused, UserError
from git_retcon.interrupts import raise_if_halted
from git_retcon.run.side_work import run_side_by_side


def refuse() -> None:
    raise Refused("no room")


def test_a_fault_of_one_lets_the_others_come_to_their_ends() -> None:
    done: list[int] = []
    tasks = [lambda: done.append(0), refuse, lambda: done.append(2)]
    faults = run_side_by_side(tasks)
    assert sorted(done) == [0, 2]
    assert {number: str(fault) for number, fault in faults.items()} == {1: "no room"}
    assert isinstance(faults[1], UserError)


def test_what_is_no_fault_of_the_user_ends_the_others() -> None:
    ended = threading.Event()

    def run_on() -> None:
        try:
            while True:
                raise_if_halted()
                time.sleep(0.001)
        finally:
            ended.set()

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_side_by_side([run_on, fail])
    assert ended.is_set()
    raise_if_halted()  # the main thread goes on
    assert run_side_by_side([raise_if_halted]) == {}
