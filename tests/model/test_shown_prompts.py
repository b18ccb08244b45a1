"""A prompt is shown before it goes out: all of it, in its order, no secret and no escape in it."""

import io

from git_retcon.model.messages import (
    Message,
    Reply,
    Request,
    StopReason,
    Text,
    ToolDeclaration,
    ToolResult,
    Usage,
    user,
)
from git_retcon.model.redaction import Redactor
from git_retcon.model.shown_prompts import ShownPrompts, show_prompt

REPLY = Reply("claude-sonnet-5-5", (Text("done"),), StopReason.END_TURN, Usage())


class Recorder:
    """Answers every request alike; keeps what was shown when it was asked."""

    def __init__(self, stream: io.StringIO) -> None:
        self.stream = stream
        self.shown_before: list[str] = []

    def complete(self, request: Request) -> Reply:
        self.shown_before.append(self.stream.getvalue())
        return REPLY


def test_a_conversation_is_shown_turn_by_turn_before_it_is_sent() -> None:
    stream = io.StringIO()
    inner = Recorder(stream)
    shown = ShownPrompts(inner, Redactor(frozenset({b"hunter2-hunter2"})), stream)
    tool = ToolDeclaration("read_file", "", {"type": "object"})
    first = Request("claude-sonnet-5-5", "You sort.", (user("sort hunter2-hunter2"),), 10, (tool,))
    assert shown.complete(first) is REPLY
    results = Message("user", (ToolResult("1", "a\x1b[31m"), ToolResult("2", "no", is_error=True)))
    shown.complete(Request("claude-sonnet-5-5", "You sort.", (*first.messages, results), 10))
    beginning = (
        "--- prompt to claude-sonnet-5-5\nYou sort.\n(tools: read_file)\n"
        "sort [masked secret ..r2]\n---\n"
    )
    assert inner.shown_before[0] == beginning
    assert inner.shown_before[1] == (
        f"{beginning}--- prompt to claude-sonnet-5-5\n(result of a tool) a\\x1b[31m\n"
        "(fault of a tool) no\n---\n"
    )


def test_a_prompt_to_paste_is_shown_in_the_same_way() -> None:
    stream = io.StringIO()
    show_prompt("paste", ("one\ntwo", "three"), Redactor(), stream)
    assert stream.getvalue() == "--- prompt to paste\none\ntwo\nthree\n---\n"
