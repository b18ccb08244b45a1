"""A conversation that brings nothing new for three turns is ended, with any calls."""

import pytest

from git_retcon.model.conversation import MOST_CALLS, Conversation, NoHeadway
from git_retcon.model.messages import Reply, StopReason, ToolResult, Usage
from git_retcon.model.toolloop import ToolFault, Turn

REPLY = Reply("claude-sonnet-5-5", (), StopReason.TOOL_USE, Usage())


def turn(*results: ToolResult) -> Turn:
    return Turn(1, REPLY, results or (ToolResult("1", "fine"),))


def test_three_turns_without_anything_new_end_it() -> None:
    conversation = Conversation()
    conversation.note("file", "a")
    for _ in range(3):
        conversation.watch(turn())
    with pytest.raises(NoHeadway) as raised:
        conversation.watch(turn())
    assert str(raised.value) == "the model went 3 turns without anything new"


def test_only_the_first_time_is_new() -> None:
    conversation = Conversation()
    for _ in range(3):
        conversation.note("file", "a")
        conversation.watch(turn())
    conversation.note("file", "a")
    with pytest.raises(NoHeadway):
        conversation.watch(turn())


def test_something_new_begins_the_count_again() -> None:
    conversation = Conversation()
    for number in range(12):
        if number % 3 == 2:
            conversation.note("file", number)
        conversation.watch(turn())


def test_a_turn_without_calls_is_an_answer_and_no_idle_one() -> None:
    conversation = Conversation()
    for _ in range(10):
        conversation.watch(Turn(1, REPLY))


def test_the_last_fault_is_reported_in_a_bounded_way() -> None:
    conversation = Conversation()
    conversation.watch(turn(ToolResult("1", "old", is_error=True)))
    conversation.watch(turn(ToolResult("1", "x" * 1000, is_error=True)))
    with pytest.raises(NoHeadway) as raised:
        conversation.watch(turn())
    assert str(raised.value).endswith(f"anything new; the last fault was: {'x' * 300}")


def test_the_calls_of_one_turn_are_counted() -> None:
    conversation = Conversation()
    for _ in range(2):
        for _ in range(MOST_CALLS):
            conversation.begin_call()
        with pytest.raises(ToolFault, match=f"at most {MOST_CALLS} calls in one turn"):
            conversation.begin_call()
        conversation.note("something")
        conversation.watch(turn())
