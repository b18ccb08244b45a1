"""The tool loop over a real socket."""

from collections.abc import Callable
from typing import Any

import pytest

from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.failures import (
    BudgetSpent,
    CutOff,
    Declined,
    NoAnswer,
    TurnsSpent,
    WindowExceeded,
    WrongShape,
)
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Task, Tool, ToolFault, Turn, hold_conversation
from tests.model.loopback import (
    LoopbackApi,
    Says,
    answers,
    call,
    calls,
    cut_off,
    last_text,
    refuses,
    says,
)

FILES = {"a.py": "def a(): ...", "b.py": "def b(): ..."}
VERDICT = {
    "type": "object",
    "properties": {"kind": {"enum": ["progress", "stuck"]}, "files": {"type": "array"}},
    "required": ["kind", "files"],
}


def read_file(given: Json) -> str:
    if given["path"] not in FILES:
        raise ToolFault(f"there is no file '{given['path']}'")
    return FILES[given["path"]]


READ = Tool(
    "read_file",
    "Read a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    read_file,
)


def task(**options: Any) -> Task:
    return Task(
        model="claude-sonnet-5-5",
        system="You sort files.",
        tools=(READ,),
        **({"prompt": "sort them", "schema": VERDICT} | options),
    )


def results(api: LoopbackApi, request: int) -> list[tuple[str, bool]]:
    content = api.requests[request].body["messages"][-1]["content"]
    return [(block["content"], block["is_error"]) for block in content]


def test_tools_are_run_until_the_answer(api: LoopbackApi, client: Client) -> None:
    both = Says((call("read_file", {"path": "a.py"}), call("read_file", {"path": "b.py"})))
    api.script(both, answers({"kind": "progress", "files": ["a.py"]}))
    turns: list[Turn] = []
    outcome = hold_conversation(client, task(), turns.append)
    assert outcome.answer == {"kind": "progress", "files": ["a.py"]}
    assert outcome.turns == 2
    assert outcome.usage.output == 40
    assert results(api, 1) == [("def a(): ...", False), ("def b(): ...", False)]
    assert [turn.number for turn in turns] == [1, 2]


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (call("read_file", {"path": "c.py"}), "there is no file 'c.py'"),
        (call("read_file", {}), "nothing was done: 'path' is missing"),
        (call("read_file", {"path": 3}), "nothing was done: 'path' must be of type string"),
        (call("read_file", "[1, 2]"), "nothing was done: the input is not a JSON object"),
        (call("read_file", '{"path": '), "nothing was done: the input is not a JSON object"),
        (call("rm", {"path": "/"}), "there is no tool 'rm'; there are: read_file"),
    ],
)
def test_the_model_learns_what_goes_wrong_with_a_tool(
    api: LoopbackApi, client: Client, use: dict[str, Any], told: str
) -> None:
    api.script(Says((use,)), answers({"kind": "stuck", "files": []}))
    hold_conversation(client, task())
    assert results(api, 1) == [(told, True)]


def test_the_model_does_not_learn_of_a_bug_in_a_tool(api: LoopbackApi, client: Client) -> None:
    def broken(given: Json) -> str:
        raise ZeroDivisionError

    api.script(calls("broken", {}))
    with pytest.raises(ZeroDivisionError):
        hold_conversation(client, _with(Tool("broken", "", {}, broken)))
    assert len(api.requests) == 1


def test_a_call_that_was_cut_off_gets_the_reason(api: LoopbackApi, client: Client) -> None:
    api.script(calls("read_file", '{"path": "a', stop="max_tokens"), says("ok"))
    hold_conversation(client, task(schema=None))
    ((told, is_error),) = results(api, 1)
    assert is_error
    assert "cut off at the output limit" in told


def _with(tool: Tool) -> Task:
    return Task(model="claude-sonnet-5-5", system="", prompt="go", tools=(tool,))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (says("I think it is fine."), "it is not JSON of the shape asked for"),
        (says('{"kind": "progress", "fi'), "it is not JSON of the shape asked for"),
        (says("[" * 5000), "it is not JSON of the shape asked for"),
        (answers({"kind": "progress"}), "'files' is missing"),
        (answers({"kind": "won", "files": []}), "'kind' must be one of 'progress', 'stuck'"),
        (answers(["progress"]), "must be of type object"),
        (Says(()), "it is empty"),
        (answers({"kind": "progress", "files": ["z.py"]}), "there is no file z.py"),
        (cut_off('{"kind": "prog'), "longer than the output limit"),
    ],
)
def test_a_wrong_answer_is_asked_again_with_its_fault(
    api: LoopbackApi, client: Client, wrong: Says, fault: str
) -> None:
    def known(answer: Json) -> str | None:
        return next((f"there is no file {name}" for name in answer["files"] if name[0] > "m"), None)

    api.script(wrong, answers({"kind": "progress", "files": ["a.py"]}))
    outcome = hold_conversation(client, task(check=known))
    assert fault in last_text(api.requests[1].body)
    assert outcome.answer["files"] == ["a.py"]


def test_an_answer_that_stays_wrong_is_a_failure(api: LoopbackApi, client: Client) -> None:
    api.responder = lambda body: answers({"kind": "maybe"})
    with pytest.raises(WrongShape, match="unusable 3 times: 'files' is missing") as caught:
        hold_conversation(client, task())
    assert caught.value.status == 1
    assert len(api.requests) == 3


def test_an_answer_that_stays_too_long_is_a_failure(api: LoopbackApi, client: Client) -> None:
    api.responder = lambda body: cut_off("and then and then")
    with pytest.raises(CutOff):
        hold_conversation(client, task(max_faults=2))
    assert len(api.requests) == 2


def test_a_model_that_never_answers_is_stopped(api: LoopbackApi, client: Client) -> None:
    api.responder = lambda body: calls("read_file", {"path": "a.py"})
    with pytest.raises(TurnsSpent, match="after 5 turns"):
        hold_conversation(client, task(max_turns=5))
    assert len(api.requests) == 5


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (refuses("cyber"), Declined),
        (says("x", stop="model_context_window_exceeded"), WindowExceeded),
    ],
)
def test_a_refusal_or_a_full_window_ends_it(
    api: LoopbackApi, client: Client, answer: Says, failure: type[NoAnswer]
) -> None:
    api.script(answer)
    with pytest.raises(failure):
        hold_conversation(client, task())
    assert len(api.requests) == 1


def test_calls_of_a_refused_turn_are_not_run(api: LoopbackApi, client: Client) -> None:
    ran: list[Json] = []

    def go(given: Json) -> str:
        ran.append(given)
        return "went"

    tool = Tool("go", "", {"type": "object"}, go)
    api.script(calls("go", {}, stop="refusal"))
    with pytest.raises(Declined):
        hold_conversation(client, _with(tool))
    assert ran == []


def test_free_text_is_an_answer_where_no_shape_is_asked(api: LoopbackApi, client: Client) -> None:
    api.script(says("Sort imports"))
    assert hold_conversation(client, task(schema=None)).text == "Sort imports"


@pytest.mark.parametrize(
    "turn", [says("wait", stop="pause_turn"), calls("rm", {})], ids=["pauses", "no such tool"]
)
def test_a_model_that_does_nothing_is_not_asked_for_ever(
    api: LoopbackApi, client: Client, turn: Says
) -> None:
    api.responder = lambda body: turn
    with pytest.raises(TurnsSpent, match="did nothing in 3 turns"):
        hold_conversation(client, Task(model="m", system="s", prompt="p"))
    assert len(api.requests) == 3


def test_a_paused_turn_goes_on(api: LoopbackApi, client: Client) -> None:
    api.script(says("wait", stop="pause_turn"), says("done"))
    assert hold_conversation(client, task(schema=None)).text == "done"
    assert api.requests[1].body["messages"][-1]["role"] == "assistant"


def test_a_tool_can_end_the_conversation(api: LoopbackApi, client: Client) -> None:
    made: list[Json] = []

    def commit(given: Json) -> str:
        made.append(given)
        return "committed"

    tool = Tool("create_commit", "Commit.", {"type": "object"}, commit)
    api.script(calls("create_commit", {}))
    goal = Task("claude-sonnet-5-5", "", "go", tools=(tool,), done=lambda: bool(made))
    outcome = hold_conversation(client, goal)
    assert outcome.answer == {}
    assert len(api.requests) == 1


def test_a_conversation_goes_on_behind_what_was_said(api: LoopbackApi, client: Client) -> None:
    """Two turns of the user's in a row would be refused, and another beginning is billed again."""
    api.script(calls("read_file", {"path": "a.py"}), answers({"kind": "progress", "files": []}))
    first = hold_conversation(client, task(shared="all files: a, b", done=lambda: True))
    hold_conversation(client, task(prompt="and now?", earlier=first.messages))
    began, went_on = (received.body["messages"] for received in api.requests)
    assert began[0]["content"] == [
        {"type": "text", "text": "all files: a, b", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "sort them"},
    ]
    assert went_on[: len(began)] == began
    assert [message["role"] for message in went_on] == ["user", "assistant", "user"]
    assert [block["type"] for block in went_on[-1]["content"]] == ["tool_result", "text"]
    assert went_on[-1]["content"][-1]["text"] == "and now?"


def test_the_budget_is_asked_before_every_request(
    api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    api.responder = lambda body: calls(
        "read_file", {"path": "a.py"}, usage={"input_tokens": 2000, "output_tokens": 100}
    )
    client = make_client(Budget(max_tokens=20_000))
    with pytest.raises(BudgetSpent):
        hold_conversation(client, task(max_output_tokens=2000))
    assert client.spending.usage.total <= 20_000
    assert 5 <= len(api.requests) <= 9


def test_a_tools_secret_reaches_no_request(api: LoopbackApi, client: Client) -> None:
    key = "ghp_" + "a1B2" * 9
    tool = Tool("env", "", {"type": "object"}, lambda given: f"TOKEN={key}")
    api.script(calls("env", {}), says("ok"))
    hold_conversation(client, _with(tool))
    assert results(api, 1) == [("TOKEN=[masked secret ..B2]", False)]


def test_a_responder_can_play_a_model(api: LoopbackApi, client: Client) -> None:
    def model(body: dict[str, Any]) -> Says:
        if "def a" in last_text(body):
            return answers({"kind": "progress", "files": ["a.py"]})
        return calls("read_file", {"path": "a.py"})

    api.responder = model
    assert hold_conversation(client, task()).answer["files"] == ["a.py"]
