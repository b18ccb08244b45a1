"""A tool as a model sees it, before there is a conversation that it works on."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Generic, Protocol, TypeVar

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.conversation import Conversation
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Tool, ToolFault


class InConversation(Protocol):
    """What the tools of one conversation share."""

    @property
    def conversation(self) -> Conversation:
        """What counts their calls."""


S = TypeVar("S", bound=InConversation)


@dataclass(frozen=True, slots=True)
class ToolTemplate(Generic[S]):
    """A tool without the session that it works on. ``properties`` are those of its input."""

    name: str
    description: str
    run: Callable[[S, Json], str]
    properties: Json = field(default_factory=dict)
    required: Sequence[str] = ()

    def on(self, session: S) -> Tool:
        """The tool for one session, which counts its calls."""
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }

        def run_counted(given: Json) -> str:
            session.conversation.begin_call()
            try:
                return self.run(session, given)
            except ToolFault:
                session.conversation.has_fault = True
                raise

        return Tool(self.name, self.description, schema, run_counted)
