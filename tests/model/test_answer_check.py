"""A final answer is JSON of the shape asked for, or a fault in words for the model."""

import pytest

from git_retcon.model.answer_check import Fault, read_answer
from git_retcon.model.messages import Json, Reply, StopReason, Text, Usage

SCHEMA: Json = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


def reply(text: str, stop: StopReason = StopReason.END_TURN) -> Reply:
    return Reply("claude-sonnet-5-5", (Text(text),), stop, Usage())


def judge(text: str, stop: StopReason = StopReason.END_TURN) -> Json | Fault:
    return read_answer(reply(text, stop), SCHEMA, lambda found: "odd" if found["n"] % 2 else None)


def test_an_answer_of_the_shape_is_taken() -> None:
    assert judge(' {"n": 2}\n') == {"n": 2}


@pytest.mark.parametrize("text", ['Here it is: {"n": 2}', '```json\n{"n": 2}\n```\nThat is all.'])
def test_words_around_an_answer_are_passed_over(text: str) -> None:
    assert judge(text) == {"n": 2}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("two", "it is not JSON of the shape asked for"),
        ("[" * 100_000, "it is not JSON of the shape asked for"),
        ("[2]", "it must be of type object"),
        ("{}", "'n' is missing"),
        ('{"n": 2, "m": 1}', "'m' is unknown"),
        ('{"n": 1}', "odd"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    fault = judge(text)
    assert fault == Fault(why)
    assert isinstance(fault, Fault) and f"Your answer cannot be used: {why}." in fault.feedback


def test_a_whole_answer_that_was_cut_off_is_not_taken() -> None:
    fault = judge('{"n": 2}', StopReason.MAX_TOKENS)
    assert isinstance(fault, Fault) and fault.cut_off


def test_free_text_is_taken_unless_it_is_blank() -> None:
    assert read_answer(reply("hello"), None, lambda found: "never asked") == {}
    assert read_answer(reply(" \n"), None, lambda found: None) == Fault("it is empty")
