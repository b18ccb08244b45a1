"""Tools made of templates: a schema that admits nothing else, and calls that are counted."""

import pytest

from git_retcon.model.conversation import MOST_CALLS, Conversation
from git_retcon.model.messages import Json
from git_retcon.model.tool_template import ToolTemplate
from git_retcon.model.toolloop import ToolFault


class Session:
    def __init__(self) -> None:
        self.conversation = Conversation()


def say(session: Session, given: Json) -> str:
    return str(given["word"])


def test_a_tool_takes_its_properties_and_no_others() -> None:
    tool = ToolTemplate("say", "Says.", say, {"word": {"type": "string"}}, ("word",)).on(Session())
    assert tool.schema["required"] == ["word"]
    assert tool.schema["additionalProperties"] is False
    assert tool.run({"word": "yes"}) == "yes"


def test_calls_of_a_turn_are_counted() -> None:
    tool = ToolTemplate("say", "Says.", say).on(Session())
    for _ in range(MOST_CALLS):
        tool.run({"word": "yes"})
    with pytest.raises(ToolFault):
        tool.run({"word": "one too many"})
